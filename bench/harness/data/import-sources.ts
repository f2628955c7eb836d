/**
 * Exports of other products, as large as one likes, and what they add up to: for `macro/imports`.
 *
 * Control plane. Sources of single hits have visits of three page views, each of a visitor of its own;
 * sources of sums have a total for each day and a line for each day and page. The sums are counted
 * while the lines are made, by nothing that reads them.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../../src/model/limits.ts';
import { makeOwnExport } from './own-export.ts';
import {
  countVisit,
  iso,
  Lines,
  type MadeSource,
  noise,
  noSums,
  SOURCE_DAYS,
  SOURCE_FIRST_MS,
  type SourceExtent,
  VIEWS_PER_VISIT,
  type View,
  viewsOf,
} from './source-parts.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

interface HitFormat {
  readonly file: string;
  readonly head: string;
  /** A line of each visit in front of all views, and what ends these. */
  readonly ofVisit?: (visit: number) => string;
  readonly behindVisits?: string;
  line(view: View): string;
  readonly tail?: string;
}

/** A day, or one page of a day. */
interface SumRow {
  readonly date: string;
  readonly path: string | null;
  readonly visitors: number;
  readonly views: number;
  /** Of its day. */
  readonly isFirst: boolean;
}

interface SumFile {
  readonly file: string;
  readonly head: string;
  readonly tail?: string;
}

interface SumFormat {
  readonly days: SumFile;
  readonly pages: SumFile;
  line(row: SumRow): string;
}

const uuid = (visit: number) =>
  `${visit.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
const umamiTime = (atMs: number) => iso(atMs).replace('T', ' ').replace('Z', '+00');
const address = (visit: number) => `8.${(visit >> 16) & 255}.${(visit >> 8) & 255}.${visit & 255}`;

/** As web servers write a time. */
function logTime(atMs: number): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) (\S+)/.exec(
    new Date(atMs).toUTCString(),
  )!;
  return `${day}/${month}/${year}:${time} +0000`;
}

const HITS: Readonly<Record<string, HitFormat>> = {
  goatcounter: {
    file: 'goatcounter.csv',
    head:
      '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,' +
      'Screen size,Location,FirstVisit,Date\n',
    line: ({ visit, path, atMs }) =>
      `${path},Title,false,,Firefox 128,Linux,s${visit},0,,,"1920,1080,1",DE,true,${iso(atMs)}\n`,
  },
  'simple-analytics': {
    file: 'export.csv',
    head: 'added_iso,hostname,path,session_id,country_code,browser_name,os_name,device_type\n',
    line: ({ visit, path, atMs }) =>
      `${iso(atMs)},example.org,${path},${uuid(visit)},NL,Chrome,Mac OS,desktop\n`,
  },
  umami: {
    file: 'website_event.csv',
    head:
      'website_id,session_id,created_at,hostname,browser,os,device,country,url_path,page_title,' +
      'event_type\n',
    line: ({ visit, path, atMs }) =>
      `${uuid(0)},${uuid(visit)},${umamiTime(atMs)},example.org,chrome,Mac OS,laptop,DE,${path},Title,1\n`,
  },
  // What is of the session stands in a table of its own, which is joined.
  'umami-dump': {
    file: 'umami.sql',
    head:
      '--\n-- PostgreSQL database dump\n-- Name: umami; Type: DATABASE\n\n' +
      'COPY public.session (session_id, browser, os, device, country) FROM stdin;\n',
    ofVisit: (visit) => `${uuid(visit)}\tchrome\tMac OS\tlaptop\tDE\n`,
    behindVisits:
      '\\.\n\nCOPY public.website_event (website_id, session_id, created_at, hostname, url_path, ' +
      'page_title, event_type) FROM stdin;\n',
    line: ({ visit, path, atMs }) =>
      `${[uuid(0), uuid(visit), umamiTime(atMs), 'example.org', path, 'Title', '1'].join('\t')}\n`,
    tail: '\\.\n',
  },
  'matomo-visits': {
    file: 'visits.json',
    head: '[',
    line: ({ visit, index, path, atMs }) => {
      const url = `https://example.org${path}`;
      const action = { type: 'action', url, pageTitle: 'Title', timestamp: atMs / 1_000 };
      const begin =
        `${visit === 0 ? '' : ',\n'}{"idSite":"1","idVisit":"${visit}","visitIp":"203.0.113.0",` +
        `"visitorId":"${visit.toString(16).padStart(16, '0')}","actionDetails":[`;
      const end =
        '],"referrerType":"direct","languageCode":"de-de","deviceType":"Desktop",' +
        '"operatingSystemName":"Windows","operatingSystemVersion":"10","browserName":"Firefox",' +
        '"browserVersion":"128.0","countryCode":"de","resolution":"1920x1080"}';
      const isLast = index === VIEWS_PER_VISIT - 1;
      return `${index === 0 ? begin : ','}${JSON.stringify(action)}${isLast ? end : ''}`;
    },
    tail: ']\n',
  },
  'access-log': {
    file: 'access.log',
    head: '',
    line: ({ visit, path, atMs }) =>
      `${address(visit)} - - [${logTime(atMs)}] "GET ${path} HTTP/1.1" 200 5120 "-" "${AGENT}"\n`,
  },
};

const SUMS: Readonly<Record<string, SumFormat>> = {
  plausible: {
    days: {
      file: 'imported_visitors.csv',
      head: '"date","visitors","pageviews","bounces","visits","visit_duration"\n',
    },
    pages: {
      file: 'imported_pages.csv',
      head: '"date","hostname","page","visits","visitors","pageviews"\n',
    },
    line: ({ date, path, visitors, views }) =>
      path === null
        ? `"${date}",${visitors},${views},0,${visitors},0\n`
        : `"${date}","example.org","${path}",${visitors},${visitors},${views}\n`,
  },
  'google-analytics': {
    days: { file: 'overview.csv', head: 'Date,Total users,Sessions,Views\n' },
    pages: { file: 'pages.csv', head: 'Date,Page path,Total users,Sessions,Views\n' },
    line: ({ date, path, visitors, views }) =>
      `${date.replaceAll('-', '')},${path === null ? '' : `${path},`}${visitors},${visitors},${views}\n`,
  },
  fathom: {
    days: { file: 'totals.csv', head: 'datetime,uniques,pageviews\n' },
    pages: { file: 'pages.csv', head: 'datetime,pathname,uniques,pageviews\n' },
    line: ({ date, path, visitors, views }) =>
      `${date} 00:00:00,${path === null ? '' : `${path},`}${visitors},${views}\n`,
  },
  'matomo-reports': {
    days: {
      file: 'VisitsSummary.get.csv',
      head: 'date,nb_uniq_visitors,nb_visits,nb_actions,bounce_count,sum_visit_length\n',
    },
    pages: {
      file: 'Actions.getPageUrls.csv',
      head: 'date,label,nb_visits,nb_uniq_visitors,nb_hits\n',
    },
    line: ({ date, path, visitors, views }) =>
      path === null
        ? `${date},${visitors},${visitors},${views},0,0\n`
        : `${date},${path},${visitors},${visitors},${views}\n`,
  },
  // An object of the days: of each its sums, or a list of its pages.
  'matomo-reports-json': {
    days: { file: 'VisitsSummary.get.json', head: '{', tail: '}\n' },
    pages: { file: 'Actions.getPageUrls.json', head: '{', tail: ']}\n' },
    line: ({ date, path, visitors, views, isFirst }) => {
      const counts = { nb_uniq_visitors: visitors, nb_visits: visitors };
      const isFirstDay = date === iso(SOURCE_FIRST_MS).slice(0, 10);
      if (path === null) {
        return `${isFirstDay ? '' : ','}"${date}":${JSON.stringify({ ...counts, nb_actions: views })}`;
      }
      const begin = isFirst ? `${isFirstDay ? '' : '],'}"${date}":[` : ',';
      return begin + JSON.stringify({ label: path, ...counts, nb_hits: views });
    },
  },
};

const OWN = 'footfall';

/** Names of the sources: those of the adapters, and of further forms. */
export const SOURCES: readonly string[] = [...Object.keys(SUMS), ...Object.keys(HITS), OWN];

/** Makes a source of about so many rows in a folder. */
export function makeSource(name: string, folder: string, of: SourceExtent): MadeSource {
  mkdirSync(folder, { recursive: true });
  if (name === OWN) return makeOwnExport(folder, of);
  const hits = HITS[name];
  return hits === undefined
    ? makeSums(SUMS[name] as SumFormat, folder, of)
    : makeHits(hits, folder, of);
}

function makeHits(format: HitFormat, folder: string, { rows, seed }: SourceExtent): MadeSource {
  const visits = Math.ceil(rows / VIEWS_PER_VISIT);
  const sums = noSums();
  const file = new Lines(join(folder, format.file));
  file.add(format.head);
  for (let visit = 0; visit < visits; visit++) file.add(format.ofVisit?.(visit) ?? '');
  file.add(format.behindVisits ?? '');
  for (let visit = 0; visit < visits; visit++) {
    const views = viewsOf(visit, seed);
    for (const view of views) file.add(format.line(view));
    countVisit(sums, views);
  }
  file.add(format.tail ?? '');
  file.close();
  return { rows: sums.views, counted: sums.views, sums };
}

function makeSums(format: SumFormat, folder: string, { rows, seed }: SourceExtent): MadeSource {
  const perDay = Math.max(Math.ceil(rows / SOURCE_DAYS) - 1, 1);
  const sums = noSums();
  const days = new Lines(join(folder, format.days.file));
  const pages = new Lines(join(folder, format.pages.file));
  days.add(format.days.head);
  pages.add(format.pages.head);
  for (let day = 0; day < SOURCE_DAYS; day++) {
    const date = iso(SOURCE_FIRST_MS + day * DAY_MS).slice(0, 10);
    const total = { visitors: 0, views: 0 };
    for (let page = 0; page < perDay; page++) {
      const visitors = 1 + (noise(day * perDay + page, seed) % 9);
      const views = visitors + (noise(page * SOURCE_DAYS + day, seed) % 9);
      const path = `/page-${page}`;
      pages.add(format.line({ date, path, visitors, views, isFirst: page === 0 }));
      sums.pages.set(path, (sums.pages.get(path) ?? 0) + views);
      total.visitors += visitors;
      total.views += views;
    }
    days.add(format.line({ date, path: null, ...total, isFirst: true }));
    sums.visitors += total.visitors;
    sums.sessions += total.visitors;
    sums.views += total.views;
  }
  days.add(format.days.tail ?? '');
  pages.add(format.pages.tail ?? '');
  days.close();
  pages.close();
  const made = (perDay + 1) * SOURCE_DAYS;
  return { rows: made, counted: made, sums };
}
