/** The days that results are shown of while something is typed (D-19). */
import { dayText } from '../../view/days.ts';

/** So long after the last key something is asked. */
export const TYPED_MS = 500;

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Today and the days before it, as parameters. */
export function lastDays(days = DAYS): { readonly from: string; readonly to: string } {
  const today = Math.floor(Date.now() / DAY_MS);
  return { from: dayText(today - days + 1), to: dayText(today) };
}
