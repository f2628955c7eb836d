/**
 * A naive model of who visits: what every hit leaves behind, kept as plain objects.
 *
 * Written from I-40 to I-50, A-81 and S-99 alone. Hits of a person come in order, but for late ones of
 * the same day.
 */

import type { Hit } from '../../../src/model/hit.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/model/limits.ts';
import { event, hit, keepAlive } from '../hit-builder.ts';

const GAP_MS = 30 * MINUTE_MS;
const CAP = 200;
const STEPS_MS = [1, 20_000, MINUTE_MS, 10 * MINUTE_MS, GAP_MS - 1, GAP_MS, 40 * MINUTE_MS];

interface Row {
  readonly kind: 'view' | 'event';
  readonly timeMs: number;
}

interface Visit {
  readonly homeDay: number;
  startMs: number;
  lastMs: number;
  views: number;
  source: string;
  rows: Row[];
}

/** Billed things of a day, in the order of the contract's sum. */
export interface Billed {
  views: number;
  events: number;
  keepAlives: number;
}

/** One site. */
export class Site {
  readonly billed = new Map<number, Billed>();
  #rows: Row[] = [];
  readonly #visits = new Map<number, Visit>();
  readonly #clocks = new Map<number, number>();

  /** The next hit of somebody, and what it leaves behind. */
  hit(random: () => number, startMs: number): Hit {
    const person = 1 + Math.floor(random() * 12);
    const visit = this.#visits.get(person) ?? null;
    const step = STEPS_MS[Math.floor(random() * STEPS_MS.length)]!;
    let timeMs = (this.#clocks.get(person) ?? startMs + Math.floor(random() * DAY_MS)) + step;
    if (random() < 0.02) timeMs += 20 * 60 * MINUTE_MS;
    const lateMs = timeMs - Math.floor(random() * 50) * MINUTE_MS;
    const isLate = random() < 0.1 && isOfOneDay(lateMs, visit);
    if (isLate) timeMs = lateMs;
    else this.#clocks.set(person, timeMs);
    const source = random() < 0.1 ? `s${Math.floor(random() * 3)}` : '';
    const kind = random();
    if (kind < 0.3) {
      this.#keepAlive(visit, timeMs);
      return keepAlive(person, timeMs);
    }
    const isView = kind < 0.7;
    this.#take(person, visit, { timeMs, source, isView });
    const fields = { path: `/${Math.floor(random() * 5)}`, utmSource: source };
    return isView ? hit(person, timeMs, fields) : event(person, timeMs, fields);
  }

  /** rows go, sessions with their last row, sums stay. */
  erase(fromMs: number, toMs: number, kind: '' | 'events'): void {
    const stays = (row: Row) =>
      row.timeMs < fromMs || row.timeMs >= toMs || (kind === 'events' && row.kind === 'view');
    this.#rows = this.#rows.filter(stays);
    for (const [person, visit] of this.#visits) {
      visit.rows = visit.rows.filter(stays);
      if (visit.rows.length === 0) this.#visits.delete(person);
    }
  }

  /** null without rows. */
  get firstRowMs(): number | null {
    return this.#rows.length === 0 ? null : Math.min(...this.#rows.map(({ timeMs }) => timeMs));
  }

  usage(fromDay: number, toDay: number): Billed {
    const sum = { views: 0, events: 0, keepAlives: 0 };
    for (const [day, billed] of this.billed) {
      if (day < fromDay || day > toDay) continue;
      sum.views += billed.views;
      sum.events += billed.events;
      sum.keepAlives += billed.keepAlives;
    }
    return sum;
  }

  #keepAlive(visit: Visit | null, timeMs: number): void {
    if (visit === null || !isLive(visit, timeMs)) return;
    visit.lastMs = Math.max(visit.lastMs, timeMs);
    this.#of(timeMs).keepAlives++;
  }

  #take(
    person: number,
    visit: Visit | null,
    sent: { timeMs: number; source: string; isView: boolean },
  ): void {
    const { timeMs, source, isView } = sent;
    const isJoined =
      visit !== null && isLive(visit, timeMs) && (source === '' || source === visit.source);
    if (!isJoined) {
      const opened = { startMs: timeMs, lastMs: timeMs, views: 1, source, rows: [] };
      const homeDay =
        visit !== null && isLive(visit, timeMs) ? visit.homeDay : Math.floor(timeMs / DAY_MS);
      const next: Visit = { ...opened, homeDay };
      this.#visits.set(person, next);
      this.#row(next, 'view', timeMs);
      if (!isView) this.#row(next, 'event', timeMs);
      return;
    }
    if (visit.views >= CAP) return;
    if (isView) {
      visit.views++;
      visit.startMs = Math.min(visit.startMs, timeMs);
    }
    visit.lastMs = Math.max(visit.lastMs, timeMs);
    this.#row(visit, isView ? 'view' : 'event', timeMs);
  }

  #row(visit: Visit, kind: 'view' | 'event', timeMs: number): void {
    const row: Row = { kind, timeMs };
    visit.rows.push(row);
    this.#rows.push(row);
    const billed = this.#of(timeMs);
    if (kind === 'view') billed.views++;
    else billed.events++;
  }

  #of(timeMs: number): Billed {
    const day = Math.floor(timeMs / DAY_MS);
    const billed = this.billed.get(day) ?? { views: 0, events: 0, keepAlives: 0 };
    this.billed.set(day, billed);
    return billed;
  }
}

function isLive({ lastMs, startMs }: Visit, timeMs: number): boolean {
  return lastMs > timeMs - GAP_MS && startMs < timeMs + GAP_MS;
}

/** Late hits of other sessions than the last one, or over midnight, are for the tests of sessions. */
function isOfOneDay(timeMs: number, visit: Visit | null): boolean {
  if (visit === null || !isLive(visit, timeMs)) return false;
  const day = Math.floor(timeMs / DAY_MS);
  return visit.homeDay === day && Math.floor(visit.lastMs / DAY_MS) === day;
}
