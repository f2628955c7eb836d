/** The people of the table, by their part in it. */

/** Whoever acts: their part on the domain that requests name, or on the organization it is in. */
export const PEOPLE = [
  ...(['owner', 'admin', 'viewer'] as const),
  ...(['orgOwner', 'orgAdmin', 'orgViewer'] as const),
  'stranger',
] as const;

export type Person = (typeof PEOPLE)[number];

/** For each row one of these may do it, if anybody may. */
export const CAPABLE = ['owner', 'orgOwner', 'viewer'] as const satisfies readonly Person[];
