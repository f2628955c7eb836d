/**
 * Which shards this node may serve right now, under which epoch and until when; read by every thread.
 *
 * Control plane at checkpoint granularity; one shared buffer, a few atomic reads a look. A node that
 * was stopped for longer than a lease finds it lapsed at its next look, before it has heard of anything:
 * the clock runs on while the process is stopped. Only the thread that holds the leases writes.
 */

const NS_PER_MS = 1_000_000n;
const FOREVER = 2n ** 63n - 1n;

/** Leases of one node: pass `memory` to a thread and open it there again. */
export class LeaseTable {
  /** By shard: epoch of the lease, then nanoseconds of the monotonic clock until which it holds. */
  readonly memory: BigInt64Array<SharedArrayBuffer>;

  constructor(memory: BigInt64Array<SharedArrayBuffer>) {
    this.memory = memory;
  }

  /** A table in which no shard is held. */
  static create(shards: number): LeaseTable {
    return new LeaseTable(new BigInt64Array(new SharedArrayBuffer(shards * 16)));
  }

  /** A node on its own: every shard is its own, for good, under epoch 1. */
  static alone(shards: number): LeaseTable {
    const table = LeaseTable.create(shards);
    for (let shard = 0; shard < shards; shard++) table.#set(shard, 1n, FOREVER);
    return table;
  }

  /** A moment from which the length of a lease counts: taken before it is asked for or renewed. */
  static nowMs(): number {
    return Number(process.hrtime.bigint() / NS_PER_MS);
  }

  /** The shard is this node's under `epoch` until `untilMs` of `nowMs`. */
  grant(shard: number, epoch: number, untilMs: number): void {
    this.#set(shard, BigInt(epoch), BigInt(Math.floor(untilMs)) * NS_PER_MS);
  }

  /** The shard is not this node's any more. */
  revoke(shard: number): void {
    this.#set(shard, 0n, 0n);
  }

  /** Epoch under which the shard is this node's at this moment; 0 when it is not. */
  epochOf(shard: number): number {
    const untilNs = Atomics.load(this.memory, shard * 2 + 1);
    if (untilNs <= process.hrtime.bigint()) return 0;
    return Number(Atomics.load(this.memory, shard * 2));
  }

  /** It holds for no moment while it is written: a reader sees the old lease, none, or the new one. */
  #set(shard: number, epoch: bigint, untilNs: bigint): void {
    Atomics.store(this.memory, shard * 2 + 1, 0n);
    Atomics.store(this.memory, shard * 2, epoch);
    Atomics.store(this.memory, shard * 2 + 1, untilNs);
  }
}
