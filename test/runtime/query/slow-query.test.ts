// Goal: a query that takes long leaves a line that says how it was answered, and nothing of its values.
// Method: the limit in threes; a question full of words that must not be in the line.
import { expect, test } from 'vitest';
import { QUERY_SLOW_MS } from '../../../src/model/limits.ts';
import { planFor } from '../../../src/query/answers/run.ts';
import { slowQuery } from '../../../src/runtime/query/slow-query.ts';
import { queryOf } from '../../query/ask.ts';

const QUESTION = 'from=2024-05-06&to=2024-05-08&path=/secret&tag_secret=secret&utm_term=secret';

function lineOf(parameters: string, ms: number) {
  const query = queryOf('page', parameters);
  return slowQuery(query, planFor(query), ms);
}

test.each([
  [QUERY_SLOW_MS - 1, false],
  [QUERY_SLOW_MS, false],
  [QUERY_SLOW_MS + 1, true],
])('a query of %i ms is slow: %s', (ms, isSlow) => {
  expect(lineOf(QUESTION, ms) !== null).toBe(isSlow);
});

test('the line has plan, filters by name, days and time', () => {
  expect(
    lineOf(`${QUESTION}&visitor_id=1&session_id=2&event=secret&search=secret`, 1_234.5),
  ).toEqual({
    domainId: 'd1',
    plan: 'page: rows of views, filtered, long queue',
    filters: ['utmTerm', 'sessionIds', 'path', 'tags', 'events'],
    days: 3,
    ms: 1_235,
  });
});

test('no value that was sent is in the line', () => {
  const line = JSON.stringify(
    lineOf(`${QUESTION}&event_meta_key=secret&meta_secret=secret`, 9_999),
  );
  expect(line).not.toContain('secret');
});
