/**
 * What a stored event leaves to be told (A-60): one note for each webhook that the log names beside it.
 *
 * Data plane, and pure: a replay makes the same notes with the same ids (O-1).
 */
import { sha256Hex } from '../../base/hash.ts';
import {
  type DecodedRecord,
  NOTE_REFS,
  NUMBER,
  NUMBERS_PER_HIT,
  noteOf,
  REF,
  REFS_PER_HIT,
} from '../../bus/record/decoded-record.ts';
import type { DomainId, ShardId } from '../../model/ids.ts';
import type { EventNote, EventPlace } from '../../model/outbox.ts';

/** Hexadecimal digits of an id: 128 bits. */
const ID_DIGITS = 32;

/** Of which event of which domain. */
interface Told {
  readonly shard: ShardId;
  readonly domainId: DomainId;
  readonly receivedMs: number;
  readonly place: EventPlace;
}

/** The notes of an event that is told, in the order in which its webhooks were made. */
export function notesOf(record: DecodedRecord, row: number, told: Told): EventNote[] {
  const { webhooks, sentTags } = noteOf(record, row);
  const { shard, domainId, receivedMs, place } = told;
  const text = (field: number) => record.texts[record.refs[row * REFS_PER_HIT + field]!]!;
  const eventName = text(REF.eventName);
  const shared = {
    time: new Date(record.timesMs[row]!).toISOString(),
    domain_id: domainId,
    hostname: text(REF.hostname),
    path: text(REF.path),
    title: text(REF.title),
    tags: sentTags === '' ? {} : (JSON.parse(sentTags) as unknown),
  };
  const event = {
    event_name: eventName,
    event_duration: record.numbers[row * NUMBERS_PER_HIT + NUMBER.eventDurationSeconds]!,
    event_meta: metadataOf(record, row),
  };
  return webhooks.split(',').map((webhookId) => {
    const id = noteId(webhookId, shard, place);
    const body = JSON.stringify({ ...event, id, ...shared });
    return { webhookId, ...place, id, eventName, notedMs: receivedMs, body };
  });
}

/** The metadata that the event is stored with (I-54, I-55). */
function metadataOf({ numbers, pairRefs, texts }: DecodedRecord, row: number) {
  const at = row * NUMBERS_PER_HIT + NUMBER.pairEnd;
  const end = numbers[at]! - NOTE_REFS;
  const pairs: [string, string][] = [];
  for (let pair = row === 0 ? 0 : numbers[at - NUMBERS_PER_HIT]!; pair < end; pair += 2) {
    pairs.push([texts[pairRefs[pair]!]!, texts[pairRefs[pair + 1]!]!]);
  }
  return Object.fromEntries(pairs);
}

/** Names one event for one webhook, in every installation; it does not tell how much comes in. */
function noteId(webhookId: string, shard: ShardId, { sequence, step }: EventPlace): string {
  return `evt_${sha256Hex(`${webhookId} ${shard} ${sequence} ${step}`).slice(0, ID_DIGITS)}`;
}
