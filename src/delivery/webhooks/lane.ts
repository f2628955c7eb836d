/**
 * What waits for one webhook, on its way: which entry is next, and how many may be under way (O-11).
 *
 * Control plane, no timers and no input or output: `WebhookSender` drives it. Memory holds a few entries
 * ahead; everything else stays on disk until it is its turn.
 *
 *     outbox ── fetched ──▶ queue ── at most 4 ──▶ attempt ──▶ settlement ── written ──▶ forgotten
 *                └────────── known: never fetched twice ───────────────────────────┘
 */
import type { Webhook } from '../../control/resources/webhook.ts';
import type { Epoch, ShardId } from '../../model/ids.ts';
import type { DueEntries, EventPlace, OutboxEntry, OutboxHead } from '../../model/outbox.ts';
import { OUTBOX_FETCH_BYTES_MAX, WEBHOOK_PLACE_COUNT } from '../../model/outgoing-limits.ts';

/** Entries that are fetched at once of a receiver that answers well. */
const FETCHED_COUNT = 64;
/** Of one that does not, or nobody knows: there may be thousands that hang. */
const SLOW_FETCHED_COUNT = 2;
/** With less than this share of them in the queue more are fetched. */
const REFILL_SHARE = 1 / 4;

/** A question for entries that is under way. */
export interface Fetch {
  /** Fresh ones behind this one; null: from the first on. */
  readonly after: EventPlace | null;
  /** At most. */
  readonly count: number;
  readonly course: number;
}

/** One webhook of a shard that this node holds. */
export class Lane {
  readonly shard: ShardId;
  /** Of the lease under which it was found: under another one it is somebody else's. */
  readonly epoch: Epoch;
  /** As the outbox had it last. */
  head: OutboxHead;
  /** As it was seen last: another one means that somebody has saved it. */
  webhook: Webhook | null = null;
  /** Failures in a row. */
  failures: number;
  /** Set inactive, or gone: nothing is sent. */
  isResting = false;
  /** Something may be there that was not fetched. */
  hasMore = true;
  /** When the next entry that waits for its time is due. */
  nextDueMs: number | null = null;
  readonly #queue: OutboxEntry[] = [];
  #queuedBytes = 0;
  /** Ids of what was fetched and is not written down as settled. */
  readonly #known = new Set<string>();
  #after: EventPlace | null = null;
  #underWay = 0;
  /** One until the receiver has answered well: one that hangs then costs one connection (O-2). */
  #places = 1;
  #isFetching = false;
  /** Changes when everything is to be fetched anew: what was asked for before that is not taken. */
  #course = 0;

  constructor(shard: ShardId, epoch: Epoch, head: OutboxHead) {
    this.shard = shard;
    this.epoch = epoch;
    this.head = head;
    this.failures = head.failures;
  }

  get id(): string {
    return this.head.webhookId;
  }

  /** Whether another attempt may begin. */
  get hasTurn(): boolean {
    return !this.isResting && this.#underWay < this.#places && this.#queue.length > 0;
  }

  /** Its last attempt failed: others go first where connections are few. */
  get isFailing(): boolean {
    return this.failures > 0;
  }

  /** Whether entries are to be fetched; from then on, until `took`, they are. */
  beginFetch(): Fetch | null {
    const count = this.#places === 1 ? SLOW_FETCHED_COUNT : FETCHED_COUNT;
    const hasRoom =
      this.#queue.length < count * REFILL_SHARE &&
      this.#queuedBytes < OUTBOX_FETCH_BYTES_MAX * REFILL_SHARE;
    if (this.isResting || this.#isFetching || !this.hasMore || !hasRoom) return null;
    this.#isFetching = true;
    this.hasMore = false;
    return { after: this.#after, count, course: this.#course };
  }

  /** Takes what was fetched. @returns whether any of it was new. */
  took({ course }: Fetch, { entries, hasMore, nextDueMs }: DueEntries): boolean {
    this.#isFetching = false;
    if (this.isResting || course !== this.#course) return false;
    this.nextDueMs = nextDueMs;
    let isNew = false;
    for (const entry of entries) {
      if (entry.dueMs === 0) this.#after = entry;
      if (this.#known.has(keyOf(entry))) continue;
      isNew = true;
      this.#known.add(keyOf(entry));
      this.#queue.push(entry);
      this.#queuedBytes += entry.body.length;
    }
    if (hasMore) this.hasMore = true;
    return isNew;
  }

  /** Nothing came: it is tried again. */
  fetchFailed(): void {
    this.#isFetching = false;
    this.hasMore = true;
  }

  /** The next entry; its attempt is under way until `ended`. */
  begin(): OutboxEntry {
    this.#underWay++;
    const entry = this.#queue.shift() as OutboxEntry;
    this.#queuedBytes -= entry.body.length;
    return entry;
  }

  /** Its attempt is over. @returns failures in a row. */
  ended(isTaken: boolean): number {
    this.#underWay--;
    this.failures = isTaken ? 0 : this.failures + 1;
    this.#places = isTaken ? WEBHOOK_PLACE_COUNT : 1;
    return this.failures;
  }

  /** An attempt came to nothing that counts: the service stops. */
  givenBack(): void {
    this.#underWay--;
  }

  /** What became of an entry is written down; it may be due again. */
  settled(entry: OutboxEntry, againMs: number | null): void {
    this.#known.delete(keyOf(entry));
    if (againMs !== null) this.nextDueMs = Math.min(this.nextDueMs ?? againMs, againMs);
    else this.head = { ...this.head, entries: Math.max(0, this.head.entries - 1) };
  }

  /** Nothing more is sent; what is under way comes to its end. */
  rest(): void {
    this.isResting = true;
    for (const entry of this.#queue) this.#known.delete(keyOf(entry));
    this.#queue.length = 0;
    this.#queuedBytes = 0;
    this.#fetchAnew();
  }

  /** Everything that waits is sent. */
  resume(): void {
    this.isResting = false;
    this.#places = 1;
    this.#fetchAnew();
  }

  #fetchAnew(): void {
    this.hasMore = true;
    this.#after = null;
    this.#course++;
  }
}

/** What is sent again by hand is another one. */
function keyOf({ id, dueMs }: OutboxEntry): string {
  return `${id} ${dueMs}`;
}
