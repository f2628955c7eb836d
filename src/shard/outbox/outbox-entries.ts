/**
 * Entries of the outbox on disk, one for each event and webhook:
 *
 *     ['n', webhook, sequence, step]        its turn has not come; in the order of events
 *     ['q', webhook, due, sequence, step]   it failed and waits for its time
 *
 * Puts and takes are made within the transaction that also changes how much waits.
 */
import { Packr } from 'msgpackr';
import type { Sequence } from '../../model/ids.ts';
import type { EventPlace, OutboxEntry } from '../../model/outbox.ts';
import type { StateEnvironment, StateKey } from '../../store/state-environment.ts';
import { bodyOf } from './noted-event.ts';
import { readShared, releaseShared } from './shared-events.ts';

const packr = new Packr({ useRecords: false });
/** Kinds of keys. */
export const FRESH = 'n';
export const WAITING = 'q';

/** Where an entry is. */
export type EntryPlace = Pick<OutboxEntry, 'webhookId' | 'sequence' | 'step' | 'dueMs'>;

/** An entry with what it sends, or with the bytes of the event that it refers to. */
export type StoredEntry = Pick<OutboxEntry, 'id' | 'notedMs' | 'attempts'> &
  ({ readonly shared: number } | (Pick<OutboxEntry, 'eventName' | 'body'> & { shared?: never }));

/** An entry that is not there any more. */
export interface TakenEntry {
  readonly stored: StoredEntry;
  /** As `putEntry` counted them. */
  readonly bytes: number;
}

/** Where the entry of a key is. */
export function placeOf(key: StateKey): EntryPlace {
  const isFresh = key[0] === FRESH;
  const [sequence, step] = key.slice(isFresh ? 2 : 3) as [Sequence, number];
  return { webhookId: key[1] as string, sequence, step, dueMs: isFresh ? 0 : (key[2] as number) };
}

/** @returns the bytes it takes, as if what it sends were its own. */
export function putEntry(
  environment: StateEnvironment,
  place: EntryPlace,
  stored: StoredEntry,
): number {
  const bytes = packr.pack(stored);
  environment.put(keyOf(place), bytes);
  return bytes.length + (stored.shared ?? 0);
}

/** Takes an entry away, but not what it refers to. @returns null when it was not there. */
export function takeEntry(environment: StateEnvironment, place: EntryPlace): TakenEntry | null {
  const key = keyOf(place);
  const bytes = environment.get(key);
  if (bytes === undefined) return null;
  environment.remove(key);
  const stored = packr.unpack(bytes) as StoredEntry;
  return { stored, bytes: bytes.length + (stored.shared ?? 0) };
}

/** An entry that was taken does not come back. */
export function release(
  environment: StateEnvironment,
  place: EventPlace,
  { shared }: StoredEntry,
): void {
  if (shared !== undefined) releaseShared(environment, place);
}

/** An entry with what it sends. @throws STATE_DAMAGED. */
export function entryOf(
  environment: StateEnvironment,
  key: StateKey,
  value: Uint8Array,
): OutboxEntry {
  const place = placeOf(key);
  const stored = packr.unpack(value) as StoredEntry;
  if (stored.shared === undefined) return { ...stored, ...place };
  const { id, notedMs, attempts } = stored;
  const event = readShared(environment, place);
  return { ...place, id, notedMs, attempts, eventName: event.eventName, body: bodyOf(event, id) };
}

/** When its event was noted. */
export function notedMsOf(value: Uint8Array): number {
  return (packr.unpack(value) as StoredEntry).notedMs;
}

function keyOf({ webhookId, dueMs, sequence, step }: EntryPlace): StateKey {
  return dueMs === 0
    ? [FRESH, webhookId, sequence, step]
    : [WAITING, webhookId, dueMs, sequence, step];
}
