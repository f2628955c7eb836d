/**
 * Matomo: answers of its reporting API by day, as JSON or CSV.
 *
 * An answer does not say which report it is, so each file is named after its method:
 * `VisitsSummary.get.json`, `Actions.getPageUrls.csv`. Asked is with `period=day`, a range of
 * dates, `flat=1` and `filter_limit=-1`.
 */

import type { SumDimension } from '../../../model/imported-sum.ts';
import {
  type Adapter,
  type ImportedSum,
  ImportFault,
  type Place,
  type SourceFile,
} from '../../adapter.ts';
import { type Entry, entriesOf } from '../../source/json.ts';
import { type Row, readTable } from '../../source/table.ts';
import { count, day } from '../../source/values.ts';
import { dimensionValue } from '../dimension-values.ts';
import { fieldsOf, listOf, refuseError, textIn } from './fields.ts';

/** Which members of a report's row are its counts. */
interface Counts {
  readonly visitors: string;
  readonly sessions: string;
  readonly views: string;
  readonly bounces: string;
  readonly seconds: string;
}

/** A method of the API. */
interface Report {
  readonly dimension: SumDimension;
  /** The member that has the value; the first that is not empty. */
  readonly value: readonly string[];
  readonly counts: Counts;
  /** Of several reports by one dimension, which do not have the same visits. */
  readonly table?: string;
}

const OF_VISITS: Counts = {
  visitors: 'nb_uniq_visitors',
  sessions: 'nb_visits',
  views: 'nb_actions',
  bounces: 'bounce_count',
  seconds: 'sum_visit_length',
};
const OF_PAGES: Counts = {
  ...OF_VISITS,
  views: 'nb_hits',
  bounces: 'entry_bounce_count',
  seconds: '',
};
const OF_ENTRIES: Counts = {
  visitors: 'entry_nb_uniq_visitors',
  sessions: 'entry_nb_visits',
  views: 'entry_nb_visits',
  bounces: 'entry_bounce_count',
  seconds: 'entry_sum_visit_length',
};
const OF_EXITS: Counts = {
  ...{ visitors: 'exit_nb_uniq_visitors', sessions: 'exit_nb_visits' },
  ...{ views: 'exit_nb_visits', bounces: '', seconds: '' },
};

function report(dimension: SumDimension, value = ['label'], counts = OF_VISITS): Report {
  return { dimension, value, counts };
}

const URL = ['url', 'metadata_url', 'label'];

/** By the method's name in small letters. */
const REPORTS: Readonly<Record<string, Report>> = {
  'visitssummary.get': report('total', []),
  'actions.getpageurls': report('page', URL, OF_PAGES),
  'actions.getentrypageurls': report('entry', URL, OF_ENTRIES),
  'actions.getexitpageurls': report('exit', URL, OF_EXITS),
  'referrers.getwebsites': { ...report('referrer'), table: 'websites' },
  'referrers.getsearchengines': { ...report('referrer'), table: 'searchengines' },
  'referrers.getsocials': { ...report('referrer'), table: 'socials' },
  'referrers.getcampaigns': report('utm_campaign'),
  'marketingcampaignsreporting.getsource': report('utm_source'),
  'marketingcampaignsreporting.getmedium': report('utm_medium'),
  'usercountry.getcountry': report('country', ['code', 'metadata_code', 'label']),
  'usercountry.getregion': report('region', ['region_name', 'metadata_region_name', 'label']),
  'usercountry.getcity': report('city', ['city_name', 'metadata_city_name', 'label']),
  'userlanguage.getlanguage': report('language'),
  'devicesdetection.getbrowsers': report('browser'),
  'devicesdetection.getosfamilies': report('os'),
  'devicesdetection.gettype': report('device'),
};
const METHOD = /(\w+\.get\w*)[^/]*\.(json|csv)$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const MATOMO_REPORTS: Adapter = {
  name: 'matomo-reports',
  title: 'Matomo (reports by day)',
  gives: 'sums',
  isPersonal: false,
  recognises: (files) => files.some(({ name }) => reportOf(name) !== null),
  async *read(files) {
    for (const file of files) {
      const of = reportOf(file.name);
      if (of === null) continue;
      yield* /\.json$/i.test(file.name) ? fromJson(file, of) : fromCsv(file, of);
    }
  },
};

function reportOf(name: string): Report | null {
  return REPORTS[METHOD.exec(name)?.[1]?.toLowerCase() ?? ''] ?? null;
}

async function* fromJson(file: SourceFile, of: Report): AsyncGenerator<ImportedSum[]> {
  for await (const entries of entriesOf(file)) {
    for (const entry of entries) yield sumsOfDay(entry, of);
  }
}

function sumsOfDay(entry: Entry, of: Report): ImportedSum[] {
  const { key, value, place } = entry;
  refuseError(entry);
  if (typeof key !== 'string' || !DAY.test(key)) {
    const expected = 'a report by day: period=day and a range, as date=2026-01-01,2026-01-31';
    throw new ImportFault(place, expected, `entry ${key}`);
  }
  // A day without visits is an empty list, or a number.
  const whole = fieldsOf(value);
  const rows = whole === null ? listOf(value) : [whole];
  return rows.map((row) => sumOf((name) => textIn(row, name), { date: key, place, of }));
}

async function* fromCsv(file: SourceFile, of: Report): AsyncGenerator<ImportedSum[]> {
  const { visitors, sessions } = of.counts;
  for await (const rows of readTable(file, { required: ['date', visitors, sessions] })) {
    yield rows.map((row: Row) => {
      const date = day(row.place, row.text('date'));
      return sumOf((name) => row.text(name), { date, place: row.place, of });
    });
  }
}

function sumOf(
  text: (name: string) => string,
  { date, place, of }: { date: string; place: Place; of: Report },
): ImportedSum {
  const { dimension, counts, table } = of;
  const given = of.value.map(text).find((value) => value !== '') ?? '';
  const isPage = of.value === URL;
  if (isPage && text('idsubdatatable') !== '') {
    throw new ImportFault(place, 'a report of whole addresses: flat=1', given);
  }
  const number = (name: string) => (text(name) === '' ? 0 : count(place, text(name)));
  return {
    ...{ date, dimension, value: dimensionValue(dimension, given), country: countryOf(of, text) },
    visitors: count(place, text(counts.visitors)),
    views: number(dimension === 'total' && text('nb_pageviews') ? 'nb_pageviews' : counts.views),
    sessions: count(place, text(counts.sessions)),
    bounces: number(counts.bounces),
    seconds: number(counts.seconds),
    table,
    place,
  };
}

function countryOf({ dimension }: Report, text: (name: string) => string): string | undefined {
  if (dimension !== 'region' && dimension !== 'city') return undefined;
  return dimensionValue('country', text('country') || text('metadata_country'));
}
