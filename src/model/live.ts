/**
 * What is told of hits while they are stored (O-50): rows of page views and events with their sessions.
 *
 * Plain data that crosses threads and nodes.
 */
import type { DomainId, ShardId } from './ids.ts';

/** A page view or an event, and its session as it stood when the row was stored. */
export interface LiveRow {
  readonly timeMs: number;
  readonly path: string;
  readonly title: string;
  /** '' for page views. */
  readonly eventName: string;
  /** Tags of a page view, metadata of an event: key, value, key, value … */
  readonly pairs: readonly string[];
  /** By position in `TEXT_DIMENSIONS`. */
  readonly dimensions: readonly string[];
  /** Index into `Platform`. */
  readonly platform: number;
  readonly entryPath: string;
  readonly exitPath: string;
  readonly visitorLow: number;
  readonly visitorHigh: number;
  /** As the API shows it (I-34). */
  readonly sessionId: number;
}

/** What became of the hits of a domain within some milliseconds. */
export interface LiveNews {
  readonly domainId: DomainId;
  readonly rows: readonly LiveRow[];
  /** Rows that were stored beside these and are not told one by one. */
  readonly moreCount: number;
}

/** Somebody begins, or ends, to look at a domain. */
export interface LiveWish {
  readonly shard: ShardId;
  readonly domainId: DomainId;
  readonly isWatched: boolean;
}
