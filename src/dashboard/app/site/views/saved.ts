/** Saved views: between a record of management (M-61) and what is looked at. */
import type { AnswerOf } from '../../data/api.ts';
import { dayOf, dayText } from '../../view/days.ts';
import { type Filter, filterOf, isFilter, parametersOf } from '../../view/filters.ts';
import { FIRST_VIEW, searchOf, type View, viewOf } from '../../view/view.ts';
import type { Frames } from '../frames.ts';

export type SavedView = AnswerOf<'GET /api/v1/view'>[number];

/** Filters that a record has a field for: lists, and texts or lists. */
const FIELDS = [
  ...['path', 'event', 'tag', 'entry_path', 'exit_path', 'pattern', 'language', 'country', 'city'],
  ...['referrer', 'referrer_name', 'os', 'browser', 'platform', 'screen_class'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
];
const TAG = 'tag_';
const META = 'meta_';

/** The record of a view, but its name: fields for who reads records, the address for the dashboard. */
export function recordOf(of: View, { frame }: Frames): Readonly<Record<string, unknown>> {
  const parameters = parametersOf(of.filters);
  const kept = Object.entries(parameters).filter(([name]) => FIELDS.includes(name));
  const { comparison, comparedWith } = of;
  const isCustom = comparison === 'custom' && comparedWith !== null;
  return {
    address: searchOf({ ...of, moment: '' }),
    from: dayText(frame.from),
    to: dayText(frame.to),
    from_time: frame.fromTime,
    to_time: frame.toTime,
    compare: comparison === 'none' || (comparison === 'custom' && !isCustom) ? null : comparison,
    compare_from: isCustom ? dayText(comparedWith.from) : null,
    compare_to: isCustom ? dayText(comparedWith.to) : null,
    compare_weekday: comparison === 'year',
    ...Object.fromEntries(kept),
    ...pairs(parameters, TAG, ['tag_key', 'tag_value']),
    ...pairs(parameters, META, ['event_meta_key', 'event_meta_value']),
  };
}

function pairs(
  parameters: Readonly<Record<string, readonly string[]>>,
  prefix: string,
  [keys, values]: readonly [string, string],
): Readonly<Record<string, readonly string[]>> {
  const found = Object.entries(parameters).filter(([name]) => name.startsWith(prefix));
  if (found.length === 0) return {};
  return {
    [keys]: found.map(([name]) => name.slice(prefix.length)),
    [values]: found.map(([, of]) => of[0] ?? ''),
  };
}

/** What a record shows: as it was saved here, else what its fields say. */
export function viewOfRecord(record: SavedView): View {
  if (record.address !== undefined) return viewOf(record.address);
  const [from, to] = [dayOf(record.from), dayOf(record.to)];
  const isCompared = record.compare === 'custom';
  const [before, after] = [dayOf(record.compare_from ?? ''), dayOf(record.compare_to ?? '')];
  return {
    ...FIRST_VIEW,
    range: 'custom',
    custom: { from: Math.min(from, to), to: Math.max(from, to) },
    fromTime: record.from_time,
    toTime: record.to_time,
    comparison: record.compare ?? 'none',
    comparedWith: isCompared
      ? { from: Math.min(before, after), to: Math.max(before, after) }
      : null,
    filters: filtersOf(record),
  };
}

function filtersOf(record: SavedView): readonly Filter[] {
  const fields = record as unknown as Readonly<Record<string, unknown>>;
  const plain = FIELDS.flatMap((name) => textsOf(fields[name]).map((text) => filterOf(name, text)));
  const paired = (keys: unknown, values: unknown, prefix: string, alone: string) =>
    textsOf(keys).map((key, index) => {
      const value = textsOf(values)[index];
      return value === undefined ? filterOf(alone, key) : filterOf(prefix + key, value);
    });
  return [
    ...plain,
    ...paired(record.tag_key, record.tag_value, TAG, 'tag'),
    ...paired(record.event_meta_key, record.event_meta_value, META, 'event_meta_key'),
  ].filter(({ name, value }) => isFilter(name) && value !== '');
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
