/** Messages between edges and shard actors. Plain data: they cross threads by structured clone. */

import {
  type OperatingError,
  restoreError,
  type SentError,
  sendError,
} from '../../model/errors.ts';

/** What an edge may ask of the actor that owns a shard. */
export type ActorRequest =
  /** Apply the log up to `sequence` and save what is unsaved of the domain: the lease's epoch. */
  | { kind: 'save'; id: number; shard: number; domainId: string; sequence: number }
  /** Answer a question about active visitors from memory (S-80): the answer's JSON text. */
  | {
      kind: 'active';
      id: number;
      shard: number;
      domainId: string;
      sequence: number;
      query: unknown;
    };

/** The actor's answer, by the request's id. */
export type ActorReply =
  | { id: number; value: unknown; error: null }
  | { id: number; value: null; error: SentError };

/** An answer that failed. */
export function failedReply(id: number, error: OperatingError): ActorReply {
  return { id, value: null, error: sendError(error) };
}

/** The error of a failed answer as it was thrown. */
export function errorOf(reply: ActorReply & { error: SentError }): OperatingError {
  return restoreError(reply.error);
}
