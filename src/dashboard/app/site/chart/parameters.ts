/** Ranges as parameters of the API. */
import { dayText } from '../../view/days.ts';
import type { Frame } from '../../view/range.ts';

/** Without times where it has none: what is blank would hide those that a whole batch shares. */
export function frameParameters({ from, to, fromTime, toTime }: Frame): Record<string, string> {
  return { from: dayText(from), to: dayText(to), from_time: fromTime, to_time: toTime };
}
