/** Who may use the endpoints of a resource: the rows of M-3 that several resources share. */
import type { Permission } from '../descriptor/resource.ts';

/** GET of what belongs to a domain. */
export const READ_DOMAINS: Permission = {
  scopes: [{ area: 'domains', right: 'r' }],
  role: 'Viewer',
};

/** Whatever changes it. */
export const WRITE_DOMAINS: Permission = {
  scopes: [{ area: 'domains', right: 'w' }],
  role: 'Admin',
};
