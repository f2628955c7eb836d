/** Who may use the endpoints of a resource: the rows of M-3 that several resources share. */
import { READERS, USERS } from '../../model/rights.ts';
import type { Permission } from '../descriptor/resource.ts';

/** GET of a domain, and of what its page shows beside statistics: goals, funnels, views. */
export const READ_SHOWN: Permission = {
  scopes: [
    { area: 'domains', right: 'r' },
    { area: 'statistics', right: 'r' },
  ],
  role: 'Viewer',
  callers: READERS,
};

/** GET of what is for those who manage a domain: links, snippets, members, reports. */
export const READ_SETTINGS: Permission = {
  scopes: [{ area: 'domains', right: 'r' }],
  role: 'Admin',
};

/** Whatever changes a domain or what belongs to it. */
export const WRITE_DOMAINS: Permission = {
  scopes: [{ area: 'domains', right: 'w' }],
  role: 'Admin',
};

/** What needs a user beside: members, invitations, clients, of a domain or of the caller itself. */
export const READ_DOMAINS_AS_USER: Permission = { ...READ_SETTINGS, callers: USERS };
/** The same for changes. */
export const WRITE_DOMAINS_AS_USER: Permission = { ...WRITE_DOMAINS, callers: USERS };

/** What is the owner's alone: deleting a domain, giving it away. */
export const OWN_DOMAINS: Permission = { ...WRITE_DOMAINS_AS_USER, role: 'Owner' };

/** GET of an organization and of what belongs to it: for all of its people. */
export const READ_ORGANIZATION: Permission = {
  scopes: [{ area: 'organizations', right: 'r' }],
  role: 'Viewer',
  callers: USERS,
};

/** Whatever changes an organization or what belongs to it. */
export const WRITE_ORGANIZATION: Permission = {
  scopes: [{ area: 'organizations', right: 'w' }],
  role: 'Owner',
  callers: USERS,
};
