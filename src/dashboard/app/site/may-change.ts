/** Who may change what belongs to a site; to everybody else it is not offered (D-17). */
import type { Domain } from './site-data.ts';

export function mayChange({ user_role: role }: Domain): boolean {
  return role === 'Owner' || role === 'Admin';
}
