/**
 * The values that filters can be set to, from pre-aggregates (S-95 to S-97).
 *
 * A value is there when a group of it is. Kinds that no family is grouped by are looked for in the rows,
 * once per day that does not move.
 */

import type { DictionaryKind } from '../../model/dimensions.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { FAMILY, findSessionFamily } from '../../segment/rollup/families.ts';
import type { Scan } from '../plan/query-context.ts';
import { partOf, sessionsKind } from '../rollup/breakdowns.ts';
import type { Part } from '../rollup/group-ids.ts';
import { familiesOf, pagesOf, readFamily } from '../rollup/group-ids.ts';
import type { PartKind } from '../rollup/partials.ts';
import { spaceIds } from '../text/text-space.ts';
import { answerOptions, markValues, optionsAmong } from './options.ts';

/** S-95: at most 200 distinct values, ascending. */
export function answerRolledOptions(scan: Scan): string[] {
  const dimension = scan.statistic.dimension as DictionaryKind;
  // Without a tag there is nothing to list (S-66).
  if (dimension === 'tagValue') return answerOptions(scan);
  const { part, groups } = partOf(scan, kindOf(scan, dimension));
  return optionsAmong(part.groups, groups.space.texts(KIND[dimension]), scan.query);
}

function kindOf(scan: Scan, dimension: DictionaryKind): PartKind {
  const family = findSessionFamily([dimension]);
  if (family !== undefined) return sessionsKind(family);
  if (dimension === 'path') return PATHS;
  const code = CODES[dimension];
  return code === undefined ? textsKind(scan, dimension) : groupsKind(dimension, code);
}

const CODES: Readonly<Partial<Record<DictionaryKind, number>>> = {
  referrerName: FAMILY.referrerName,
  tagKey: FAMILY.tagKey,
  eventName: FAMILY.eventName,
  region: findSessionFamily(['region', 'country'])?.code ?? -1,
  city: findSessionFamily(['city', 'region', 'country'])?.code ?? -1,
};

/** Paths of page views: entries and exits of events are no values. */
const PATHS: PartKind = {
  id: 'options path',
  joins: [],
  read: (groups, segment, span) => {
    const { pages } = pagesOf(segment, span, false);
    const paths = spaceIds(groups.space, segment, KIND.path);
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
function groupsKind(dimension: DictionaryKind, code: number): PartKind {
  return {
    id: `options ${dimension}`,
    joins: [],
    read: (groups, segment, span) => {
      const source = familiesOf(segment, span, code);
      const texts = spaceIds(groups.space, segment, KIND[dimension]);
      const { first } = source.rollups.columns;
      const part = readFamily(source, code, (row) => texts[first[row]!]!, []);
      return { groups: Uint32Array.from(new Set(part.groups)), counts: [] };
    },
  };
}

/** Whatever texts of a kind the rows have. */
function textsKind(scan: Scan, dimension: DictionaryKind): PartKind {
  return {
    id: `options ${dimension}`,
    joins: [],
    read: (groups, segment): Part => {
      const texts = spaceIds(groups.space, segment, KIND[dimension]);
      const count = segment.dictionary.texts(KIND[dimension]).length;
      const marks = new Uint8Array(count);
      markValues(scan, segment, marks);
      const numbers: number[] = [];
      for (let id = 1; id < count; id++) if (marks[id] === 1) numbers.push(texts[id]!);
      return { groups: Uint32Array.from(numbers), counts: [] };
    },
  };
}
