/**
 * Fathom: the tables of its data export, one a dimension, by day or by hour.
 *
 * A table is known by its columns, not by its name: the export of a whole site writes `Timestamp`,
 * `Pageviews`, `Visits`, the export that one puts together `datetime`, `pageviews`, `uniques`.
 * Hours are added up; Fathom's visitors belong to a day, and each is counted in the hour in which
 * it came.
 */

import type { SumDimension } from '../../model/imported-sum.ts';
import type { Adapter, ImportedSum } from '../adapter.ts';
import { headerOf, type Row, readTable } from '../source/table.ts';
import { headOf } from '../source/text.ts';
import { count, day, decimal, share } from '../source/values.ts';
import { dimensionValue } from './dimension-values.ts';

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
    for (const file of files) {
      if (!isTable(file.name, await headOf(file, 4_096))) continue;
      for await (const rows of readTable(file, { required: [], nameOf: key })) {
        yield rows.flatMap(sumsOf);
      }
    }
  },
};

function isTable(name: string, head: string): boolean {
  if (!/\.csv$/i.test(name)) return false;
  const names = headerOf(head).map(key);
  const has = (some: readonly string[]) => names.some((one) => some.includes(one));
  return TIMES.includes(names[0] ?? '') && has(VISITORS) && has(VIEWS) && !has(OTHERS);
}

function sumsOf(row: Row): ImportedSum[] {
  const { place } = row;
  const number = (names: readonly string[]) => {
    const name = names.find((one) => row.has(one));
    return name === undefined || row.text(name) === '' ? 0 : count(place, row.text(name));
  };
  const visitors = number(VISITORS);
  const sums = { visitors, views: number(VIEWS), sessions: visitors, bounces: 0 };
  const date = day(place, row.text(TIMES.find((name) => row.has(name)) ?? ''));
  const given = DIMENSIONS.filter(([column]) => row.has(column));
  if (given.length === 0) {
    const rest = { bounces: bouncesOf(row, visitors), seconds: secondsOf(row, visitors) };
    return [{ date, dimension: 'total', value: '', ...sums, ...rest, place }];
  }
  return given.map(([column, dimension]) => ({
    ...{ date, dimension, value: dimensionValue(dimension, row.text(column)) },
    ...sums,
    country: dimension === 'region' || dimension === 'city' ? countryOf(row) : undefined,
    place,
  }));
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
