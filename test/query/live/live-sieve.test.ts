// Goal: no filter of a listener takes more of an edge than its share, and none of them ends it (O-50).
// Method: messages of made-up page views are sifted by expressions that are dear on purpose; a search
// runs long on texts of two letters only, since each of them may begin what is looked for.
import { expect, test } from 'vitest';
import { errors } from '../../../src/model/errors.ts';
import { asDomainId } from '../../../src/model/ids.ts';
import type { LiveRow } from '../../../src/model/live.ts';
import { TEXT_DIMENSIONS } from '../../../src/model/text-kinds.ts';
import { LiveRows } from '../../../src/query/live/live-filter.ts';
import { LiveSieve, sieveKey } from '../../../src/query/live/live-sieve.ts';
import { parseFilters, type QueryFilters } from '../../../src/query/question/filters.ts';
import { parseQueryString } from '../../../src/query/question/parameters.ts';
import { openTextSpace } from '../../../src/query/text/text-space.ts';

const DOMAIN = asDomainId('domain-of-sieve');
const DEAR = '([ab]*a[ab]{0,400}){1}[QZ]';

function row(path: string): LiveRow {
  return {
    ...{ timeMs: 1_795_400_000_000, path, title: '', eventName: '', pairs: [] },
    ...{
      dimensions: TEXT_DIMENSIONS.map(() => ''),
      platform: 1,
      entryPath: path,
      exitPath: path,
    },
    ...{ visitorLow: 1, visitorHigh: 1, sessionId: 1 },
  };
}

function message(paths: readonly string[]): LiveRows {
  return new LiveRows({ domainId: DOMAIN, rows: paths.map(row), moreCount: 0 });
}

function filtersOf(query: string): QueryFilters {
  return parseFilters(parseQueryString(query), new Map());
}

function sift(sieve: LiveSieve, rows: LiveRows, query: string): readonly string[] | null {
  const filters = filtersOf(query);
  return sieve.passing(rows, filters, sieveKey(filters))?.map(({ path }) => path) ?? null;
}

/** Of two letters, never the same. */
function tangled(length: number, seed: number): string {
  let state = seed + 1;
  const letters = Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return 'ab'[state & 1];
  });
  return `/${letters.join('')}`;
}

test('a path on which an expression would run too long does not pass, and costs nothing (O-50)', () => {
  const paths = ['/aQ', ...Array.from({ length: 900 }, (_, at) => `${tangled(1_900, at)}Q`)];
  // All of them would match: in some minutes.
  expect(sift(new LiveSieve(), message(paths), `pattern=${encodeURIComponent(DEAR)}`)).toEqual([
    '/aQ',
  ]);
});

test('a filter that takes more than a query may ends nothing: nobody knows what passes (O-50)', () => {
  const rows = message(['/price']);
  rows.passing = () => {
    throw errors.QUERY_BUDGET_EXCEEDED({ budget: 'all there is' });
  };
  expect(sift(new LiveSieve(), rows, 'path=/price')).toBe(null);
});

test('a filter has its share of a second, and all have theirs (O-50)', () => {
  let nowMs = 0;
  // Each look at the clock is 75 ms after the one before: a message takes as long.
  const sieve = new LiveSieve(() => (nowMs += 75));
  const asked = (path: string) => sift(sieve, message(['/price', '/']), `path=${path}`);
  const first = Array.from({ length: 5 }, () => asked('/price'));
  expect(first).toEqual([['/price'], ['/price'], ['/price'], ['/price'], null]);
  expect([asked('/'), asked('/'), asked('/')]).toEqual([['/'], ['/'], null]);
  nowMs += 1_000;
  expect(asked('/price')).toEqual(['/price']);
});

test('those that ask the same share one test, each message is tested anew (O-50)', () => {
  let nowMs = 0;
  const sieve = new LiveSieve(() => (nowMs += 30));
  const rows = message(['/price']);
  const passing = Array.from({ length: 50 }, () => sift(sieve, rows, 'path=/price'));
  expect(passing.every((paths) => paths?.length === 1)).toBe(true);
  expect(sift(sieve, message(['/']), 'path=/price')).toEqual([]);
});

test('what was learned of paths is forgotten every second (O-50)', () => {
  let nowMs = 0;
  const sieve = new LiveSieve(() => nowMs);
  expect(sift(sieve, message(['/a', '/b']), 'pattern=a')).toEqual(['/a']);
  const before = openTextSpace(DOMAIN);
  nowMs += 1_000;
  expect(sift(sieve, message(['/ca', '/c']), 'pattern=a')).toEqual(['/ca']);
  expect(openTextSpace(DOMAIN)).not.toBe(before);
  expect(openTextSpace(DOMAIN).size).toBe(2);
});
