// Goal: every statistic of the service is compared with the oracle at random, sorted by every field.
// Method: the table of statistics against the lists that random questions are drawn from.
import { expect, test } from 'vitest';
import { STATISTICS } from '../../src/query/question/statistics.ts';
import { OPTION_KINDS, SORT_FIELDS } from '../support/questions.ts';

/** Compared elsewhere: of the last hour, with the list of sessions; keywords are always empty. */
const ELSEWHERE = ['active', 'overview', 'session/details', 'keywords'];
/** Its random questions have no order of their own: ties are told apart by ids. */
const UNSORTED = ['session/list', ...ELSEWHERE];

test('every statistic is asked at random', () => {
  const asked = [...Object.keys(SORT_FIELDS), ...OPTION_KINDS.map((kind) => `options/${kind}`)];
  const all = STATISTICS.map(({ name }) => name);
  expect([...asked, ...ELSEWHERE].toSorted()).toEqual(all.toSorted());
});

test('random questions sort by every number and text of a list (F-33)', () => {
  for (const { name, fields, nested = [] } of STATISTICS) {
    if (UNSORTED.includes(name)) continue;
    const sortable = [...fields, ...nested].filter(
      ({ type }) => type === 'number' || type === 'text',
    );
    const wanted = sortable.map((field) => field.name).toSorted();
    expect([name, [...(SORT_FIELDS[name] ?? [])].toSorted()]).toEqual([name, wanted]);
  }
});
