/**
 * Random sums of other products (S-98), around the days on which a scenario's own hits begin, and
 * questions that reach back to them.
 */
import fc from 'fast-check';
import type { ImportAction } from '../oracle/collect/imports.ts';
import { type ModelSum, SUM_DIMENSIONS } from '../oracle/world.ts';
import { addDays } from '../oracle/zone.ts';
import { type Ask, asks } from './questions.ts';
import { PATHS } from './scenario.ts';

const LONG_DAYS = 300;
const PLACES = ['', 'Berlin', 'Paris', 'München'];
const CAMPAIGNS = ['', 'x', 'spring', 'News'];

/** Values that own hits have, too, and others. */
const VALUES: Readonly<Record<ModelSum['dimension'], readonly string[]>> = {
  total: [''],
  ...{ page: PATHS, entry: PATHS, exit: PATHS },
  referrer: ['', 'Google', 'Bing', 'example.net'],
  language: ['', 'de', 'fr', 'xx'],
  country: ['', 'de', 'gb', 'us'],
  ...{ region: PLACES, city: PLACES },
  browser: ['', 'Chrome', 'Firefox', 'Lynx'],
  os: ['', 'Windows', 'Linux', 'Plan 9'],
  device: ['', 'desktop', 'mobile', 'tablet', 'tv'],
  ...{ utm_source: CAMPAIGNS, utm_medium: CAMPAIGNS, utm_campaign: CAMPAIGNS },
};

/** What is told of one import somewhere between the requests. */
export interface RandomImport {
  /** After that share of the requests. */
  share: number;
  id: string;
  /** Days after the scene's date. */
  fromDay: number;
  dayCount: number;
  sums: readonly RandomSum[];
  kind: 'all' | 'all' | 'add' | 'take-back';
}

interface RandomSum {
  /** Days after the import's first; one may lie outside of what is shown. */
  day: number;
  dimension: ModelSum['dimension'];
  value: number;
  hasCountry: boolean;
  counts: readonly [visitors: number, more: number, views: number, bounces: number];
  seconds: number;
}

const few = fc.nat({ max: 4 });
const SUM: fc.Arbitrary<RandomSum> = fc.record({
  day: fc.integer({ min: -1, max: 4 }),
  dimension: fc.oneof(
    fc.constantFrom<ModelSum['dimension']>('total', 'page', 'entry'),
    fc.constantFrom(...SUM_DIMENSIONS),
  ),
  value: few,
  hasCountry: fc.boolean(),
  counts: fc.tuple(few, few, few, few),
  seconds: fc.constantFrom(0, 0, 60, 601),
});

export const IMPORT: fc.Arbitrary<RandomImport> = fc.record({
  share: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  id: fc.constantFrom('a', 'b', 'c'),
  fromDay: fc.integer({ min: -4, max: 1 }),
  dayCount: fc.constantFrom(1, 3, 5),
  sums: fc.array(SUM, { maxLength: 40, size: 'max' }),
  kind: fc.constantFrom<RandomImport['kind']>('all', 'all', 'all', 'add', 'take-back'),
});

/** What both sides are told, in order. @param date the scene's. */
export function actionsOf(told: RandomImport, date: string): ImportAction[] {
  const { id, kind } = told;
  if (kind === 'take-back') return [{ id, kind }];
  const from = addDays(date, told.fromDay);
  const to = addDays(from, told.dayCount - 1);
  const sums = told.sums.map((sum) => sumOf(sum, from));
  const half = sums.length >> 1;
  const added: ImportAction[] = [sums.slice(0, half), sums.slice(half)]
    .filter(({ length }) => length > 0)
    .map((some) => ({ id, kind: 'add', sums: some }));
  return kind === 'add' ? added : [...added, { id, kind: 'show', from, to }];
}

function sumOf({ day, dimension, value, hasCountry, counts, seconds }: RandomSum, from: string) {
  const values = VALUES[dimension];
  const text = values[value % values.length] as string;
  const isPlace = dimension === 'region' || dimension === 'city';
  const [visitors, more, views, bounces] = counts;
  const sessions = visitors === 0 ? 0 : visitors + more;
  return {
    ...{ date: addDays(from, day), dimension, value: text },
    country: isPlace && text !== '' && hasCountry ? 'de' : '',
    ...{ visitors, sessions, views: sessions === 0 ? 0 : sessions + views },
    ...{ bounces: Math.min(bounces, sessions), seconds: visitors === 0 ? 0 : seconds },
  };
}

/** Questions of which most reach back to the days before the scene's. */
export function asksBefore(): fc.Arbitrary<Ask> {
  return fc.tuple(asks(), fc.constantFrom(0, 3, 5), fc.boolean()).map(([ask, days, isPlain]) => {
    // F-3: what covers years covers them already.
    const isLong = ask.toDay - ask.fromDay > LONG_DAYS;
    const back = isLong ? ask : { ...ask, fromDay: ask.fromDay - days };
    // Under several filters there is nothing imported, and within a part of a day.
    const plain = { times: ['', ''] as const, window: null, filters: ask.filters.slice(0, 1) };
    return isPlain ? { ...back, ...plain } : back;
  });
}
