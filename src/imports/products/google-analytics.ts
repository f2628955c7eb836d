/**
 * Google Analytics 4: tables with a day and at most one dimension, as its explorations and reports
 * are downloaded as CSV.
 *
 * A file begins with comments (`# …`) and may have several tables, each behind an empty line or
 * comments. The day is the dimension `Date`, or `Nth day` counted from the start date in the
 * comments. Sums of whole ranges have no day; they cannot be imported, and a sentence says so.
 */

import type { SumDimension } from '../../model/imported-sum.ts';
import {
  type Adapter,
  type ImportedSum,
  ImportFault,
  type Place,
  type SourceFile,
} from '../adapter.ts';
import { readLines } from '../source/table.ts';
import { count, day, decimal, share } from '../source/values.ts';
import { dimensionValue } from './dimension-values.ts';

/** Names of columns by their letters alone, in small. */
const DIMENSIONS: Readonly<Record<string, SumDimension>> = {
  pagepath: 'page',
  pagepathandscreenclass: 'page',
  pagepathscreenclass: 'page',
  pagepathquerystring: 'page',
  pagepathandquerystring: 'page',
  pagepathquerystringandscreenclass: 'page',
  pagelocation: 'page',
  landingpage: 'entry',
  landingpagequerystring: 'entry',
  pagereferrer: 'referrer',
  sessionsource: 'utm_source',
  source: 'utm_source',
  sessionmanualsource: 'utm_source',
  sessionmedium: 'utm_medium',
  medium: 'utm_medium',
  sessioncampaign: 'utm_campaign',
  campaign: 'utm_campaign',
  country: 'country',
  countryid: 'country',
  region: 'region',
  city: 'city',
  language: 'language',
  languagecode: 'language',
  browser: 'browser',
  operatingsystem: 'os',
  devicecategory: 'device',
  device: 'device',
};
const VISITORS = ['totalusers', 'activeusers', 'users'];
const VIEWS = ['views', 'pageviews', 'screenpageviews', 'pageandscreenviews'];
const SESSIONS = ['sessions'];
const ENGAGED = ['engagedsessions'];
const BOUNCE_RATE = ['bouncerate'];
const DURATION = ['averagesessionduration', 'avgsessionduration'];
const METRICS = [...VISITORS, ...VIEWS, ...SESSIONS, ...ENGAGED, ...BOUNCE_RATE, ...DURATION];
const DATE = 'date';
const NTH_DAY = 'nthday';
const START = /^#\s*start date:\s*(\d{8})/i;
const DAY_MS = 86_400_000;
/** A hundred years. */
const NTH_DAY_MAX = 36_525;

/** A table of a file: where its columns are. */
interface Table {
  readonly width: number;
  readonly day: number;
  readonly isNth: boolean;
  readonly dimension: SumDimension;
  readonly value: number;
  /** Beside a region or a city; -1 where it is not there. */
  readonly country: number;
  readonly find: (names: readonly string[]) => number;
}

export const GOOGLE_ANALYTICS: Adapter = {
  name: 'google-analytics',
  title: 'Google Analytics 4',
  gives: 'sums',
  isPersonal: false,
  recognises: (files) => files.some(({ name, head }) => /\.csv$/i.test(name) && isReport(head)),
  async *read(files) {
    for (const file of files) if (/\.csv$/i.test(file.name)) yield* sumsOf(file);
  },
};

/** Comments of its own, or a table with a day and one of its counts. */
function isReport(head: string): boolean {
  const lines = head.split(/\r?\n/);
  const names = lines.find((line) => line !== '' && !line.startsWith('#'))?.split(',') ?? [];
  const keys = names.map(key);
  // Other products count visitors and visits.
  if (keys.includes('visitors') || keys.includes('visits')) return false;
  const hasCounts = keys.some((name) => [...VISITORS, ...VIEWS, ...SESSIONS].includes(name));
  if (lines[0]?.startsWith('# --') === true) return hasCounts;
  return hasCounts && keys.some((name) => name === NTH_DAY || name === DATE);
}

async function* sumsOf(file: SourceFile): AsyncGenerator<ImportedSum[]> {
  let table: Table | null = null;
  let start: string | null = null;
  let lineBefore = 0;
  for await (const lines of readLines(file)) {
    const sums: ImportedSum[] = [];
    for (const { cells, line } of lines) {
      const place = { file: file.name, line };
      const isComment = cells[0]?.startsWith('#') === true;
      // An empty line ends a table.
      if (isComment || line > lineBefore + 1) table = null;
      lineBefore = line;
      if (isComment) start = START.exec(cells[0] ?? '')?.[1] ?? start;
      else if (table === null) table = tableOf(cells, place);
      else if (!isGrandTotal(cells, table)) sums.push(sumOf(cells, { place, table, start }));
    }
    yield sums;
  }
}

/** @throws ImportFault when the names are not those of a table that can be imported. */
function tableOf(names: readonly string[], place: Place): Table {
  const keys = names.map(key);
  const find = (of: readonly string[]) => keys.findIndex((name) => of.includes(name));
  const dayColumn = find([DATE, NTH_DAY]);
  if (dayColumn === -1) {
    const expected =
      "a column 'Date': without the dimension Date these are sums of the whole range";
    throw new ImportFault(place, expected, names.join(','));
  }
  const given = keys.flatMap((name, index) => {
    const dimension = DIMENSIONS[name];
    return dimension === undefined ? [] : [{ dimension, index }];
  });
  const isPlaced = given.some(({ dimension }) => dimension === 'region' || dimension === 'city');
  const beside = isPlaced ? given.find(({ dimension }) => dimension === 'country') : undefined;
  const own = given.filter((one) => one !== beside);
  const others = keys.filter(
    (name, index) =>
      index !== dayColumn &&
      DIMENSIONS[name] === undefined &&
      !METRICS.includes(name) &&
      !isCount(name),
  );
  if (own.length > 1 || others.length > 0) {
    const expected = 'the day and one dimension (a country beside a region or a city) and metrics';
    throw new ImportFault(place, expected, names.join(','));
  }
  if (find(VISITORS) === -1 && find(SESSIONS) === -1 && find(VIEWS) === -1) {
    throw new ImportFault(place, 'a column Total users, Sessions or Views', names.join(','));
  }
  return {
    ...{ width: names.length, day: dayColumn, isNth: keys[dayColumn] === NTH_DAY, find },
    ...{ dimension: own[0]?.dimension ?? 'total', value: own[0]?.index ?? -1 },
    country: beside?.index ?? -1,
  };
}

/** Metrics that are nothing here: events, revenue, rates and averages. */
function isCount(name: string): boolean {
  return /count|revenue|rate|per|conversions|keyevents|newusers|returningusers|duration|time/.test(
    name,
  );
}

/** Explorations have the sums of all rows in a row without a day. */
function isGrandTotal(cells: readonly string[], table: Table): boolean {
  return cells[table.day] === '' || cells.at(-1) === 'Grand total';
}

function sumOf(
  cells: readonly string[],
  { place, table, start }: { place: Place; table: Table; start: string | null },
): ImportedSum {
  if (cells.length !== table.width) {
    throw new ImportFault(place, `${table.width} cells`, `${cells.length}: ${cells.join(',')}`);
  }
  const text = (names: readonly string[]) => cells[table.find(names)];
  const number = (names: readonly string[]) => {
    const cell = text(names);
    return cell === undefined ? 0 : count(place, cell);
  };
  const sessions = number(SESSIONS);
  const bounceRate = text(BOUNCE_RATE);
  const engaged = text(ENGAGED);
  const value = cells[table.value];
  const country = cells[table.country];
  return {
    date: dateOf(place, { cell: cells[table.day] as string, table, start }),
    dimension: table.dimension,
    value: value === undefined ? '' : dimensionValue(table.dimension, value),
    country: country === undefined ? undefined : dimensionValue('country', country),
    visitors: number(VISITORS),
    views: number(VIEWS),
    sessions,
    bounces:
      engaged !== undefined
        ? Math.max(sessions - count(place, engaged), 0)
        : Math.round(sessions * (bounceRate === undefined ? 0 : share(place, bounceRate))),
    seconds: Math.round(sessions * decimal(place, text(DURATION) ?? '0')),
    place,
  };
}

function dateOf(
  place: Place,
  { cell, table, start }: { cell: string; table: Table; start: string | null },
): string {
  if (!table.isNth) return day(place, cell);
  if (start === null) throw new ImportFault(place, "'# Start date: 20260101' above the table");
  const first = Date.parse(`${day(place, start)}T00:00:00Z`);
  const days = count(place, cell);
  if (days > NTH_DAY_MAX) throw new ImportFault(place, `a day up to the ${NTH_DAY_MAX}th`, cell);
  return new Date(first + days * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

function key(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
