/**
 * Umami: the rows of its tables `website_event` and `session`, as CSV or as a PostgreSQL dump.
 *
 * The tables of its cloud's export have the session's fields in each event; those of a database
 * have them in a table of their own, which is joined here. What its interface exports are sums over
 * a range without any date: they cannot be imported, and a sentence says so.
 */

import { type Adapter, type ImportedHit, ImportFault, type SourceFile } from '../../adapter.ts';
import { browserNamed, deviceNamed, systemNamed } from '../../source/agent-names.ts';
import { copiedRows } from '../../source/sql-copy.ts';
import { headerOf, type Row, readTable } from '../../source/table.ts';
import { headOf } from '../../source/text.ts';
import { instant, known, screenWidth } from '../../source/values.ts';
import { campaignOf } from '../campaign.ts';
import { type SESSION_FIELDS, Sessions } from './sessions.ts';

const EVENT = 'website_event';
const SESSION = 'session';
const EVENT_NAMES = ['website_id', 'session_id', 'created_at', 'url_path', 'event_type'];
const SESSION_NAMES = ['session_id', 'browser', 'os', 'device'];
/** The tables of the interface's export. */
const UNDATED = /(^|\/)(events|pages|referrers|browsers|os|devices|countries)\.csv$/;
const VIEW = '1';
const CUSTOM_EVENT = '2';

type Kind = 'events' | 'sessions' | 'dump' | 'undated';

export const UMAMI: Adapter = {
  name: 'umami',
  title: 'Umami',
  gives: 'hits',
  isPersonal: true,
  recognises: (files) =>
    files.some(({ name, head }) => ['events', 'dump'].includes(kindOf(name, head) ?? '')) ||
    isUndated(files.map(({ name, head }) => kindOf(name, head))),
  async *read(files) {
    const reading = new Reading();
    const kinds = new Map<SourceFile, Kind | null>();
    for (const file of files) kinds.set(file, kindOf(file.name, await headOf(file, 4_096)));
    if (isUndated([...kinds.values()])) throw undatedFault(files);
    const of = (kind: Kind) => files.filter((file) => kinds.get(file) === kind);
    for (const file of of('sessions')) {
      for await (const rows of readTable(file, { required: SESSION_NAMES })) reading.learn(rows);
    }
    for (const file of of('events')) {
      for await (const rows of readTable(file, { required: EVENT_NAMES })) yield reading.hits(rows);
    }
    for (const file of of('dump')) {
      for await (const { table, rows } of copiedRows(file, new Set([EVENT, SESSION]))) {
        if (table === SESSION) reading.learn(rows);
        else yield reading.hits(rows);
      }
    }
  },
};

function kindOf(name: string, head: string): Kind | null {
  if (/\.sql$/i.test(name)) return /\bumami\b|website_event/i.test(head) ? 'dump' : null;
  if (!/\.csv$/i.test(name)) return null;
  const names = new Set(headerOf(head));
  if (EVENT_NAMES.every((one) => names.has(one))) return 'events';
  if (SESSION_NAMES.every((one) => names.has(one)) && !names.has('url_path')) return 'sessions';
  const isSum = names.has('x') ? names.has('y') : names.has('name') && names.has('visitors');
  return UNDATED.test(name) && isSum ? 'undated' : null;
}

/** Other products have tables of these names, but never as many of them without a date. */
function isUndated(kinds: readonly (Kind | null)[]): boolean {
  return !kinds.includes('events') && kinds.filter((kind) => kind === 'undated').length >= 3;
}

function undatedFault(files: readonly SourceFile[]): ImportFault {
  const place = { file: files[0]?.name ?? '', line: 1 };
  const expected =
    "the rows of 'website_event', which have dates (from Umami Cloud's data export, or as CSV or a " +
    'dump out of the database): what the interface of a website exports are sums without dates';
  return new ImportFault(place, expected);
}

/** What is known while files are read. */
class Reading {
  readonly #sessions = new Sessions();
  #website: string | null = null;
  #hasEvents = false;

  /** Takes rows of the table of sessions. */
  learn(rows: readonly Row[]): void {
    for (const row of rows) {
      if (this.#hasEvents) throw row.fault("the table 'session' in front of 'website_event'");
      this.#sessions.add(row);
    }
  }

  /** Rows of the table of events as hits; clicks on links and pixels are none. */
  hits(rows: readonly Row[]): ImportedHit[] {
    this.#hasEvents = true;
    const hits: ImportedHit[] = [];
    for (const row of rows) {
      this.#checkWebsite(row);
      const type = row.text('event_type');
      if (type === VIEW || type === CUSTOM_EVENT) hits.push(this.#hitOf(row, type));
      else if (!/^[34567]$/.test(type)) throw row.fault("a number under 'event_type'", type);
    }
    return hits;
  }

  /** Two websites would be added up as one. */
  #checkWebsite(row: Row): void {
    const website = row.text('website_id');
    this.#website ??= website;
    if (website === this.#website) return;
    const expected = `rows of one website, ${this.#website}; export the rows of each for itself`;
    throw row.fault(expected, website);
  }

  #hitOf(row: Row, type: string): ImportedHit {
    const { place } = row;
    const session = row.text('session_id');
    if (session === '') throw row.fault("an id under 'session_id'", session);
    const field = (name: (typeof SESSION_FIELDS)[number]) =>
      known(row.text(name)) ?? this.#sessions.text(session, name);
    const system = systemNamed(field('os'));
    const query = row.text('url_query');
    return {
      kind: type === VIEW ? 'view' : 'event',
      at: instant(place, row.text('created_at'), 'UTC'),
      visitor: session,
      hostname: known(field('hostname')),
      path: row.text('url_path'),
      title: known(row.text('page_title')),
      eventName: type === VIEW ? undefined : row.text('event_name'),
      referrer: referrerOf(row),
      language: known(field('language')),
      country: known(field('country')),
      region: known(field('region')) ?? known(field('subdivision1')),
      city: known(field('city')),
      browser: browserNamed(field('browser')),
      os: system.name,
      osVersion: system.version,
      device: deviceNamed(field('device')),
      screenWidth: screenWidth(field('screen')),
      ...campaignOf(row, query),
      place,
    };
  }
}

function referrerOf(row: Row): string | undefined {
  const domain = row.text('referrer_domain');
  if (domain === '') return undefined;
  const query = row.text('referrer_query');
  return `https://${domain}${row.text('referrer_path')}${query === '' ? '' : `?${query}`}`;
}
