// Goal: filters survive the way from a row to a chip, an address and the interface (D-13).
// Method: pure functions of the page, with values that look like something else.
import { describe, expect, test } from 'vitest';
import {
  exactFilter,
  filterOf,
  isFilter,
  isNegative,
  operatorsOf,
  parametersOf,
  runsOf,
  textOf,
  withFilters,
} from '../../src/dashboard/app/view/filters.ts';

describe('a filter and its text (D-13, F-20)', () => {
  test.each([
    ['path', '/a', '', '/a'],
    ['path', '!/a', '!', '/a'],
    ['path', '~a', '~', 'a'],
    ['path', '^a', '^', 'a'],
    ['path', '!~a', '!', '~a'],
    // These know `!` alone.
    ['platform', '~mobile', '', '~mobile'],
    ['platform', '!mobile', '!', 'mobile'],
    ['pattern', '^/blog', '', '^/blog'],
    // And these nothing (F-31).
    ['visitor_id', '!1', '', '!1'],
  ])('%s=%s is read, and written as it was', (name, text, operator, value) => {
    const filter = filterOf(name, text);
    expect(filter).toEqual({ name, operator, value });
    expect(textOf(filter)).toBe(text);
    expect(operatorsOf(name)).toContain(operator);
  });

  test.each([
    ['/a', '', '/a'],
    ['/a', '!', '!/a'],
    ['', '', 'null'],
    ['', '!', '!null'],
    // What could be taken for an operator, or for the empty value, is asked for by what it contains.
    ['!sale', '', '~!sale'],
    ['~home', '!', '^~home'],
    ['Null', '', '~Null'],
  ] as const)('the row %j, chosen with %j, is asked for as %s', (value, operator, text) => {
    expect(textOf(exactFilter('path', value, operator))).toBe(text);
  });
});

test('several values of one kind stand side by side, in runs of one sense (D-13, F-21)', () => {
  const filters = [
    filterOf('country', 'de'),
    filterOf('path', '/a'),
    filterOf('country', 'fr'),
    filterOf('country', '!at'),
  ];
  expect(parametersOf(filters)).toEqual({ country: ['de', 'fr', '!at'], path: ['/a'] });
  expect(runsOf(filters).map((run) => run.map(textOf))).toEqual([['de', 'fr'], ['/a'], ['!at']]);
});

test('the same value under another operator is replaced, another value is added (D-13)', () => {
  const before = [filterOf('path', '/a'), filterOf('path', '/b')];
  const after = withFilters(before, [filterOf('path', '!/a'), filterOf('path', '/c')]);
  expect(after.map(textOf)).toEqual(['/b', '!/a', '/c']);
});

test('names of objects are no filters', () => {
  expect(['path', 'tag_a', 'meta_b', 'session_id'].every(isFilter)).toBe(true);
  expect(['constructor', '__proto__', 'range', 'tab.pages'].some(isFilter)).toBe(false);
});

test.each([
  ['', false],
  ['!', true],
  ['~', false],
  ['^', true],
] as const)('%s before values that hold together or one by one (F-21)', (operator, isOther) => {
  const filters = ['a', 'b'].map((value) => ({ name: 'path', operator, value }));
  expect(filters.map(isNegative)).toEqual([isOther, isOther]);
  const [first] = filters;
  const plain = { name: 'path', operator: '', value: 'c' } as const;
  const runCount = runsOf([...(first === undefined ? [] : [first]), plain]).length;
  expect(runCount).toBe(isOther ? 2 : 1);
});
