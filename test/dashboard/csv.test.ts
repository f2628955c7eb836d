// Goal: a file of rows is CSV, and no spreadsheet runs what visitors sent (D-12).
// Method: cells that begin with what spreadsheets run, also behind what they skip.
import { expect, test } from 'vitest';
import { csvText } from '../../src/dashboard/app/site/panels/csv-text.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  [' =1', "' =1"],
  ['\u200b=1', "'\u200b=1"],
  ['＝1', "'＝1"],
  ['\t=1', '"\'\t=1"'],
  ['\r\n=1', '"\'\r\n=1"'],
  ['a=1', 'a=1'],
  ['/a-b', '/a-b'],
  ['a "b", c', '"a ""b"", c"'],
  ['a;b', '"a;b"'],
  ['מחיר', 'מחיר'],
])('%j is written as %j (D-12)', (value, cell) => {
  expect(csvText([['name'], [value]])).toBe(`name\r\n${cell}\r\n`);
});

test('numbers are numbers, also below 0 (D-12)', () => {
  expect(csvText([['a', -1, 0.5]])).toBe('a,-1,0.5\r\n');
});
