/**
 * A stored event that is to be told: kept once in memory, whoever is told, and written down once for
 * each of its webhooks.
 *
 * Data plane. Five hundred webhooks may be told of an event, so a batch may come to more entries than
 * memory has room for: they are written in slices (`OpenMemory.noteNoted`).
 */
import { sha256Hex } from '../../base/hash.ts';
import type { ShardId } from '../../model/ids.ts';
import { type EventNote, type EventPlace, webhookCount } from '../../model/outbox.ts';
import { ENTRY_BYTES } from '../../model/outgoing-limits.ts';

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
    const body = bodyOf({ head, tail }, id);
    yield { webhookId, sequence, step, id, eventName, notedMs, body };
  }
}

/** What is sent under an id. */
export function bodyOf({ head, tail }: Pick<NotedEvent, 'head' | 'tail'>, id: string): string {
  return `${head}"${id}"${tail}`;
}

/** About the bytes of its entries, once they are written down. */
export function entryBytes({ webhooks, head, tail }: NotedEvent): number {
  return head.length + tail.length + webhookCount(webhooks) * ENTRY_BYTES;
}

/** Names one event for one webhook, in every installation; it does not tell how much comes in. */
function noteId(webhookId: string, shard: ShardId, { sequence, step }: EventPlace): string {
  return `evt_${sha256Hex(`${webhookId} ${shard} ${sequence} ${step}`).slice(0, ID_DIGITS)}`;
}
