/**
 * The filters of a request: a table of parameters, and their values read into plain data.
 *
 * Control plane. Session filters select whole sessions (F-11, F-15), view filters single page views
 * (F-14, F-18), event filters sessions with a matching event (F-12). A
 * malformed value that says which data is meant is refused, never ignored.
 */

import { DIMENSION_ROWS, Platform, type TextDimension } from '../../model/dimensions.ts';
import { type FilterValues, parseFilterValues, type ValueForm } from './filter-values.ts';
import { firstValue, type QueryParameters } from './parameters.ts';
import { type PatternFilter, parsePatterns } from './path-pattern.ts';

/** Session columns that a filter can test by their text. */
export type SessionText = TextDimension | 'entryPath' | 'exitPath';

/** A key and what its value must be: `tag_<key>`, `meta_<key>`. */
export interface PropertyFilter {
  readonly key: string;
  readonly values: FilterValues;
}

/** The event filter (F-12, F-25). */
export interface EventFilter {
  readonly names: FilterValues | null;
  readonly keys: FilterValues | null;
  readonly values: readonly PropertyFilter[];
}

/** Single sessions by the ids that the API shows (I-34, A-30). */
export interface SessionIds {
  readonly visitors: readonly { readonly low: number; readonly high: number }[];
  readonly sessions: readonly number[];
}

/** A number in the metadata of events (S-8). */
export interface CustomMetric {
  readonly key: string;
  readonly type: 'integer' | 'float';
}

/** Every filter of a request; null and empty lists test nothing. */
export interface QueryFilters {
  readonly sessionTexts: readonly { readonly column: SessionText; readonly values: FilterValues }[];
  /** URL or name (F-27). */
  readonly referrer: FilterValues | null;
  /** One byte per value of `Platform`: 1 is kept; null keeps all (F-30). */
  readonly platforms: readonly number[] | null;
  readonly sessionIds: SessionIds | null;
  readonly path: FilterValues | null;
  readonly pattern: PatternFilter | null;
  readonly tagKeys: FilterValues | null;
  readonly tags: readonly PropertyFilter[];
  readonly events: EventFilter | null;
  /** A further set that must hold as well, applied by itself: F-16 reaches into no other set. */
  readonly also: QueryFilters | null;
}

/** Filters that test nothing: what the denominators are taken over (S-5). */
export const NO_FILTERS: QueryFilters = {
  sessionTexts: [],
  referrer: null,
  platforms: null,
  sessionIds: null,
  path: null,
  pattern: null,
  tagKeys: null,
  tags: [],
  events: null,
  also: null,
};

/** The text filters on sessions: parameter, column, form of the values. */
const SESSION_TEXT_PARAMETERS: readonly (readonly [string, SessionText, ValueForm])[] = [
  ['entry_path', 'entryPath', {}],
  ['exit_path', 'exitPath', {}],
  ...DIMENSION_ROWS.flatMap(([name, { fields, filter }]) =>
    filter === 'text' || filter === 'code'
      ? [[fields[0], name, { isCode: filter === 'code' }] as const]
      : [],
  ),
];

const UNSIGNED_64_MAX = 0xffff_ffff_ffff_ffffn;
const UNSIGNED_32_MAX = 0xffff_ffffn;
/** The last id that a session may have. */
export const SESSION_ID_MAX = Number(UNSIGNED_32_MAX);
const DIGITS = /^\d{1,20}$/;

/**
 * Reads every filter of a request.
 *
 * @param problems out: parameter name → what to change.
 */
export function parseFilters(
  parameters: QueryParameters,
  problems: Map<string, string>,
): QueryFilters {
  const path = parseFilterValues(parameters.get('path'));
  return {
    sessionTexts: SESSION_TEXT_PARAMETERS.flatMap(([parameter, column, form]) => {
      const values = parseFilterValues(parameters.get(parameter), form);
      return values === null ? [] : [{ column, values }];
    }),
    referrer: parseFilterValues(parameters.get('referrer')),
    platforms: parsePlatforms(parameters.get('platform')),
    sessionIds: parseSessionIds(parameters, problems),
    path,
    // With `path`, `pattern` is ignored (F-16).
    pattern: path === null ? parsePatterns(parameters.get('pattern'), problems) : null,
    tagKeys: parseFilterValues(parameters.get('tag')),
    tags: parseProperties(parameters, 'tag_', problems),
    events: parseEvents(parameters, problems),
    also: null,
  };
}

/** Names of the filters with one value list each; those with a key have a prefix of their own. */
export const FILTER_PARAMETERS: ReadonlySet<string> = new Set([
  ...SESSION_TEXT_PARAMETERS.map(([parameter]) => parameter),
  ...DIMENSION_ROWS.flatMap(([, { fields, filter }]) => (filter === null ? [] : fields[0])),
  ...['path', 'pattern', 'platform', 'tag', 'event', 'event_meta_key'],
  ...['visitor_id', 'session_id'],
]);
/** Of filters with a key: `meta_<key>`, `tag_<key>`. */
export const FILTER_KEY_PREFIXES = ['meta_', 'tag_'];

/** Whether a parameter is a filter: neither range nor paging, order or presentation. */
export function isFilterParameter(name: string): boolean {
  return (
    FILTER_PARAMETERS.has(name) || FILTER_KEY_PREFIXES.some((prefix) => name.startsWith(prefix))
  );
}

/** Filters of which both sets must hold, each by itself. */
export function bothFilters(filters: QueryFilters, also: QueryFilters): QueryFilters {
  return { ...filters, also: filters.also === null ? also : bothFilters(filters.also, also) };
}

/** The sets of filters that all must hold. */
export function filterSets(filters: QueryFilters): readonly QueryFilters[] {
  return filters.also === null ? [filters] : [filters, ...filterSets(filters.also)];
}

/** The filters without those on events: in event scope these test the events themselves (S-13). */
export function withoutEventFilters(filters: QueryFilters): QueryFilters {
  const also = filters.also === null ? null : withoutEventFilters(filters.also);
  return { ...filters, events: null, also };
}

/** S-8: active with an event name, a key and a known type (F-34); else null. */
export function parseCustomMetric(
  parameters: QueryParameters,
  filters: QueryFilters,
): CustomMetric | null {
  const key = firstValue(parameters, 'custom_metric_key');
  const type = firstValue(parameters, 'custom_metric_type');
  const isActive = key !== undefined && (filters.events?.names ?? null) !== null;
  if (!isActive || (type !== 'integer' && type !== 'float')) return null;
  return { key, type };
}

/** Whether a filter tests single page views, not whole sessions (S-2, step 2). */
export function hasViewFilter(filters: QueryFilters): boolean {
  const { path, pattern, tagKeys, tags, also } = filters;
  const isHere = path !== null || pattern !== null || tagKeys !== null || tags.length > 0;
  return isHere || (also !== null && hasViewFilter(also));
}

/** Whether a filter selects sessions, by the session itself or by its events (S-2, step 1). */
export function hasSessionFilter(filters: QueryFilters): boolean {
  return (
    filters.sessionTexts.length > 0 ||
    filters.referrer !== null ||
    filters.platforms !== null ||
    filters.sessionIds !== null ||
    filters.events !== null ||
    (filters.also !== null && hasSessionFilter(filters.also))
  );
}

/** What is filtered, without a word of the values: for logs. */
export function filteredFields(filters: QueryFilters): string[] {
  const { sessionTexts, also, ...others } = filters;
  const set = Object.entries(others).filter(
    ([, filter]) => filter !== null && !(Array.isArray(filter) && filter.length === 0),
  );
  return [
    ...sessionTexts.map(({ column }) => column),
    ...set.map(([name]) => name),
    ...(also === null ? [] : filteredFields(also)),
  ];
}

/** Whether nothing is filtered, so that rows are those of the denominators. */
export function isUnfiltered(filters: QueryFilters): boolean {
  return !hasSessionFilter(filters) && !hasViewFilter(filters);
}

/** What is filtered of everything that a question may see (S-5): nothing, unless that is narrowed. */
export function wholeOf({ within }: { readonly within: QueryFilters | null }): QueryFilters {
  return within ?? NO_FILTERS;
}

/** The filters without path, pattern, entry and exit path and tags: what pages are not tested by (S-43). */
export function withoutPageFilters(filters: QueryFilters): QueryFilters {
  return {
    ...filters,
    path: null,
    pattern: null,
    tagKeys: null,
    tags: [],
    sessionTexts: filters.sessionTexts.filter(
      ({ column }) => column !== 'entryPath' && column !== 'exitPath',
    ),
  };
}

function parseEvents(
  parameters: QueryParameters,
  problems: Map<string, string>,
): EventFilter | null {
  const names = parseFilterValues(parameters.get('event'));
  const keys = parseFilterValues(parameters.get('event_meta_key'));
  const values = parseProperties(parameters, 'meta_', problems);
  if (names === null && keys === null && values.length === 0) return null;
  return { names, keys, values };
}

function parseProperties(
  parameters: QueryParameters,
  prefix: string,
  problems: Map<string, string>,
): readonly PropertyFilter[] {
  const pairs: PropertyFilter[] = [];
  for (const name of parameters.names()) {
    if (!name.startsWith(prefix)) continue;
    const values = parseFilterValues(parameters.get(name));
    if (values === null) continue;
    const key = name.slice(prefix.length);
    if (key === '') problems.set(name, `must name a key, like ${prefix}color`);
    else pairs.push({ key, values });
  }
  return pairs;
}

/** F-30: any value but desktop and mobile means unknown; only `!` is an operator. */
function parsePlatforms(values: readonly string[]): readonly number[] | null {
  const any: number[] = [];
  const none: number[] = [];
  for (const value of values) {
    const text = value.startsWith('!') ? value.slice(1) : value;
    if (text === '') continue;
    (value.startsWith('!') ? none : any).push(platformOf(text));
  }
  if (any.length + none.length === 0) return null;
  return Object.values(Platform).map((platform) =>
    (any.length === 0 || any.includes(platform)) && !none.includes(platform) ? 1 : 0,
  );
}

function platformOf(text: string): number {
  if (text === 'desktop') return Platform.Desktop;
  if (text === 'mobile') return Platform.Mobile;
  return Platform.Unknown;
}

/** F-31: both or none; ids are decimal. */
function parseSessionIds(
  parameters: QueryParameters,
  problems: Map<string, string>,
): SessionIds | null {
  const visitorTexts = parameters.get('visitor_id').filter((value) => value !== '');
  const sessionTexts = parameters.get('session_id').filter((value) => value !== '');
  if (visitorTexts.length === 0 || sessionTexts.length === 0) return null;
  const visitors = visitorTexts.map((text) => parseUnsigned(text, UNSIGNED_64_MAX));
  const sessions = sessionTexts.map((text) => parseUnsigned(text, UNSIGNED_32_MAX));
  if (visitors.includes(null)) {
    problems.set('visitor_id', 'must be a decimal number as statistics show it');
  }
  if (sessions.includes(null)) {
    problems.set('session_id', 'must be a decimal number as statistics show it');
  }
  return {
    visitors: visitors
      .filter((id) => id !== null)
      .map((id) => ({ low: Number(id & UNSIGNED_32_MAX), high: Number(id >> 32n) })),
    sessions: sessions.filter((id) => id !== null).map(Number),
  };
}

/** Whether a text is the id of a visitor as statistics show it. */
export function isVisitorId(text: string): boolean {
  return parseUnsigned(text, UNSIGNED_64_MAX) !== null;
}

function parseUnsigned(text: string, max: bigint): bigint | null {
  if (!DIGITS.test(text)) return null;
  const value = BigInt(text);
  return value <= max ? value : null;
}
