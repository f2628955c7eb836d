/** What may not be done is not offered (D-18). */
import type { Domain } from './site-data.ts';

/** Whether the reader may change what belongs to a site. */
export function mayChange({ user_role: role }: Domain): boolean {
  return role === 'Owner' || role === 'Admin';
}
