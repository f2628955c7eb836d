/**
 * What a stored event leaves to be told to the webhooks that the log names beside it.
 *
 * Data plane, and pure: a replay makes the same notes with the same ids (O-1).
 */
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
import type { EventPlace } from '../../model/outbox.ts';
import type { NotedEvent } from '../outbox/noted-event.ts';

/** Of which event of which domain. */
interface Told {
  readonly shard: ShardId;
  readonly domainId: DomainId;
  readonly receivedMs: number;
  readonly place: EventPlace;
}

/** What is noted of an event that is told. */
export function notedEvent(record: DecodedRecord, row: number, told: Told): NotedEvent {
  const { webhooks, sentTags } = noteOf(record, row);
  const { shard, domainId, receivedMs: notedMs, place } = told;
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
  const head = `${JSON.stringify(event).slice(0, -1)},"id":`;
  const tail = `,${JSON.stringify(shared).slice(1)}`;
  return { shard, ...place, eventName, notedMs, webhooks, head, tail };
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
