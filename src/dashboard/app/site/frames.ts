/** Which ranges a view of a site is about, by the clock of the site (D-10). */
import { bucketsOf } from '../view/buckets.ts';
import { dayOf } from '../view/days.ts';
import { comparedFrame, frameOf } from '../view/frame.ts';
import {
  type Comparison,
  type Frame,
  type RangeName,
  type Scale,
  type Span,
  scaleOf,
  spanOf,
} from '../view/range.ts';
import { type LocalTime, localOf } from '../view/zone.ts';

/** Of which ranges a view asks. */
export interface Frames {
  /** What the chart draws. */
  readonly frame: Frame;
  /** What all else shows: the same, or what the scrubber stands on. */
  readonly focus: Frame;
  /** What the chart draws behind; null: nothing. */
  readonly compared: Frame | null;
  /** What the totals are compared with, also where no comparison was chosen (S-72). */
  readonly before: Frame;
  readonly scale: Scale;
  /** The clock of the site. */
  readonly now: LocalTime;
}

/** What of a view its ranges come from. */
export interface Looked {
  readonly range: RangeName;
  readonly custom: Span | null;
  readonly fromTime: string;
  readonly toTime: string;
  readonly comparison: Comparison;
  readonly comparedWith: Span | null;
  readonly scale: Scale | '';
  readonly metric: string;
  readonly moment: string;
}

interface Place {
  readonly timezone: string;
  readonly statistics_start: string | null;
  readonly imported_from?: string;
}

/** The first day that the site counted itself; null: there is none yet. */
export function firstOwnDay({
  timezone,
  statistics_start: begun,
}: Pick<Place, 'timezone' | 'statistics_start'>): number | null {
  return begun === null ? null : localOf(Date.parse(begun), timezone).day;
}

/** What a view shows of a site. @param reader `language` decides where weeks begin. */
export function framesOf(
  of: Looked,
  place: Place,
  reader: { readonly language: string; readonly nowMs: number },
): Frames {
  const { language, nowMs } = reader;
  const { timezone: zone } = place;
  const now = localOf(nowMs, zone);
  const own = firstOwnDay(place);
  // All of it begins with what was imported.
  const first = Math.min(own ?? Infinity, dayOf(place.imported_from ?? '') || Infinity);
  const start = first === Infinity ? null : first;
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
