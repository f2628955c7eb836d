/**
 * What is looked at of many domains again and again, and has to cost next to nothing: whether they
 * may have a crowd (O-40). Plain data: it crosses threads.
 */
import type { DomainId } from './ids.ts';

/** So many visitors, active within so many seconds. */
export interface CrowdLook {
  readonly domainId: DomainId;
  readonly seconds: number;
  /** 1 or more. */
  readonly visitors: number;
}

/**
 * What the thread that sends asks of the owner of a shard: which of the domains may have so many
 * visitors, `DomainId[]`; all that have, and few that have not. Who is active is asked of those
 * only (S-82).
 */
export interface CrowdCall {
  readonly kind: 'crowds';
  readonly looks: readonly CrowdLook[];
}
