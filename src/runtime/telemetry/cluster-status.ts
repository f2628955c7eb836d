/**
 * What this node knows of its cluster, for the health checks of its edges and for who looks whether hits
 * have come: numbers in shared memory.
 *
 * Control plane. Only the main thread writes.
 */

const NS_PER_MS = 1_000_000n;
const KNOWN_UNTIL = 0;
const OWNERLESS = 1;
const OPENING = 2;
const SETTLED_SINCE = 3;

/** Pass `memory` to a thread and open it there again. */
export class ClusterStatus {
  readonly memory: BigInt64Array<SharedArrayBuffer>;

  constructor(memory: BigInt64Array<SharedArrayBuffer>) {
    this.memory = memory;
  }

  /** Nothing is known. */
  static create(): ClusterStatus {
    return new ClusterStatus(new BigInt64Array(new SharedArrayBuffer(32)));
  }

  /**
   * The board was read, or written, and counts as known until `untilMs` of `LeaseTable.nowMs`.
   *
   * @param hasSpooled whether hits wait in the spool of any node.
   */
  boardKnown(untilMs: number, hasSpooled: boolean): void {
    const isFirst =
      this.unreadyReason() !== null || Atomics.load(this.memory, SETTLED_SINCE) === 0n;
    if (hasSpooled) Atomics.store(this.memory, SETTLED_SINCE, 0n);
    else if (isFirst) Atomics.store(this.memory, SETTLED_SINCE, process.hrtime.bigint());
    Atomics.store(this.memory, KNOWN_UNTIL, BigInt(Math.floor(untilMs)) * NS_PER_MS);
  }

  /**
   * For how long the board has been known and no hits have waited in a spool, in milliseconds: who looks
   * for hits then finds all that were taken. 0 while it is not so.
   */
  settledMs(): number {
    const since = Atomics.load(this.memory, SETTLED_SINCE);
    if (since === 0n || this.unreadyReason() !== null) return 0;
    return Number((process.hrtime.bigint() - since) / NS_PER_MS);
  }

  /** Shards that nobody owns, and shards of this node that are being opened. */
  counted({ ownerless, opening }: { ownerless: number; opening: number }): void {
    Atomics.store(this.memory, OWNERLESS, BigInt(ownerless));
    Atomics.store(this.memory, OPENING, BigInt(opening));
  }

  /** Why the node should get no requests; null when it may. */
  unreadyReason(): string | null {
    const isKnown = Atomics.load(this.memory, KNOWN_UNTIL) > process.hrtime.bigint();
    return isKnown ? null : 'the board of leases cannot be read';
  }

  /** What is missing although requests are taken: statistics of these shards wait. */
  missing(): string[] {
    const ownerless = Atomics.load(this.memory, OWNERLESS);
    const opening = Atomics.load(this.memory, OPENING);
    const found: string[] = [];
    if (ownerless > 0n) found.push(`shards without an owner: ${ownerless}`);
    if (opening > 0n) found.push(`shards being opened here: ${opening}`);
    return found;
  }
}
