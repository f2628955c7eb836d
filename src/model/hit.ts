/**
 * A hit as it travels from the edge to the shard actor: everything derived, nothing raw.
 *
 * Data plane. Addresses and user agents never enter (I-35). What a log record holds of a hit is
 * written by `bus/record/encoder.ts`.
 */

import type { TextDimension } from './dimensions.ts';
import type { DomainId } from './ids.ts';

/**
 * What a hit is (semantics, Terms).
 *
 * The last three are no hits of visitors: rows of an export that come back (P-10). A session comes
 * first, then its views and events, with the fields of `stored-rows.ts`; nothing is decided anew.
 */
export const HitKind = {
  ...{ PageView: 0, Event: 1, KeepAlive: 2 },
  ...{ StoredView: 4, StoredEvent: 5, StoredSession: 6 },
} as const;

/** One enriched hit, made by `createHit`. Every field is always set; texts are already cut (I-7). */
export interface Hit extends Record<TextDimension, string> {
  kind: number;
  /** Instant of the hit, milliseconds since the epoch, UTC. */
  timeMs: number;
  /** Visitor id of the hit's own UTC day (I-30), two unsigned 32-bit halves. */
  visitorLow: number;
  visitorHigh: number;
  /** The same visitor's id of the UTC day before; both 0 when the hit is past 00:30 UTC (I-46). */
  previousLow: number;
  previousHigh: number;
  /** Index into `Platform`. */
  platform: number;
  path: string;
  title: string;
  /** Page view: tags as key, value, key, value … (I-99). Event: metadata likewise (I-54, I-55). */
  pairs: string[] | null;
  /** Events only; '' otherwise. */
  eventName: string;
  /** Whole seconds. */
  eventDurationSeconds: number;
  nonInteractive: boolean;
  /** Ids of the webhooks that an event is told to, with commas between; '' is nearly always. */
  webhooks: string;
  /** Tags as they were sent with such an event: JSON of an object; '' without any, and of other hits. */
  sentTags: string;
}

/** Items that the edge dropped for one reason: they go to the log to be counted exactly once. */
export interface Drop {
  /** Index in `DROP_REASONS`. */
  reason: number;
  /** UTC day of the items' own time. */
  day: number;
  /** Name of the program that sent them, '' when none is known. */
  bot: string;
  count: number;
}

/**
 * What the hash of an idempotency key begins with that stands for a portion of an import: 48 of its 128
 * bits. Any other key's begins so once in 280 million million.
 */
export const IMPORT_HASH_PREFIX = '000000000000';

/** Whether a group of hits was imported: it is counted, and yet nobody is here now. */
export function isImportHash(idempotencyHash: string): boolean {
  return idempotencyHash.startsWith(IMPORT_HASH_PREFIX);
}

/** The hits of one or more requests for one domain: the unit that is applied whole. */
export interface HitGroup {
  domainId: DomainId;
  /** When the edge received it; drives idempotency and sealing, so that `apply` needs no clock. */
  receivedMs: number;
  /** 128-bit keyed hash of the Idempotency-Key as 32 hex digits; '' without a key (I-75). */
  idempotencyHash: string;
  /** What the edge dropped; null: nothing. */
  dropped: Drop[] | null;
  /** In the order in which they are applied (I-70). */
  hits: Hit[];
}
