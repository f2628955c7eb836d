/** What a statistic may be asked by, as clients are told it. Read by `query/question/request.ts`. */
import { boolean, integer, type Schema, string } from '../../base/schema.ts';
import { LIST_LIMIT_MAX, START_SECONDS_MAX } from '../../model/limits.ts';
import { SCALES } from '../../query/question/calendar.ts';
import { FILTER_KEY_PREFIXES, FILTER_PARAMETERS } from '../../query/question/filters.ts';
import { type Statistic, sortableFields } from '../../query/question/statistics.ts';
import type { Parameter } from '../endpoint.ts';
import { required } from '../presets.ts';

const ID = required('id', 'The id of a domain.');

/** Rows over time, by `scale`. */
const SCALED: ReadonlySet<string> = new Set(['visitor', 'duration/session', 'duration/page']);

const DAY = { type: 'string', format: 'date' };
const TIME = { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' };

const RANGE: readonly Parameter[] = [
  optional('from', 'The first day; required unless `start` is given.', DAY),
  optional('to', 'The last day.', DAY),
  optional('from_time', 'Where both days are one: the first minute.', TIME),
  optional('to_time', 'The last minute.', TIME),
  optional('tz', 'An IANA time zone; default: that of the domain.', string),
  optional('start', `The last seconds up to now, at most ${START_SECONDS_MAX}, instead of days.`, {
    ...integer,
    minimum: 0,
  }),
];

const FILTERS: readonly Parameter[] = [
  ...[...FILTER_PARAMETERS]
    .toSorted()
    .map((name) => filter(name, 'Keeps what has one of the values.')),
  ...FILTER_KEY_PREFIXES.map((prefix) =>
    filter(`${prefix}<key>`, `Replace <key>: keeps what has one of the values under that key.`),
  ),
  optional('custom_metric_key', 'The key in the metadata of events that is summed.', string),
  optional('custom_metric_type', 'What stands under that key.', {
    ...string,
    enum: ['integer', 'float'],
  }),
];

const PAGING: readonly Parameter[] = [
  optional('offset', 'How many rows are passed over.', { ...integer, minimum: 0 }),
  optional('limit', `How many rows are shown, at most and by default ${LIST_LIMIT_MAX}.`, integer),
];

const PAGES: readonly Parameter[] = [
  optional('include_title', 'Whether pages are told apart by title, too.', boolean),
  optional('include_avg_time_on_page', 'Whether pages show the time on them.', boolean),
];
const EXPLAIN = optional(
  'explain',
  'For clients of an account: answers `{plan, segments, ms, answer}`, how it was found.',
  boolean,
);
const SEARCH = optional('search', 'Keeps what contains the text.', string);
const SCALE = optional('scale', 'The length of a row.', words(SCALES));
const DIRECTION = optional('direction', 'Default: descending for numbers.', words(['asc', 'desc']));

const FUNNEL: readonly Parameter[] = [
  optional('funnel_id', 'The id of a funnel of the domain; required without steps.', string),
  optional('steps', 'Instead of funnel_id: JSON, the steps of a funnel that is not saved.', string),
];

/** The parameters of a statistic's endpoint. */
export function parametersOf(statistic: Statistic): readonly Parameter[] {
  const { name, searched, searches, fields, period, carries } = statistic;
  // S-74: it asks for nothing but its domain.
  if (period === 'last days') return [ID, EXPLAIN];
  const sortable = period === 'last seconds' ? [] : sortableFields(statistic);
  const isSearched = searches === 'rows' || searched.length > 0;
  return [
    ID,
    ...RANGE,
    ...(SCALED.has(name) ? [SCALE] : []),
    ...(carries === 'funnel' ? FUNNEL : []),
    ...FILTERS,
    ...(sortable.length === 0 ? [] : sorting(sortable)),
    ...(isSearched ? [SEARCH] : []),
    ...(fields.length > 0 || name === 'session/details' ? PAGING : []),
    ...PAGES,
    EXPLAIN,
  ];
}

function sorting(names: readonly string[]): Parameter[] {
  return [optional('sort', 'The field that the rows are ordered by.', words(names)), DIRECTION];
}

function words(list: readonly string[]): Schema {
  return { type: 'string', enum: list };
}

function optional(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}

function filter(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: string, repeats: true };
}
