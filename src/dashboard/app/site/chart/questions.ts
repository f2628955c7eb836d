/**
 * What totals and chart ask in the batch of a view (D-11, D-14).
 *
 * The API pools hours over days and minutes over hours (S-23, S-24): a chart by the hour asks
 * each day, one by the minute each hour.
 */
import type { Query } from '../../data/batch.ts';
import { yearStart } from '../../view/days.ts';
import type { Frame, Scale } from '../../view/range.ts';
import type { View } from '../../view/view.ts';
import { clockText, type LocalTime, minuteOf } from '../../view/zone.ts';
import type { Frames } from '../frames.ts';
import { frameParameters } from './parameters.ts';

const DAY_MINUTES = 1_440;

/** The questions, by their keys among the results. */
export function chartQuestions(
  of: View,
  { frame, focus, compared, before, scale, now }: Frames,
  goal: Readonly<Record<string, unknown>> | null,
): ReadonlyMap<string, Query> {
  const questions = new Map<string, Query>([
    ['total', { name: 'total' }],
    ['total duration', { name: 'duration/session', scale: 'year' }],
    ['growth', { name: 'growth' }],
    ['goals', { name: 'goals' }],
  ]);
  const past = frameParameters(sameTime(focus, before, now));
  questions.set('compared total', { name: 'total', ...past });
  questions.set('compared total duration', { name: 'duration/session', scale: 'year', ...past });
  if (crossesYears(focus)) questions.set('total years', { name: 'visitor', scale: 'year' });
  if (crossesYears(before))
    questions.set('compared total years', { name: 'visitor', scale: 'year', ...past });
  questions.set('compared goals', { name: 'goals', ...past });
  const series = (prefix: string, drawn: Frame) => {
    for (const [part, query] of seriesQuestions(of, drawn, scale).entries()) {
      questions.set(`${prefix}series ${part}`, {
        ...query,
        ...(of.metric === 'conversion' && goal),
      });
    }
  };
  series('', frame);
  if (compared !== null) series('compared ', compared);
  return questions;
}

/** A year's mean is over its sessions (S-33); over several years each has to be weighed. */
function crossesYears({ from, to }: Frame): boolean {
  return yearStart(from) !== yearStart(to);
}

/** A day that is not over is compared with as much of the other one (S-72). */
function sameTime(focus: Frame, before: Frame, now: LocalTime): Frame {
  const isToday = focus.from === now.day && focus.to === now.day && before.from === before.to;
  if (!isToday || (minuteOf(focus.toTime) ?? DAY_MINUTES) <= now.minute) return before;
  return { ...before, toTime: clockText(now.minute) };
}

/** One question of a chart's line, or several that are joined. */
function seriesQuestions(of: View, frame: Frame, scale: Scale): readonly Query[] {
  if (scale === 'hour') {
    const days = Array.from(
      { length: frame.to - frame.from + 1 },
      (_, index) => frame.from + index,
    );
    return days.map((day) => ({
      name: 'hours',
      ...frameParameters({ ...frame, from: day, to: day }),
    }));
  }
  if (scale === 'minute') {
    return hoursOf(frame).map((part) => ({ name: 'minutes', ...frameParameters(part) }));
  }
  const name = of.metric === 'duration' ? 'duration/session' : 'visitor';
  return [{ name, scale, ...frameParameters(frame) }];
}

/** A part of a day, cut at each full hour. */
export function hoursOf(frame: Frame): readonly Frame[] {
  const first = minuteOf(frame.fromTime) ?? 0;
  const last = minuteOf(frame.toTime) ?? DAY_MINUTES - 1;
  const parts: Frame[] = [];
  for (let start = first; start <= last; start = start - (start % 60) + 60) {
    const end = Math.min(start - (start % 60) + 59, last);
    parts.push({ ...frame, fromTime: clockText(start), toTime: clockText(end) });
  }
  return parts;
}
