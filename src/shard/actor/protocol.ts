/** What edges ask of shard actors. Plain data: it crosses threads by structured clone. */

import type { DomainId, Epoch, Sequence, ShardId } from '../../model/ids.ts';

/** What may be asked of the actor that owns a shard. */
export type ActorRequest = {
  shard: ShardId;
  domainId: DomainId;
  /** Position that the log has to be applied up to before it is answered. */
  sequence: Sequence;
} & (
  | /** Save what is unsaved of the domain: answered with the lease's epoch. */ { kind: 'save' }
  /** Who is active, from memory (S-80): the answer's JSON text, or `ToScan`. */
  | { kind: 'active'; query: unknown }
);

/** A question that would hold an actor up: it has saved the domain for the query threads. */
export interface ToScan {
  /** Of the shard's lease. */
  epoch: Epoch;
  /** The actor's clock: where the window of the question ends. */
  nowMs: number;
}
