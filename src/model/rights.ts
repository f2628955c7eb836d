/**
 * What a caller may do: the scopes of a client and the role of whoever it stands for (M-2).
 */

/** What a client may do with one area: nothing, read, or write (which includes read). */
export type Scope = '' | 'r' | 'w';

/** The areas of the contract's API client. */
export const SCOPE_AREAS = [
  'hit',
  'event',
  'session',
  'statistics',
  'domains',
  'organizations',
  'themes',
  'billing',
] as const;

export type ScopeArea = (typeof SCOPE_AREAS)[number];

export type Scopes = Readonly<Record<ScopeArea, Scope>>;

/** From the least to the most; who has one has all those before it (M-2). */
export const ROLES = ['Viewer', 'Admin', 'Owner'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a role is enough. @param held null: the caller may not even see the object. */
export function isRoleEnough(held: Role | null, needed: Role): boolean {
  return held !== null && ROLES.indexOf(held) >= ROLES.indexOf(needed);
}
