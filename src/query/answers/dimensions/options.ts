/**
 * The values that filters can be set to: distinct texts of the range, whatever else is filtered
 * (S-95 to S-97).
 *
 * In pre-aggregates a value is there when a group of it is; kinds that no family is grouped by are
 * looked for in the rows, once per day that does not change. Texts are only looked at once per domain,
 * to search and to sort them.
 */

import { compareCodePoints } from '../../../base/code-points.ts';
import type { SumDimension } from '../../../model/imported-sum.ts';
import { OPTION_COUNT_MAX } from '../../../model/limits.ts';
import type { DictionaryKind } from '../../../model/text-kinds.ts';
import { KIND } from '../../../segment/memory/dictionary.ts';
import { FAMILY, findSessionFamily } from '../../../segment/rollup/families.ts';
import { markValues } from '../../count/option-values.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { importedRows } from '../../imported/imported-sums.ts';
import { presentIn } from '../../list/listing.ts';
import { pageOf } from '../../list/ranking.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { keepsOneOf, plainTextOf } from '../../question/filter-values.ts';
import { type QueryFilters, wholeOf } from '../../question/filters.ts';
import type { StatisticsQuery } from '../../question/request.ts';
import { OPTIONS as OPTION_KINDS, plain, type Unit } from '../../question/statistics.ts';
import { breakdownOf, sessionBreakdown } from '../../rollup/breakdowns.ts';
import { familiesOf, pagesOf, readFamily } from '../../rollup/group-ids.ts';
import type { Breakdown } from '../../rollup/partials.ts';
import { openTextSpace, spaceIds } from '../../text/text-space.ts';

/** One for each kind of text that a filter can be set to. */
export const OPTIONS: readonly AnsweredStatistic[] = OPTION_KINDS.map(([name, dimension]) => ({
  ...plain(`options/${name}`),
  unit: unitOf(dimension),
  dimension,
  searched: ['value'],
  byRows: (context) => answerByRows(context, dimension),
  // Unfiltered there is no tag whose values could be listed (S-66).
  byRollups: dimension === 'tagValue' ? null : (context) => answerByRollups(context, dimension),
  ...(dimension === 'tagValue' ? { needs: asksForTag } : {}),
}));

function asksForTag({ tagKeys }: QueryFilters): boolean {
  return plainTextOf(tagKeys) !== '';
}

/** What has the texts: an event, a page view with its tags, or a session. */
function unitOf(dimension: DictionaryKind): Unit {
  if (dimension === 'eventName' || dimension === 'metaValue') return 'events';
  const isOfViews = dimension === 'path' || dimension === 'tagKey' || dimension === 'tagValue';
  return isOfViews ? 'views' : 'sessions';
}

/** S-95: at most 200 distinct values, ascending. */
function answerByRows(context: QueryContext, dimension: DictionaryKind): string[] {
  const { query } = context;
  const kind = KIND[dimension];
  const space = openTextSpace(query.domainId);
  const tally = tallyOver(context, ['options'], 0, (segment, into) => {
    const local = new Uint8Array(segment.dictionary.texts(kind).length);
    markValues(context, dimension, { segment, marks: local });
    const map = spaceIds(space, segment, kind);
    into.reserve(space.texts(kind).length);
    for (let id = 0; id < local.length; id++) if (local[id] === 1) into.rows[map[id]!] = 1;
  });
  const present = presentIn(tally.rows, tally.rows.length);
  const imported = importedTexts(context, dimension);
  return optionsAmong(query, { present, texts: space.texts(kind), imported });
}

/** What sums are counted by that can be filtered by. */
const IMPORTED: Partial<Record<DictionaryKind, SumDimension>> = {
  path: 'page',
  language: 'language',
  country: 'country',
  region: 'region',
  city: 'city',
  referrerName: 'referrer',
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
};

/** What imports have of a kind of texts in the range, whatever is filtered (S-98). */
function importedTexts(context: QueryContext, kind: DictionaryKind): readonly string[] {
  const dimension = IMPORTED[kind];
  if (dimension === undefined) return [];
  const rows = importedRows(context, dimension, wholeOf(context.query));
  return rows.filter(({ visitors, views }) => visitors > 0 || views > 0).map(({ value }) => value);
}

/** Where values come from: numbers of distinct texts, and texts of imports. */
interface FoundTexts {
  readonly present: ArrayLike<number>;
  readonly texts: readonly string[];
  readonly imported: readonly string[];
}

/** The first texts that are searched for, ascending. */
function optionsAmong(query: StatisticsQuery, { present, texts, imported }: FoundTexts): string[] {
  if (imported.length > 0) return mixedOptions(query, { present, texts, imported });
  const found: number[] = [];
  for (let index = 0; index < present.length; index++) {
    const id = present[index] as number;
    if (id !== 0 && isSearched(query, texts[id] as string)) found.push(id);
  }
  const compare = (left: number, right: number): number =>
    compareCodePoints(texts[left] as string, texts[right] as string);
  const page = { offset: 0, limit: OPTION_COUNT_MAX };
  return pageOf(Uint32Array.from(found), compare, page).map((id) => texts[id] as string);
}

/** The same of texts that come from both sides. */
function mixedOptions(query: StatisticsQuery, { present, texts, imported }: FoundTexts): string[] {
  const found = new Set(imported);
  for (let index = 0; index < present.length; index++) found.add(texts[present[index]!] as string);
  // S-95: an unknown value is none.
  found.delete('');
  const searched = [...found].filter((text) => isSearched(query, text));
  return searched.sort(compareCodePoints).slice(0, OPTION_COUNT_MAX);
}

function isSearched({ search }: StatisticsQuery, text: string): boolean {
  return search === null || keepsOneOf(search, [text]);
}

function answerByRollups(context: QueryContext, dimension: DictionaryKind): string[] {
  const { groups, ids } = breakdownOf(context, breakdownFor(context, dimension));
  const imported = importedTexts(context, dimension);
  const texts = ids.space.texts(KIND[dimension]);
  return optionsAmong(context.query, { present: groups, texts, imported });
}

function breakdownFor(context: QueryContext, dimension: DictionaryKind): Breakdown {
  if (findSessionFamily([dimension]) !== undefined) return sessionBreakdown([dimension]);
  if (dimension === 'path') return PATH_OPTIONS;
  const code = CODES[dimension];
  return code === undefined ? textOptions(context, dimension) : familyOptions(dimension, code);
}

/** Families whose first key is a kind of text that no family of its own is kept by. */
const CODES: Readonly<Partial<Record<DictionaryKind, number>>> = {
  referrerName: FAMILY.referrerName,
  tagKey: FAMILY.tagKey,
  eventName: FAMILY.eventName,
  region: findSessionFamily(['region', 'country'])?.code ?? -1,
  city: findSessionFamily(['city', 'region', 'country'])?.code ?? -1,
};

/** Paths of page views: entries and exits of events are no values. */
const PATH_OPTIONS: Breakdown = {
  id: 'options path',
  counts: [],
  joins: [],
  isSummed: true,
  read: (ids, segment, span) => {
    const { pages } = pagesOf(segment, span, false);
    const paths = spaceIds(ids.space, segment, KIND.path);
    const { path, views } = pages.columns;
    const numbers = new Uint32Array(pages.rowCount);
    let count = 0;
    for (let row = 0; row < numbers.length; row++) {
      if (views[row]! > 0) numbers[count++] = paths[path[row]!]!;
    }
    return { groups: numbers.slice(0, count), counts: [] };
  },
};

/** First keys of a family. */
function familyOptions(dimension: DictionaryKind, code: number): Breakdown {
  return {
    id: `options ${dimension}`,
    counts: [],
    joins: [],
    isSummed: true,
    read: (ids, segment, span) => {
      const source = familiesOf(segment, span, code);
      const texts = spaceIds(ids.space, segment, KIND[dimension]);
      const { first } = source.rollups.columns;
      const found = readFamily(source, code, (row) => texts[first[row]!]!, []);
      return { groups: Uint32Array.from(new Set(found.groups)), counts: [] };
    },
  };
}

/** Whatever texts of a kind the rows have. */
function textOptions(context: QueryContext, dimension: DictionaryKind): Breakdown {
  return {
    id: `options ${dimension}`,
    counts: [],
    joins: [],
    isSummed: false,
    read: (ids, segment) => {
      const texts = spaceIds(ids.space, segment, KIND[dimension]);
      const count = segment.dictionary.texts(KIND[dimension]).length;
      const marks = new Uint8Array(count);
      markValues(context, dimension, { segment, marks });
      const numbers: number[] = [];
      for (let id = 1; id < count; id++) if (marks[id] === 1) numbers.push(texts[id]!);
      return { groups: Uint32Array.from(numbers), counts: [] };
    },
  };
}
