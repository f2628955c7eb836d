/**
 * An actor in this process, and the processor time that hits cost it: decoding, sessions, rows,
 * rollups, checkpoints and what LMDB does behind them in its own threads.
 *
 * Control plane. Edge and log are left out, so that a day of ten million hits takes a minute. Its
 * clock runs at a fixed rate of hits, so checkpoints come as often as they would under such a load;
 * records are encoded before the processor's clock is read.
 */
import type { MessagePort } from 'node:worker_threads';
import type { LogRecord } from '../../src/bus/log/interface.ts';
import { RecordEncoder } from '../../src/bus/record/encoder.ts';
import { VISIT_VIEWS } from '../../src/load/hits/narrow.ts';
import type { Hit } from '../../src/model/hit.ts';
import { asDomainId, asSequence, type ShardId, shardIds } from '../../src/model/ids.ts';
import { LIVE_GATHER_MS, SECOND_MS } from '../../src/model/limits.ts';
import { SETTINGS } from '../../src/settings/schema.ts';
import { Actor } from '../../src/shard/actor/actor.ts';
import { LeaseTable } from '../../src/shard/state/lease-table.ts';
import { shardOf } from '../../src/shard/state/placement.ts';
import { enrichedHits, START_MS } from './data/workload.ts';

const TICK_MS = 100;
/** Ticks whose records are made before the clock is read. */
const TICKS_AT_ONCE = 50;
const TEMPLATE_HITS = 6_000;
/** Odd, with its bits spread: one visitor for each ordinal. */
const SPREAD = 2_654_435_761;

type Batch = LogRecord[];

/** How page views follow each other: so many sessions at once take turns until each has its views. */
export interface SessionPlan {
  readonly views: number;
  readonly atOnce: number;
}

/** One visit after the other, as the pool has them. */
const VISITS: SessionPlan = { views: VISIT_VIEWS, atOnce: 1 };

/** An actor whose processor time is measured. */
export class MeasuredActor {
  readonly #actor: Actor;
  readonly #shards = SETTINGS.shards.fallback;
  readonly #templates: readonly Hit[];
  readonly #encoder = new RecordEncoder();
  readonly #sequences: number[];
  #nowMs = START_MS;
  #hits = 0;
  #isWatched = false;

  /** @param dataDir of nobody else. */
  constructor(dataDir: string, seed: number) {
    const shards = shardIds(this.#shards);
    this.#sequences = shards.map(() => 0);
    this.#templates = enrichedHits({ seed, hits: TEMPLATE_HITS });
    const onFault = (error: unknown) => {
      throw error;
    };
    this.#actor = new Actor({
      ...{ dataDir, shards, onFault },
      leases: LeaseTable.alone(this.#shards),
    });
  }

  /**
   * Applies page views; sessions go to the domains in turn.
   *
   * @param plan.sessions three views each, one visit after the other, if not said otherwise.
   * @param plan.hitsPerSecond how fast they come by the actor's clock.
   * @returns microseconds of processor time per hit, all threads.
   */
  async apply(plan: {
    hits: number;
    domains: readonly string[];
    hitsPerSecond: number;
    sessions?: SessionPlan;
  }): Promise<number> {
    const { sessions = VISITS } = plan;
    const perTick = Math.min(plan.hits, (plan.hitsPerSecond * TICK_MS) / SECOND_MS);
    let microseconds = 0;
    for (let done = 0; done < plan.hits; ) {
      const batches: Batch[] = [];
      for (let tick = 0; tick < TICKS_AT_ONCE && done < plan.hits; tick++, done += perTick) {
        batches.push(this.#batch(perTick, plan.domains, sessions));
      }
      const before = process.cpuUsage();
      for (const batch of batches) {
        this.#nowMs += TICK_MS;
        this.#actor.onRecords(batch, this.#nowMs);
        this.#actor.tick(this.#nowMs);
      }
      if (this.#isWatched) await new Promise((resolve) => setTimeout(resolve, 2 * LIVE_GATHER_MS));
      const { user, system } = process.cpuUsage(before);
      microseconds += user + system;
    }
    return microseconds / plan.hits;
  }

  /** Somebody looks at a domain from here on (O-50): rows go to the port. Null: nobody does. */
  watch(domainId: string, port: MessagePort | null): void {
    this.#isWatched = port !== null;
    this.#actor.taps.onNews((news) => port?.postMessage(news));
    this.#actor.taps.set(asDomainId(domainId), this.#isWatched);
  }

  /** Saves nothing more and lets go of the directory. */
  close(): Promise<void> {
    return this.#actor.close();
  }

  /** The hits of one tick, a record for each shard that has any. */
  #batch(hits: number, domains: readonly string[], sessions: SessionPlan): Batch {
    const byShard = new Map<ShardId, Map<string, Hit[]>>();
    for (let index = 0; index < hits; index++) {
      const { visit, view } = placeOf(this.#hits++, sessions);
      const domainId = domains[visit % domains.length]!;
      const shard = shardOf(asDomainId(domainId), this.#shards);
      const groups = byShard.get(shard) ?? new Map<string, Hit[]>();
      byShard.set(shard, groups);
      const group = groups.get(domainId) ?? [];
      groups.set(domainId, group);
      group.push({
        ...this.#templates[templateOf(visit, view)]!,
        timeMs: this.#nowMs,
        visitorLow: (visit * SPREAD) >>> 0,
        visitorHigh: visit >>> 0,
        previousLow: 0,
        previousHigh: 0,
      });
    }
    return [...byShard].map(([shard, groups]) => {
      for (const [domainId, some] of groups) {
        const head = {
          domainId: asDomainId(domainId),
          receivedMs: this.#nowMs,
          idempotencyHash: '',
          dropped: null,
        };
        this.#encoder.add({ ...head, hits: some });
      }
      const sequence = asSequence(this.#sequences[shard]! + 1);
      this.#sequences[shard] = sequence;
      return { shard, sequence, payload: this.#encoder.finish().slice() };
    });
  }
}

/** Which session a hit is of, and which of its views it is. */
function placeOf(hit: number, { views, atOnce }: SessionPlan): { visit: number; view: number } {
  const turn = Math.floor(hit / atOnce);
  return {
    visit: Math.floor(turn / views) * atOnce + (hit % atOnce),
    view: turn % views,
  };
}

/** The pool's visit, and beyond its views the later views of others: only first ones say from where. */
function templateOf(visit: number, view: number): number {
  const later = view === 0 ? 0 : 1 + ((view - 1) % (VISIT_VIEWS - 1));
  const beyond = Math.floor(view / VISIT_VIEWS);
  return ((visit + beyond * 71) * VISIT_VIEWS + later) % TEMPLATE_HITS;
}
