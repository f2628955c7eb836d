// Goal: every worked example of the semantics is shown over HTTP, by its id.
// Method: the ids of the page, against the examples that the end-to-end test runs and the titles of
// those it writes out itself.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  WORKED_EXAMPLES,
  WORKED_EXAMPLES_OF_CITIES,
  WORKED_EXAMPLES_OF_COUNTRIES,
} from '../support/worked-examples/all.ts';

const page = readFileSync('src/docs/semantics-examples.md', 'utf8');
const ON_THE_PAGE = [...page.matchAll(/\*\*(W-\d+) /g)].map((found) => String(found[1]));

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
  expect(ON_THE_PAGE.length).toBeGreaterThan(30);
  expect(ON_THE_PAGE.filter((id) => !shown.has(id))).toEqual([]);
});

test('no example is shown that the semantics do not have', () => {
  // Some are named by the rule they show, as the page has none of goals and funnels.
  const examples = [...shown].filter((id) => id.startsWith('W-'));
  expect(examples.filter((id) => !ON_THE_PAGE.includes(id))).toEqual([]);
});

test('the end-to-end tests run all lists of examples', () => {
  expect(endToEnd).toMatch(/test\.each\(\[.*\.\.\.WORKED_EXAMPLES[,\]]/);
  expect(endToEnd).toMatch(/test\.each\(\[.*\.\.\.WORKED_EXAMPLES_OF_CITIES[,\]]/);
  expect(endToEnd).toContain('test.each(WORKED_EXAMPLES_OF_COUNTRIES)(');
});
