/**
 * What a node may hold in memory: one table of shares of all that it may take.
 *
 * Control plane. Whatever a client can make grow is bounded by a number in `limits.ts` or by a row
 * here, so that a small machine has small budgets and what was acknowledged on it can be recovered
 * on it. The rest of the memory, a third, is for code, stacks, young generations and garbage.
 *
 * The main thread works the budgets out (`shareBudgets`) before it starts any other, which then find
 * them in `budgets`.
 */

import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { BATCH_BODY_BYTES_MAX } from './limits.ts';

const MIB = 1_024 * 1_024;
const KEY = 'footfall.budgets';

/** How many threads share a budget. */
export interface ThreadCounts {
  readonly edges: number;
  readonly actors: number;
  readonly queryThreads: number;
}

interface Share {
  /** Part of the memory for all threads of the kind together. */
  readonly part: number;
  readonly of: keyof ThreadCounts;
  /** More is of no use to one of the threads. */
  readonly bytesMax: number;
  /** Less and it cannot do its work. */
  readonly bytesMin: number;
}

/** Each is the budget of one thread. */
const SHARES = {
  /** Days that an actor has open, of all its domains (`shard/save/evict-days.ts`). */
  openDays: { part: 0.25, of: 'actors', bytesMax: Number.POSITIVE_INFINITY, bytesMin: 16 * MIB },
  /** Records handed to an actor and not applied yet; beyond it hits are refused with 503. */
  backlog: { part: 0.04, of: 'actors', bytesMax: 64 * MIB, bytesMin: 4 * MIB },
  /** Bodies that one edge holds unfinished: 32 of the largest batches. */
  bodies: { part: 0.08, of: 'edges', bytesMax: 256 * MIB, bytesMin: 2 * BATCH_BODY_BYTES_MAX },
  /** Hits that one edge gathers while the log is busy; more are refused with 503. */
  pending: { part: 0.04, of: 'edges', bytesMax: 64 * MIB, bytesMin: BATCH_BODY_BYTES_MAX },
  /** Decoded segments that a query thread keeps. */
  segmentCache: { part: 0.15, of: 'queryThreads', bytesMax: 1_024 * MIB, bytesMin: 16 * MIB },
  /** Texts that a query thread keeps numbers for, over all domains. */
  queryTexts: { part: 0.04, of: 'queryThreads', bytesMax: 512 * MIB, bytesMin: 16 * MIB },
  /** Sums that it keeps from question to question: at 60 bytes per page, two million pages. */
  keptSums: { part: 0.04, of: 'queryThreads', bytesMax: 128 * MIB, bytesMin: 4 * MIB },
  /** Old generations are not collected as a whole below it: from the third for garbage (DECISIONS 106). */
  actorHeap: { part: 0.04, of: 'actors', bytesMax: 192 * MIB, bytesMin: 0 },
  edgeHeap: { part: 0.04, of: 'edges', bytesMax: 192 * MIB, bytesMin: 0 },
} as const satisfies Record<string, Share>;

/** Bytes of each budget, for one thread. */
export type Budgets = { readonly [Name in keyof typeof SHARES]: number } & {
  /** All that the node may take. */
  readonly memory: number;
  readonly threads: ThreadCounts;
};

/** Memory from which on every budget with an upper end is at that end, with a thread of each kind. */
const PLENTY_BYTES = 64 * 1_024 * MIB;

/** The budgets of a node. @param memoryBytes all that it may take. */
export function budgetsOf(memoryBytes: number, threads: ThreadCounts): Budgets {
  const budgets: Record<string, unknown> = { memory: memoryBytes, threads };
  for (const [name, { part, of, bytesMax, bytesMin }] of Object.entries<Share>(SHARES)) {
    // The segments of all query threads together are bounded: they keep the same ones.
    const most = of === 'queryThreads' ? bytesMax / threads.queryThreads : bytesMax;
    const share = Math.floor((memoryBytes * part) / threads[of]);
    budgets[name] = Math.max(bytesMin, Math.min(most, share));
  }
  return budgets as Budgets;
}

const plenty = budgetsOf(PLENTY_BYTES, { edges: 1, actors: 1, queryThreads: 1 });

/** Tells every thread that is started from now on. */
export function shareBudgets(shared: Budgets): void {
  setEnvironmentData(KEY, shared);
}

/** What was shared, here or by who started this thread; else the budgets of a large node. */
export function sharedBudgets(): Budgets {
  return (getEnvironmentData(KEY) as Budgets | undefined) ?? plenty;
}

/** Budgets of the node that this thread is one of. */
export const budgets: Budgets = sharedBudgets();

/** Heap of a thread that holds nothing yet, and what one hit or question may need at once. */
const OLD_SPACE_BASE_BYTES = 192 * MIB;
/** What is held, and as much again and a half: the collector wants room to work in. */
const OLD_SPACE_PER_HELD = 2.5;

/** Bound of the old generation of a thread, in MiB. @param held bytes that it holds at most. */
export function oldSpaceMb(held: number): number {
  return Math.ceil((OLD_SPACE_BASE_BYTES + held * OLD_SPACE_PER_HELD) / MIB);
}

/** A young generation has at most this part of the memory. */
const YOUNG_PART = 0.04;
const YOUNG_MB_MIN = 8;

/** Bound of the young generation of a thread, in MiB. @param wanted what its kind is best off with. */
export function youngSpaceMb(wanted: number, { memory }: Budgets): number {
  return Math.min(wanted, Math.max(YOUNG_MB_MIN, Math.floor((memory * YOUNG_PART) / MIB)));
}
