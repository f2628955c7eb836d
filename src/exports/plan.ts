/** What somebody asks to be exported, as a plan or as what is wrong with it. */

import { isoTime } from '../base/iso-time.ts';
import { startOfLocalDayMs } from '../base/zone.ts';
import { DAY_MS } from '../model/limits.ts';
import {
  EXPORT_FILE_FORMATS,
  EXPORT_TABLES,
  type ExportFileFormat,
  ROW_TABLES,
  type RowTable,
} from './columns.ts';
import type { ExportPlan } from './export-segments.ts';
import type { Manifest } from './manifest.ts';

/** `what` of everything. */
const ALL = 'all';
export const EXPORT_WHATS = [...ROW_TABLES, ALL] as const;

/** A question for an export that fits. */
export interface ExportWish {
  readonly what: (typeof EXPORT_WHATS)[number];
  readonly format: ExportFileFormat;
  /** Days since 1970-01-01 of the domain's zone, both included; null: from its first, up to its last. */
  readonly fromDay: number | null;
  readonly toDay: number | null;
}

/** What was typed or sent. */
export interface SentWish {
  readonly what?: string | undefined;
  readonly format?: string | undefined;
}

/** Checks `what` and `format`; days are read by who asks. @param add is told what is wrong. */
export function checkWish(
  { what = ALL, format = 'csv' }: SentWish,
  add: (name: 'what' | 'format', problem: string) => void,
): Pick<ExportWish, 'what' | 'format'> {
  const knownWhat = EXPORT_WHATS.find((known) => known === what);
  const knownFormat = EXPORT_FILE_FORMATS.find((known) => known === format);
  if (knownWhat === undefined) add('what', `must be one of ${EXPORT_WHATS.join(', ')}`);
  if (knownFormat === undefined) add('format', `must be one of ${EXPORT_FILE_FORMATS.join(', ')}`);
  return { what: knownWhat ?? ALL, format: knownFormat ?? 'csv' };
}

/** The plan of a wish. */
export function planOf(
  { what, format, fromDay, toDay }: ExportWish,
  domain: Manifest['domain'],
  createdMs: number,
): ExportPlan {
  // F-2: in whichever order.
  const isSwapped = fromDay !== null && toDay !== null && fromDay > toDay;
  const [first, last] = isSwapped ? [toDay, fromDay] : [fromDay, toDay];
  const { timezone } = domain;
  return {
    ...{ domain, format, createdMs },
    tables: what === ALL ? EXPORT_TABLES : [what as RowTable],
    ...{ from: dateOf(first), to: dateOf(last) },
    days: { fromDay: first ?? 0, toDay: last ?? Number.MAX_SAFE_INTEGER - 1 },
    span: {
      startMs: first === null ? Number.NEGATIVE_INFINITY : startOfLocalDayMs(timezone, first),
      endMs: last === null ? Number.POSITIVE_INFINITY : startOfLocalDayMs(timezone, last + 1),
    },
  };
}

function dateOf(day: number | null): string | null {
  return day === null ? null : isoTime(day * DAY_MS).slice(0, 'yyyy-mm-dd'.length);
}
