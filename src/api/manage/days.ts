/** The first and the last day that a job is asked for. */
import { DATE_MESSAGE, formatDay, parseDay } from '../../query/question/calendar.ts';
import type { Problems } from '../problems.ts';

/** As they are sent; either may be missing. */
export interface SentDays {
  readonly from?: string | null;
  readonly to?: string | null;
}

/** The days as YYYY-MM-DD, '' for one that is not bounded. @param problems is told of what is none. */
export function sentDays(sent: SentDays, problems: Problems): { from: string; to: string } {
  const day = (name: 'from' | 'to') => {
    const text = sent[name]?.trim() ?? '';
    const parsed = parseDay(text);
    if (text !== '' && parsed === null) problems.add(name, DATE_MESSAGE);
    return parsed === null ? '' : formatDay(parsed);
  };
  return { from: day('from'), to: day('to') };
}
