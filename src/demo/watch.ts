/**
 * What the live view shows, read from the public API once a second like any dashboard would.
 *
 * Control plane. Nothing here comes from the simulator's own books.
 */
import { systemClock } from '../base/clock.ts';
import { DAY_MS } from '../model/limits.ts';
import type { StatisticsReader } from './client.ts';

/** Rows of each list in the view. */
const LIST_ROWS = 8;
/** One domain is shown in detail for this many readings, then the next one. */
const FOCUS_READINGS = 6;

/** A site as the demo created it. */
export interface Site {
  hostname: string;
  domainId: string;
  timezone: string;
}

/** Numbers of one site. */
export interface SiteNumbers {
  hostname: string;
  activeVisitors: number;
  visitors: number;
  views: number;
  sessions: number;
  bounceRate: number;
}

/** One line of a list. */
export interface Entry {
  name: string;
  visitors: number;
}

/** One reading. */
export interface Reading {
  sites: SiteNumbers[];
  focus: {
    hostname: string;
    activePages: Entry[];
    pages: Entry[];
    referrers: Entry[];
    countries: Entry[];
  };
}

interface Totals {
  visitors: number;
  views: number;
  sessions: number;
  bounce_rate: number;
}

interface Active {
  visitors: number;
  stats: { path: string; visitors: number }[];
}

/** Reads statistics for the view and for the closing summary. */
export class Watcher {
  readonly #reader: StatisticsReader;
  readonly #sites: readonly Site[];
  #readings = 0;

  constructor(reader: StatisticsReader, sites: readonly Site[]) {
    this.#reader = reader;
    this.#sites = sites;
  }

  /** Reads everything the view shows, all requests at once. */
  async read(): Promise<Reading> {
    const turn = Math.floor(this.#readings++ / FOCUS_READINGS);
    const focus = this.#sites[turn % this.#sites.length] as Site;
    const [sites, actives, lists] = await Promise.all([
      Promise.all(this.#sites.map((site) => this.#totals(site, today(site)))),
      Promise.all(this.#sites.map((site) => this.#active(site))),
      this.#lists(focus),
    ]);
    const focusActive = actives[this.#sites.indexOf(focus)] as Active;
    return {
      sites: sites.map((totals, index) => ({
        hostname: (this.#sites[index] as Site).hostname,
        activeVisitors: (actives[index] as Active).visitors,
        visitors: totals.visitors,
        views: totals.views,
        sessions: totals.sessions,
        bounceRate: totals.bounce_rate,
      })),
      focus: {
        hostname: focus.hostname,
        activePages: focusActive.stats
          .slice(0, LIST_ROWS)
          .map((row) => ({ name: row.path, visitors: row.visitors })),
        ...lists,
      },
    };
  }

  /**
   * All page views and events that a site has by its statistics.
   *
   * @param days how far back the simulated past goes.
   */
  async counted(site: Site, days: number): Promise<{ views: number; events: number }> {
    const range = {
      from: isoDate(systemClock() - (days + 2) * DAY_MS, 'UTC'),
      to: isoDate(systemClock() + DAY_MS, 'UTC'),
    };
    const totals = await this.#totals(site, range);
    const events = await this.#reader.read<{ count: number }[]>('events', {
      id: site.domainId,
      ...range,
    });
    return { views: totals.views, events: events.reduce((sum, row) => sum + row.count, 0) };
  }

  #totals(site: Site, range: { from: string; to: string }): Promise<Totals> {
    return this.#reader.read<Totals>('total', { id: site.domainId, ...range });
  }

  #active(site: Site): Promise<Active> {
    return this.#reader.read<Active>('active', { id: site.domainId });
  }

  async #lists(site: Site): Promise<{ pages: Entry[]; referrers: Entry[]; countries: Entry[] }> {
    const query = { id: site.domainId, ...today(site), limit: String(LIST_ROWS) };
    const [pages, referrers, countries] = await Promise.all([
      this.#reader.read<{ path: string; visitors: number }[]>('page', query),
      this.#reader.read<{ referrer_name: string; visitors: number }[]>('referrer', query),
      this.#reader.read<{ country: string; visitors: number }[]>('country', query),
    ]);
    return {
      pages: pages.map((row) => ({ name: row.path, visitors: row.visitors })),
      referrers: referrers.map((row) => ({
        name: row.referrer_name === '' ? '(direct)' : row.referrer_name,
        visitors: row.visitors,
      })),
      countries: countries.map((row) => ({
        name: row.country === '' ? '(unknown)' : row.country,
        visitors: row.visitors,
      })),
    };
  }
}

function today(site: Site): { from: string; to: string } {
  const date = isoDate(systemClock(), site.timezone);
  return { from: date, to: date };
}

/** The calendar date of an instant in a time zone, as the API takes it. */
function isoDate(instantMs: number, timezone: string): string {
  // Swedish writes dates like ISO 8601.
  return new Date(instantMs).toLocaleDateString('sv-SE', { timeZone: timezone });
}
