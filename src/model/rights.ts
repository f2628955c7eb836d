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

/**
 * The kinds of callers (M-1): an access key, a client of one domain, a client of an account, a
 * signed-in person, and whoever has an access code or the token of a public dashboard.
 */
export type CallerKind = 'key' | 'domain' | 'user' | 'person' | 'code';

/** Who stands for a user. */
export const USERS: readonly CallerKind[] = ['user', 'person'];
/** Who manages: users, and clients of one domain. */
export const MANAGERS: readonly CallerKind[] = [...USERS, 'domain'];
/** Who reads what the page of a dashboard shows. */
export const READERS: readonly CallerKind[] = [...MANAGERS, 'code'];
/** Who sends hits: whatever has a bearer, but no browser with a cookie. */
export const COLLECTORS: readonly CallerKind[] = ['user', 'domain', 'key'];

/** The same right in every area. */
export function scopesOf(right: Scope): Scopes {
  return Object.freeze(
    Object.fromEntries(SCOPE_AREAS.map((area) => [area, right])),
  ) as unknown as Scopes;
}

/** From the least to the most; who has one has all those before it (M-2). */
export const ROLES = ['Viewer', 'Admin', 'Owner'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a role is enough. @param held null: the caller may not even see the object. */
export function isRoleEnough(held: Role | null, needed: Role): boolean {
  return held !== null && ROLES.indexOf(held) >= ROLES.indexOf(needed);
}
