/** Which ranges a view of a site is about, by the clock of the site (D-10). */
import { bucketsOf } from '../view/buckets.ts';
import { comparedFrame, frameOf } from '../view/frame.ts';
import { scaleOf, spanOf } from '../view/range.ts';
import type { View } from '../view/view.ts';
import { localOf } from '../view/zone.ts';
import { language } from '../words/words.ts';
import type { Frames } from './chart/questions.ts';

interface Place {
  readonly timezone: string;
  readonly statistics_start: string | null;
}

/** What a view shows of a site. @param nowMs since the epoch. */
export function framesOf(of: View, place: Place, nowMs = Date.now()): Frames {
  const { timezone: zone, statistics_start: begun } = place;
  const now = localOf(nowMs, zone);
  const start = begun === null ? null : localOf(Date.parse(begun), zone).day;
  const span = spanOf(of.range, of.custom, { zone, language, start, today: now.day });
  const frame = frameOf(span, of.fromTime, of.toTime);
  const scale = scaleOf(frame, of.scale, of.metric !== 'duration');
  const compared = comparedFrame(frame, of.comparison, of.comparedWith);
  const scrubbed = of.moment === '' ? null : bucketsOf(frame, scale);
  const focus = scrubbed?.find(({ key }) => key === of.moment)?.frame ?? frame;
  const isWhole = focus === frame;
  const comparison = isWhole && of.comparison !== 'none' ? of.comparison : 'previous';
  const before = comparedFrame(focus, comparison, of.comparedWith) ?? focus;
  return { frame, focus, compared, before, scale, now };
}
