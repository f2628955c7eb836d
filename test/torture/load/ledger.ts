/**
 * What a run has gone through: counts, differences, and when anything was answered.
 */
import type { FaultKind } from '../faults/faults.ts';

/** Differences that are kept with their words; all are counted. */
const DIFFERENCES_MAX = 50;

/** Counts of a run. */
export interface Counts {
  rounds: number;
  /** Requests of the load, each attempt one. */
  attempts: number;
  /** Items of requests that were answered 200, repeats left out. */
  acknowledged: number;
  /** Attempts that were answered 503. */
  refused: number;
  /** Attempts that reached nobody. */
  unreachable: number;
  /** Attempts to which no answer came, and those of them whose request got its answer later. */
  unknown: number;
  resolved: number;
  /** Requests without a key to which no answer came: found counted, or not. */
  doubtCounted: number;
  doubtNotCounted: number;
  /** Acknowledged requests that were sent again with their key. */
  repeated: number;
  lost: number;
  doubled: number;
  /** Answers that were compared with the model's, and those that differed. */
  compared: number;
  different: number;
  /** Ledgers of a site that were held against what was sent to it (P-31). */
  ledgers: number;
  /** Answers in the middle of faults that were held against what was acknowledged before. */
  probed: number;
  /** Entries for webhooks that were due, each time they were held against what was told. */
  entries: number;
  /** Requests to webhooks, those of them that told nothing new, and those that were refused. */
  deliveries: number;
  deliveriesRepeated: number;
  deliveriesRefused: number;
}

/** One thing that is not as the model says. */
export interface Difference {
  round: number;
  text: string;
}

/** The moments at which something was answered, for each of several things that are waited for. */
export class Timeline {
  readonly #momentsMs: number[][];

  constructor(count: number) {
    this.#momentsMs = Array.from({ length: count }, () => []);
  }

  /** That one was answered now. */
  add(index: number): void {
    this.#momentsMs[index]?.push(performance.now());
  }

  /** The longest time between two moments in which any of them was without an answer. */
  longestGapMs(fromMs: number, toMs: number): number {
    return Math.max(...this.#momentsMs.map((moments) => longestGapMs(moments, fromMs, toMs)));
  }

  clear(): void {
    for (const moments of this.#momentsMs) moments.length = 0;
  }
}

function longestGapMs(momentsMs: readonly number[], fromMs: number, toMs: number): number {
  let lastMs = fromMs;
  let longest = 0;
  for (const momentMs of momentsMs) {
    if (momentMs <= fromMs) continue;
    longest = Math.max(longest, Math.min(momentMs, toMs) - lastMs);
    lastMs = momentMs;
    if (momentMs >= toMs) return longest;
  }
  return Math.max(longest, toMs - lastMs);
}

/** Milliseconds without an answer during faults of one kind. */
export interface Outage {
  ingestion: number[];
  statistics: number[];
}

/** Everything a report tells. */
export class Ledger {
  readonly counts: Counts = {
    ...{
      rounds: 0,
      attempts: 0,
      acknowledged: 0,
      refused: 0,
      unreachable: 0,
      unknown: 0,
      resolved: 0,
    },
    ...{ doubtCounted: 0, doubtNotCounted: 0, repeated: 0, lost: 0, doubled: 0 },
    ...{ compared: 0, different: 0, ledgers: 0, probed: 0 },
    ...{ entries: 0, deliveries: 0, deliveriesRepeated: 0, deliveriesRefused: 0 },
  };
  readonly differences: Difference[] = [];
  /** What took surprisingly long after all faults had ended. */
  readonly slow: string[] = [];
  readonly faults = new Map<FaultKind, number>();
  readonly outages = new Map<FaultKind, Outage>();
  /** From the end of the last fault of a round until every node answers everything. */
  readonly recoveriesMs: number[] = [];
  /** Whether anybody is acknowledged. */
  readonly ingestion = new Timeline(1);
  /** Whether each site is answered for. */
  readonly statistics: Timeline;
  round = 0;

  /** @param sites sites that are asked for at once. */
  constructor(sites: number) {
    this.statistics = new Timeline(sites);
  }

  /** Something differs. */
  differs(text: string): void {
    this.counts.different++;
    if (this.differences.length < DIFFERENCES_MAX) {
      this.differences.push({ round: this.round, text });
    }
  }

  /** A fault has happened; it is held responsible for the silence from its begin to `toMs`. */
  suffered(kind: FaultKind, fromMs: number, toMs: number): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
    const outage = this.outages.get(kind) ?? { ingestion: [], statistics: [] };
    this.outages.set(kind, outage);
    outage.ingestion.push(this.ingestion.longestGapMs(fromMs, toMs));
    outage.statistics.push(this.statistics.longestGapMs(fromMs, toMs));
  }
}
