/**
 * Group commit at the edge, without a timer: while one append is on its way the next one gathers.
 *
 * Data plane. An idle writer waits for the end of the event-loop turn, so that all requests that
 * arrived together share one record per shard. Groups without a key of one domain become one.
 */

import { errors } from '../model/errors.ts';
import type { Hit, HitGroup } from '../model/hit.ts';
import { LOG_BACKLOG_BYTES_MAX, PENDING_HIT_COUNT_MAX } from '../model/limits.ts';
import { encodeGroups } from './codec.ts';
import type { LogAppender, ShardBatch } from './log.ts';

type Done = (error: Error | null) => void;

/** Gathers groups of hits and appends them to the log. One per edge thread. */
export class HitWriter {
  readonly #appender: LogAppender;
  readonly #shardOf: (domainId: string) => number;
  // By shard; only shards with something pending are in it.
  #groups = new Map<number, HitGroup[]>();
  // The open group of a domain: the one that further hits without a key join.
  #openGroups = new Map<string, HitGroup>();
  #dones: Done[] = [];
  #pendingHits = 0;
  #isInFlight = false;
  #isScheduled = false;
  #onDrained: (() => void) | null = null;

  constructor(appender: LogAppender, shardOf: (domainId: string) => number) {
    this.#appender = appender;
    this.#shardOf = shardOf;
  }

  /**
   * Stores groups of hits, all or none of them.
   *
   * @param groups owned by the writer from now on.
   * @param done called exactly once, after this call: null when every group is durable.
   */
  submit(groups: readonly HitGroup[], done: Done): void {
    if (this.#pendingHits > PENDING_HIT_COUNT_MAX) {
      done(errors.OVERLOADED({ reason: 'the log is slower than the hits come' }));
      return;
    }
    if (this.#appender.backlogBytes() > LOG_BACKLOG_BYTES_MAX) {
      done(errors.OVERLOADED({ reason: 'hits come faster than they are counted' }));
      return;
    }
    for (let index = 0; index < groups.length; index++) this.#add(groups[index]!);
    this.#dones.push(done);
    if (this.#isInFlight || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#flush);
  }

  /** Resolves when everything submitted so far has been answered. */
  drained(): Promise<void> {
    if (this.#dones.length === 0 && !this.#isInFlight) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onDrained = resolve;
    });
  }

  #add(group: HitGroup): void {
    this.#pendingHits += group.hits.length;
    const { domainId } = group;
    const isOpen = group.idempotencyHash === '' && group.dropped === null;
    const open = isOpen ? this.#openGroups.get(domainId) : undefined;
    if (open !== undefined) {
      const hits: Hit[] = group.hits;
      for (let index = 0; index < hits.length; index++) open.hits.push(hits[index]!);
      open.receivedMs = group.receivedMs;
      return;
    }
    // A group with a key comes between: later hits of the domain must not overtake it.
    if (isOpen) this.#openGroups.set(domainId, group);
    else this.#openGroups.delete(domainId);
    const shard = this.#shardOf(domainId);
    const groups = this.#groups.get(shard);
    if (groups === undefined) this.#groups.set(shard, [group]);
    else groups.push(group);
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    const dones = this.#dones;
    if (dones.length === 0) return;
    const batches: ShardBatch[] = [];
    for (const [shard, groups] of this.#groups) {
      // The encoder's buffer is reused by its next call.
      batches.push({ shard, payload: encodeGroups(groups).slice() });
    }
    this.#groups = new Map();
    this.#openGroups = new Map();
    this.#dones = [];
    this.#pendingHits = 0;
    this.#isInFlight = true;
    this.#appender.append(batches, (error) => this.#onAppended(dones, error));
  };

  #onAppended(dones: readonly Done[], error: Error | null): void {
    this.#isInFlight = false;
    // The next append goes out before the answers are written: the disk works meanwhile.
    this.#flush();
    for (let index = 0; index < dones.length; index++) dones[index]!(error);
    if (this.#isInFlight || this.#dones.length > 0) return;
    this.#onDrained?.();
    this.#onDrained = null;
  }
}
