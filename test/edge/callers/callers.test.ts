// Goal: every endpoint answers every caller as M-1 to M-4 say, no more and no less.
// Method: a table of endpoints, written down from the rules, times the callers; every cell is asked over
// HTTP. What is refused has changed nothing; what is not seen is answered like what is not there.
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/api/endpoints.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { askRow } from './ask.ts';
import { CALLERS } from './callers.ts';
import type { Row } from './row.ts';
import { DOMAIN_ROWS } from './rows-domains.ts';
import { OPEN_ROWS } from './rows-open.ts';
import { ORGANIZATION_ROWS } from './rows-organizations.ts';
import { PEOPLE_ROWS } from './rows-people.ts';
import { RECORD_ROWS } from './rows-records.ts';
import { STATISTIC_ROWS } from './rows-statistics.ts';

const CELL_COUNT_MIN = 1_000;

const TABLE: readonly (readonly [subject: string, rows: readonly Row[]])[] = [
  ['statistics', STATISTIC_ROWS],
  ['domains', DOMAIN_ROWS],
  ['records of domains', RECORD_ROWS],
  ['people and clients', PEOPLE_ROWS],
  ['organizations and themes', ORGANIZATION_ROWS],
  ['what is open or has credentials of its own', OPEN_ROWS],
];
const rows = TABLE.flatMap(([, some]) => some);

/** Where a row asks, as an endpoint says it. */
const placeOf = ({ at }: Row): string => at.replace(/ (?!\/)/, ' /api/v1/');

const edge = useRegistryEdge();

describe.each(TABLE)('%s', (_, some) => {
  test.each(some.map((row) => [row.at, row.how ?? 'for all callers', row] as const))(
    '%s, %s (M-1, M-2, M-3, M-4)',
    async (_at, _how, row) => {
      const wrong = await askRow(edge, row);
      expect(wrong, wrong.join('\n')).toEqual([]);
    },
  );
});

test('every endpoint stands in the table', () => {
  const asked = new Set(rows.map(placeOf));
  const served = endpoints.map(({ method, path }) => `${method} ${path}`);
  const unasked = served.filter((place) => !asked.has(place));
  expect(unasked, unasked.join('\n')).toEqual([]);
});

test('every endpoint of the table is there', () => {
  const served = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  const missing = [...new Set(rows.map(placeOf))].filter((place) => !served.has(place));
  expect(missing, missing.join('\n')).toEqual([]);
});

test('no row stands twice', () => {
  const names = rows.map(({ at, how }) => `${at}, ${how}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the table has more than a thousand cells, and no row and no column is empty', () => {
  const cells = rows.map((row) => CALLERS.filter((caller) => caller.expected(row) !== null).length);
  const sum = cells.reduce((left, right) => left + right, 0);
  console.log(`${sum} cells of ${rows.length} rows and ${CALLERS.length} columns`);
  expect(sum).toBeGreaterThan(CELL_COUNT_MIN);
  expect(Math.min(...cells)).toBeGreaterThan(10);
  const asked = CALLERS.map((caller) => rows.filter((row) => caller.expected(row) !== null).length);
  expect(Math.min(...asked)).toBeGreaterThan(rows.length / 2);
});
