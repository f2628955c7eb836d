/**
 * A stored event that is to be told: kept once in memory, whoever is told, and written down once for
 * each of its webhooks.
 *
 * Data plane. A request may bring ten thousand events that twenty webhooks are told of: as entries they
 * would be a hundred times the request.
 */
import { sha256Hex } from '../../base/hash.ts';
import type { ShardId } from '../../model/ids.ts';
import type { EventNote, EventPlace } from '../../model/outbox.ts';

/** Hexadecimal digits of an id: 128 bits. */
const ID_DIGITS = 32;

/** One event, from when it is stored until its domain is saved. */
export interface NotedEvent extends EventPlace {
  readonly shard: ShardId;
  readonly eventName: string;
  readonly notedMs: number;
  /** Ids, separated by commas, in the order in which the webhooks were made. */
  readonly webhooks: string;
  /** JSON, as it is sent (O-10), up to the name `id` and from behind its value on. */
  readonly head: string;
  readonly tail: string;
}

/** The notes of an event, one for each of its webhooks. */
export function* notesOf(event: NotedEvent): Generator<EventNote> {
  const { shard, eventName, notedMs, webhooks, head, tail, sequence, step } = event;
  for (const webhookId of webhooks.split(',')) {
    const id = noteId(webhookId, shard, event);
    const body = `${head}"${id}"${tail}`;
    yield { webhookId, sequence, step, id, eventName, notedMs, body };
  }
}

/** Names one event for one webhook, in every installation; it does not tell how much comes in. */
function noteId(webhookId: string, shard: ShardId, { sequence, step }: EventPlace): string {
  return `evt_${sha256Hex(`${webhookId} ${shard} ${sequence} ${step}`).slice(0, ID_DIGITS)}`;
}
