/** What edges ask of shard actors. Plain data: it crosses threads by structured clone. */

import type { DomainId, Epoch, Sequence, ShardId } from '../../model/ids.ts';
import type { ImportsQuestion } from '../../model/imported-sum.ts';
import type { LedgerQuestion } from '../../model/ledger.ts';
import type { DeliveryQuestion, OutboxCall } from '../../model/outbox.ts';
import type { CrowdCall } from '../../model/pulse.ts';
import type { DaySpan } from '../../model/usage.ts';

/** What may be asked of the actor that owns a shard. */
export type ActorRequest = {
  shard: ShardId;
  /** Position that the log has to be applied up to before it is answered. */
  sequence: Sequence;
} /** Save what is unsaved of the domain: answered with the lease's epoch. */ & (
  | { kind: 'save'; domainId: DomainId }
  /** Who is active, from memory (S-80): the answer's JSON text, or `ToScan`. */
  | { kind: 'active'; domainId: DomainId; query: unknown }
  /** What domains used, and their first rows: the JSON text of a `DomainUsage` for each, in order. */
  | { kind: 'usage'; domainIds: readonly DomainId[]; span: DaySpan | null }
  /** What became of what a domain was sent: the JSON text of a list of `LedgerDay`. */
  | LedgerQuestion
  /** Which imports a domain has: the JSON text of a list of `ImportSummary`. */
  | ImportsQuestion
  /** What was sent to a webhook, or shall be sent again: JSON. */
  | DeliveryQuestion
  /** What waits to be told; asked by the thread that sends. */
  | OutboxCall
  /** Which domains may have a crowd; asked by the thread that sends. */
  | CrowdCall
);

/** A question that would hold an actor up: it has saved the domain for the query threads. */
export interface ToScan {
  /** Of the shard's lease. */
  epoch: Epoch;
  /** The actor's clock: where the window of the question ends. */
  nowMs: number;
}
