/**
 * What became of entries, gathered for some milliseconds and written down together: one transaction of
 * the shard's owner for many attempts.
 *
 * Control plane. What cannot be written now is tried again; what belongs to a shard that has moved is
 * for its next owner, who sends those entries again under the same ids (O-3).
 */
import { OperatingError } from '../../model/errors.ts';
import type { ShardId } from '../../model/ids.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { OutboxCall, Settlement } from '../../model/outbox.ts';
import type { Lane } from './lane.ts';

/** Time for others to come along. */
const GATHER_MS = 20;
/** A disk that refused is not asked at once. */
const RETRY_MS = SECOND_MS;

interface Pending {
  readonly lane: Lane;
  readonly settlement: Settlement;
}

/** What it needs. */
export interface SettlementsParts {
  ask(shard: ShardId, call: OutboxCall): Promise<unknown>;
  onWritten(lanes: ReadonlySet<Lane>): void;
  onMoved(shard: ShardId): void;
  onFault(error: unknown): void;
}

/** The settlements of one thread. */
export class Settlements {
  readonly #parts: SettlementsParts;
  readonly #pending = new Map<ShardId, Pending[]>();
  readonly #writing = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #count = 0;

  constructor(parts: SettlementsParts) {
    this.#parts = parts;
  }

  /** How many are not written down. */
  get count(): number {
    return this.#count;
  }

  add(lane: Lane, settlement: Settlement): void {
    const pending = this.#pending.get(lane.shard);
    if (pending === undefined) this.#pending.set(lane.shard, [{ lane, settlement }]);
    else pending.push({ lane, settlement });
    this.#count++;
    this.#schedule(GATHER_MS);
  }

  /** Writes everything down, as far as its owners can be asked. */
  async flush(): Promise<void> {
    this.#write();
    await Promise.all(this.#writing);
  }

  /** Ends it. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => this.#write(), ms);
  }

  #write(): void {
    this.close();
    for (const [shard, pending] of this.#pending) {
      this.#pending.delete(shard);
      const writing = this.#writeShard(shard, pending).finally(() => this.#writing.delete(writing));
      this.#writing.add(writing);
    }
  }

  async #writeShard(shard: ShardId, pending: Pending[]): Promise<void> {
    const settlements = pending.map(({ settlement }) => settlement);
    try {
      await this.#parts.ask(shard, { kind: 'outbox-settle', settlements });
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      this.#refused(shard, pending, error);
      return;
    }
    this.#count -= pending.length;
    const lanes = new Set<Lane>();
    for (const { lane, settlement } of pending) {
      lane.settled(settlement.entry, settlement.againMs);
      lanes.add(lane);
    }
    this.#parts.onWritten(lanes);
  }

  #refused(shard: ShardId, pending: Pending[], error: OperatingError): void {
    if (error.code === 'SHARD_MOVED') {
      this.#count -= pending.length;
      this.#parts.onMoved(shard);
      return;
    }
    this.#parts.onFault(error);
    this.#pending.set(shard, [...pending, ...(this.#pending.get(shard) ?? [])]);
    this.#schedule(RETRY_MS);
  }
}
