// Goal: every worked example of semantics section 6 is shown over HTTP, by its id.
// Method: the list of the document's ids, against the examples that the end-to-end test runs and the
// titles of those it writes out itself. An example that is added to the document is added here.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  WORKED_EXAMPLES,
  WORKED_EXAMPLES_OF_CITIES,
  WORKED_EXAMPLES_OF_COUNTRIES,
} from '../support/worked-examples/all.ts';

/** In the order of the document. */
const IN_THE_DOCUMENT = [
  ...[1, 2, 3, 5, 8, 9, 10, 11, 12, 14, 16, 17, 49, 50], // 6.1 sessions
  ...[18, 19, 21, 22, 25, 48], // 6.2 totals, series, filters
  ...[27, 29], // 6.3 pages
  ...[31, 32, 44, 46], // 6.4 events, tags, sessions, options
  ...[34, 36, 37], // 6.5 growth
  ...[39, 40, 41, 42], // 6.6 dimensions
  ...[51, 52], // 6.7 collection
].map((number) => `W-${number}`);

const endToEnd = ['site/worked-examples', 'service/countries']
  .map((name) => readFileSync(`test/end-to-end/${name}.test.ts`, 'utf8'))
  .join('');
const titles = [...endToEnd.matchAll(/(?:test|describe)\(\s*['"`](W-\d+): /g)].map(
  (found) => found[1],
);
const shown = new Set([
  ...[...WORKED_EXAMPLES, ...WORKED_EXAMPLES_OF_CITIES, ...WORKED_EXAMPLES_OF_COUNTRIES].map(
    ({ id }) => id,
  ),
  ...titles.map(String),
]);

test('every worked example of the semantics is shown over HTTP', () => {
  expect(IN_THE_DOCUMENT.filter((id) => !shown.has(id))).toEqual([]);
});

test('no example is shown that the semantics do not have', () => {
  // Some are named by the rule they show, as the document has none of goals and funnels.
  const examples = [...shown].filter((id) => id.startsWith('W-'));
  expect(examples.filter((id) => !IN_THE_DOCUMENT.includes(id))).toEqual([]);
});

test('the end-to-end tests run all lists of examples', () => {
  expect(endToEnd).toMatch(/test\.each\(\[.*\.\.\.WORKED_EXAMPLES[,\]]/);
  expect(endToEnd).toMatch(/test\.each\(\[.*\.\.\.WORKED_EXAMPLES_OF_CITIES[,\]]/);
  expect(endToEnd).toContain('test.each(WORKED_EXAMPLES_OF_COUNTRIES)(');
});
