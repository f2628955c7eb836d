/**
 * Events that several webhooks are told of, on disk: what is sent is there once, and each of its entries
 * refers to it, so that one event for five hundred webhooks is no five hundred copies.
 *
 *     ['ne', sequence, step]   what is sent, and of when it is
 *     ['nf', sequence, step]   how many entries refer to it; the last one takes it along
 *
 * All of it within the transaction that changes the entries.
 */
import { Packr } from 'msgpackr';
import type { EventPlace } from '../../model/outbox.ts';
import type { StateEnvironment, StateKey } from '../../store/state-environment.ts';
import type { NotedEvent } from './noted-event.ts';

const packr = new Packr({ useRecords: false });
const EVENT = 'ne';
const COUNT = 'nf';

/** What all of its entries have in common. */
export type SharedEvent = Pick<NotedEvent, 'eventName' | 'notedMs' | 'head' | 'tail'>;

/** Writes an event down. @returns its bytes. */
export function putShared(
  environment: StateEnvironment,
  event: SharedEvent & EventPlace,
  entries: number,
): number {
  const { eventName, notedMs, head, tail } = event;
  const bytes = packr.pack({ eventName, notedMs, head, tail } satisfies SharedEvent);
  environment.put(keyOf(EVENT, event), bytes);
  environment.put(keyOf(COUNT, event), packr.pack(entries));
  return bytes.length;
}

/** What an entry refers to. @throws STATE_DAMAGED when it is not there. */
export function readShared(environment: StateEnvironment, place: EventPlace): SharedEvent {
  const key = keyOf(EVENT, place);
  const stored = environment.get(key);
  if (stored === undefined) throw environment.damage(key, 'is missing');
  return packr.unpack(stored) as SharedEvent;
}

/** An entry that refers to it goes. */
export function releaseShared(environment: StateEnvironment, place: EventPlace): void {
  const key = keyOf(COUNT, place);
  const stored = environment.get(key);
  const left = stored === undefined ? 0 : (packr.unpack(stored) as number) - 1;
  if (left > 0) {
    environment.put(key, packr.pack(left));
    return;
  }
  environment.remove(key);
  environment.remove(keyOf(EVENT, place));
}

function keyOf(kind: string, { sequence, step }: EventPlace): StateKey {
  return [kind, sequence, step];
}
