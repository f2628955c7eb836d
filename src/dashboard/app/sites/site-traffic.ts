/**
 * The traffic of sites, asked for as rows come into sight: each once, a few at a time, the latest
 * that were wished for first; who scrolls past asks for nothing.
 */
import { signal } from '@preact/signals';
import { askAll, type Result } from '../data/batch.ts';
import type { Domain } from '../site/site-data.ts';
import { dayText, today } from '../view/days.ts';

/** What a row shows. */
export interface Traffic {
  /** Today, and within the week up to today. */
  readonly visitors: number;
  readonly week: number;
  /** How the week compares with the one before: a fraction. */
  readonly change: number;
  /** Of the last 24 hours, the latest at the end. */
  readonly hours: readonly number[];
  readonly active: number;
}

/** Requests at a time, so that a long list leaves the service free for others. */
const ASKING_MAX = 4;
/** Answers are put into order together: a list does not dance with each of them. */
const SETTLE_MS = 250;
const HOURS = 24;

/** What is known of sites, by id. */
export class SiteTraffic {
  /** Grows when more is known. */
  readonly revision = signal(0);
  readonly #known = new Map<string, Traffic>();
  readonly #wished = new Map<string, Domain>();
  readonly #asking = new Set<string>();
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | null = null;

  of(id: string): Traffic | undefined {
    return this.#known.get(id);
  }

  /** These are wished for now, and others no more. */
  wish(sites: readonly Domain[]): void {
    this.#wished.clear();
    for (const site of sites) {
      if (!this.#known.has(site.id) && !this.#asking.has(site.id)) this.#wished.set(site.id, site);
    }
    this.#next();
  }

  stop(): void {
    this.#abort.abort();
    this.#wished.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #next(): void {
    for (const [id, site] of this.#wished) {
      if (this.#asking.size >= ASKING_MAX) return;
      this.#wished.delete(id);
      this.#asking.add(id);
      void this.#ask(site);
    }
  }

  async #ask(site: Domain): Promise<void> {
    try {
      this.#known.set(site.id, await trafficOf(site, this.#abort.signal));
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        this.revision.value++;
      }, SETTLE_MS);
    } catch {
      // A row without numbers is asked for again when it comes into sight again.
    }
    this.#asking.delete(site.id);
    if (!this.#abort.signal.aborted) this.#next();
  }
}

async function trafficOf({ id, timezone }: Domain, signal: AbortSignal): Promise<Traffic> {
  const day = today(timezone);
  const [now, before, first] = [dayText(day), dayText(day - 1), dayText(day - 6)];
  const [total, hours, hoursBefore, active, week, growth] = await askAll(
    { id, from: now, to: now },
    [
      { name: 'total' },
      { name: 'hours' },
      { name: 'hours', from: before, to: before },
      { name: 'active' },
      { name: 'total', from: first },
      { name: 'growth', from: first },
    ],
    signal,
  );
  const hour = hourIn(timezone);
  const series = [...visitorsOf(hoursBefore), ...visitorsOf(hours)];
  return {
    visitors: answerOf(total)?.visitors ?? 0,
    week: answerOf(week)?.visitors ?? 0,
    change: answerOf(growth)?.visitors_growth ?? 0,
    hours: series.slice(hour + 1, hour + 1 + HOURS),
    active: answerOf(active)?.visitors ?? 0,
  };
}

interface Counts {
  readonly visitors: number;
  readonly visitors_growth?: number;
}

function answerOf(result: Result | undefined): Counts | null {
  return result !== undefined && 'answer' in result ? (result.answer as Counts) : null;
}

function visitorsOf(result: Result | undefined): number[] {
  const rows = (answerOf(result) ?? []) as unknown as readonly Counts[];
  return rows.map(({ visitors }) => visitors);
}

/** The hour of the day it is there. */
function hourIn(timezone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit' });
  return Number(format.format(new Date())) % HOURS;
}
