/**
 * Fathom: the tables of its data export, one a dimension, by day or by hour.
 *
 * A table is known by its columns, not by its name: the export of a whole site writes `Timestamp`,
 * `Pageviews`, `Visits`, the export that one puts together `datetime`, `pageviews`, `uniques`.
 * Hours are added up; Fathom's visitors belong to a day, and each is counted in the hour in which
 * it came.
 */

import type { SumDimension } from '../../model/imported-sum.ts';
import type { Adapter, ImportedSum, SourceFile } from '../adapter.ts';
import { headerOf, type Row, readTable } from '../source/table.ts';
import { headOf } from '../source/text.ts';
import { count, day, decimal, share } from '../source/values.ts';
import { dimensionValue } from './dimension-values.ts';

const HEAD_LENGTH = 4_096;
const TIMES = ['timestamp', 'datetime'];
const VISITORS = ['visits', 'visitors', 'uniques'];
const VIEWS = ['pageviews', 'views'];
/** What a table may be by, and the dimension that it gives; one with several gives each of them. */
const DIMENSIONS: readonly (readonly [column: string, dimension: SumDimension])[] = [
  ['pathname', 'page'],
  ['referrerhostname', 'referrer'],
  ['browser', 'browser'],
  ['operatingsystem', 'os'],
  ['devicetype', 'device'],
  ['country', 'country'],
  ['countrycode', 'country'],
  ['state', 'region'],
  ['region', 'region'],
  ['city', 'city'],
  ['utmsource', 'utm_source'],
  ['utmmedium', 'utm_medium'],
  ['utmcampaign', 'utm_campaign'],
];
/** Tables of something that is not imported. */
const OTHERS = ['completions', 'eventname', 'eventid', 'currency'];

export const FATHOM: Adapter = {
  name: 'fathom',
  title: 'Fathom',
  gives: 'sums',
  isPersonal: false,
  recognises: (files) => files.some(({ name, head }) => isTable(name, head)),
  async *read(files) {
    const tables: Table[] = [];
    for (const file of files) {
      const head = await headOf(file, HEAD_LENGTH);
      if (isTable(file.name, head)) tables.push({ file, given: givenIn(head) });
    }
    for (const { file, given } of tables) {
      const own = given.filter((one) => given.length === fewest(tables, one));
      const isTotal = given.length === 0;
      for await (const rows of readTable(file, { required: [], nameOf: key })) {
        yield rows.flatMap((row) => (isTotal ? [totalOf(row)] : sumsOf(row, own)));
      }
    }
  },
};

/** A table, and the dimensions that it has columns of. */
interface Table {
  readonly file: SourceFile;
  readonly given: readonly Given[];
}

type Given = (typeof DIMENSIONS)[number];

/** The columns of dimensions in the first line; of a country and its code the first. */
function givenIn(head: string): Given[] {
  const names = headerOf(head).map(key);
  const there = DIMENSIONS.filter(([column]) => names.includes(column));
  return there.filter(([, of], at) => there.findIndex(([, other]) => other === of) === at);
}

/**
 * How many dimensions the plainest table has that is by this one: countries stand beside cities, too,
 * and would be counted once for each table that has them.
 */
function fewest(tables: readonly Table[], [, of]: Given): number {
  const those = tables.filter(({ given }) => given.some(([, dimension]) => dimension === of));
  return Math.min(...those.map(({ given }) => given.length));
}

function isTable(name: string, head: string): boolean {
  if (!/\.csv$/i.test(name)) return false;
  const names = headerOf(head).map(key);
  const has = (some: readonly string[]) => names.some((one) => some.includes(one));
  return TIMES.includes(names[0] ?? '') && has(VISITORS) && has(VIEWS) && !has(OTHERS);
}

function totalOf(row: Row): ImportedSum {
  const counts = countsOf(row);
  const rest = {
    bounces: bouncesOf(row, counts.visitors),
    seconds: secondsOf(row, counts.visitors),
  };
  return { dimension: 'total', value: '', ...counts, ...rest };
}

function sumsOf(row: Row, given: readonly Given[]): ImportedSum[] {
  const { place, ...counts } = countsOf(row);
  return given.map(([column, dimension]) => ({
    ...counts,
    ...{ dimension, value: dimensionValue(dimension, row.text(column)) },
    country: dimension === 'region' || dimension === 'city' ? countryOf(row) : undefined,
    place,
  }));
}

function countsOf(row: Row) {
  const { place } = row;
  const number = (names: readonly string[]) => {
    const name = names.find((one) => row.has(one));
    return name === undefined || row.text(name) === '' ? 0 : count(place, row.text(name));
  };
  const visitors = number(VISITORS);
  const date = day(place, row.text(TIMES.find((name) => row.has(name)) ?? ''));
  return { date, visitors, views: number(VIEWS), sessions: visitors, bounces: 0, place };
}

function countryOf(row: Row): string {
  return dimensionValue('country', row.text('countrycode') || row.text('country'));
}

function bouncesOf(row: Row, visits: number): number {
  const text = row.text('bouncerate');
  if (text === '') return 0;
  // A whole number above 1 is percent, as the dashboard shows it.
  const isPercent = /^\d+(\.\d+)?$/.test(text) && Number(text) > 1;
  return Math.round(visits * share(row.place, isPercent ? `${text}%` : text));
}

function secondsOf(row: Row, visits: number): number {
  const text = row.text('avgduration') || row.text('avgtimeonsite');
  return text === '' ? 0 : Math.round(visits * decimal(row.place, text));
}

function key(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
