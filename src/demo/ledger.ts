/**
 * The simulator's own books: what was acknowledged and must therefore be in the statistics.
 *
 * Control plane. It never asks the service anything; the closing summary compares the two.
 */
import { monotonicMs } from '../base/clock.ts';
import type { StepKind } from './simulator/visitor.ts';

/** Latencies kept for the percentiles: about ten seconds of a busy demo. */
const LATENCY_SAMPLES_MAX = 4_096;
/** Seconds of the sparkline. */
export const RATE_SECONDS = 40;

/** What one site's requests came to. */
export interface SiteBook {
  /** Acknowledged and sent by a visitor: these must be in the statistics. */
  views: number;
  events: number;
  keepAlives: number;
  /** Acknowledged and sent by a bot: these must not be. */
  bots: number;
  /** Answered 4xx or 503: nothing was stored. */
  refused: number;
  /** No answer, or 500: counted at most once, so the summary allows for either. */
  uncertain: number;
}

/** Books of all sites, acknowledged hits per second, and latencies of collection. */
export class Ledger {
  readonly #books = new Map<string, SiteBook>();
  readonly #latenciesMs = new Float64Array(LATENCY_SAMPLES_MAX);
  #latencyCount = 0;
  /** Hits acknowledged so far, whoever sent them. */
  acknowledged = 0;
  #acknowledgedBefore = 0;
  #measuredMs = monotonicMs();
  readonly #perSecond: number[] = [];

  /** The book of a site. */
  book(hostname: string): SiteBook {
    let book = this.#books.get(hostname);
    if (book === undefined) {
      book = { views: 0, events: 0, keepAlives: 0, bots: 0, refused: 0, uncertain: 0 };
      this.#books.set(hostname, book);
    }
    return book;
  }

  /** Enters hits that were answered. */
  answered(
    hostname: string,
    hits: { kind: StepKind; isBot: boolean; count: number; status: number },
  ): void {
    const book = this.book(hostname);
    if (hits.status === 200) {
      this.acknowledged += hits.count;
      if (hits.isBot) book.bots += hits.count;
      else if (hits.kind === 'hit') book.views += hits.count;
      else if (hits.kind === 'event') book.events += hits.count;
      else book.keepAlives += hits.count;
    } else if (hits.status >= 400 && hits.status !== 500) {
      book.refused += hits.count;
    } else {
      book.uncertain += hits.count;
    }
  }

  /** Enters how long a single hit took. */
  timed(latencyMs: number): void {
    this.#latenciesMs[this.#latencyCount++ % LATENCY_SAMPLES_MAX] = latencyMs;
  }

  /** The seconds of the present begin here; hits before are in none of them. */
  beginSeconds(): void {
    this.#acknowledgedBefore = this.acknowledged;
    this.#measuredMs = monotonicMs();
  }

  /** Closes a second: from now on its hits are in `perSecond`. */
  tick(): void {
    const nowMs = monotonicMs();
    const seconds = Math.max(nowMs - this.#measuredMs, 1) / 1_000;
    this.#perSecond.push(Math.round((this.acknowledged - this.#acknowledgedBefore) / seconds));
    if (this.#perSecond.length > RATE_SECONDS) this.#perSecond.shift();
    this.beginSeconds();
  }

  /** Acknowledged hits a second, the newest last. */
  get perSecond(): readonly number[] {
    return this.#perSecond;
  }

  /**
   * A percentile of the latest latencies in milliseconds, 0 without any.
   *
   * @param share 0.99 for p99.
   */
  latencyMs(share: number): number {
    const count = Math.min(this.#latencyCount, LATENCY_SAMPLES_MAX);
    if (count === 0) return 0;
    const sorted = this.#latenciesMs.slice(0, count).sort();
    return sorted[Math.min(count - 1, Math.floor(count * share))] as number;
  }

  /** Requests that were refused or have no answer, of all sites. */
  get troubled(): number {
    let sum = 0;
    for (const { refused, uncertain } of this.#books.values()) sum += refused + uncertain;
    return sum;
  }
}
