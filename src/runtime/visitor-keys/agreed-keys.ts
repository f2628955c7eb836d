/**
 * Which keys the days have (P-22): decided alike by every node, from what is there.
 *
 * Control plane. Nodes share one document that lies in the memory of the NATS servers, never on
 * their disks, and is replaced by compare-and-set: of two nodes that make a day's key at once the
 * first one's stands, and the other takes it. Each node keeps what was agreed on in a file of its
 * own, so that servers which lost their memory are told again by whoever looks next.
 */

import { randomKey } from '../../base/random.ts';
import type { NatsDocuments } from '../../bus/nats/document.ts';
import { errors } from '../../model/errors.ts';
import { hasDayKey } from '../../model/key-days.ts';
import { DAY_KEY_AHEAD_DAYS, DAY_KEY_BYTES, DAY_KEY_REST_DAYS } from '../../model/limits.ts';

/** Keys by day. */
export type DayKeyMap = ReadonlyMap<number, Uint8Array>;

/** What several nodes have in common. */
export interface CommonKeys {
  /**
   * Agrees with the other nodes.
   *
   * @param own what this node has.
   * @returns the keys of all days that have one, those that were missing among them.
   * @throws LOG_UNAVAILABLE
   */
  agree(own: DayKeyMap, today: number): Promise<DayKeyMap>;
  close(): Promise<void>;
}

/** The document, by days in decimal; keys in hexadecimal. */
interface KeyDocument {
  readonly keys: Readonly<Record<string, string>>;
}

const KEY = 'keys';
/** Nodes write once a day. */
const ATTEMPT_COUNT_MAX = 10;
const HEX_KEY = new RegExp(`^[0-9a-f]{${DAY_KEY_BYTES * 2}}$`);

/** The days that are to have a key: from the oldest that is not over to some ahead of today. */
export function neededDays(today: number, aheadDays = DAY_KEY_AHEAD_DAYS): number[] {
  const first = today - DAY_KEY_REST_DAYS;
  return Array.from({ length: DAY_KEY_REST_DAYS + 1 + aheadDays }, (_, at) => first + at);
}

/**
 * The keys of all days that have one.
 *
 * @param there what all nodes have by now: it stands.
 */
export function agreedKeys(there: DayKeyMap, own: DayKeyMap, today: number): DayKeyMap {
  const kept = [...own, ...there].filter(([day]) => hasDayKey(day, today));
  const agreed = new Map(kept);
  for (const day of neededDays(today)) {
    if (!agreed.has(day)) agreed.set(day, randomKey(DAY_KEY_BYTES));
  }
  return agreed;
}

/**
 * The keys in a bucket that is opened when it is needed, and anew after a fault: a server that is
 * restarted has lost it.
 */
export function commonKeys(
  open: () => Promise<Pick<NatsDocuments, 'read' | 'write'>>,
  close: () => Promise<void>,
): CommonKeys {
  let documents: Pick<NatsDocuments, 'read' | 'write'> | null = null;
  return {
    async agree(own, today) {
      documents ??= await open();
      try {
        return await agreeIn(documents, own, today);
      } catch (error) {
        documents = null;
        throw error;
      }
    },
    close,
  };
}

async function agreeIn(
  documents: Pick<NatsDocuments, 'read' | 'write'>,
  own: DayKeyMap,
  today: number,
): Promise<DayKeyMap> {
  for (let attempt = 0; attempt < ATTEMPT_COUNT_MAX; attempt++) {
    const found = await documents.read<KeyDocument>(KEY);
    const there = keysOf(found?.value);
    const agreed = agreedKeys(there, own, today);
    if (isSame(there, agreed)) return agreed;
    const revision = found?.revision ?? 0;
    if ((await documents.write(KEY, documentOf(agreed), revision)) !== null) return agreed;
  }
  throw errors.LOG_UNAVAILABLE({ reason: 'other nodes write the keys of the days all the time' });
}

function keysOf(document: KeyDocument | undefined): DayKeyMap {
  const entries = Object.entries(document?.keys ?? {});
  const sound = entries.filter(([day, key]) => /^-?\d+$/.test(day) && HEX_KEY.test(key));
  return new Map(sound.map(([day, key]) => [Number(day), new Uint8Array(Buffer.from(key, 'hex'))]));
}

function documentOf(keys: DayKeyMap): KeyDocument {
  const entries = [...keys].map(([day, key]) => [day, Buffer.from(key).toString('hex')] as const);
  return { keys: Object.fromEntries(entries) };
}

function isSame(left: DayKeyMap, right: DayKeyMap): boolean {
  if (left.size !== right.size) return false;
  return [...right].every(([day, key]) => isSameKey(left.get(day), key));
}

/** Whether two keys are the same bytes. */
export function isSameKey(left: Uint8Array | undefined, right: Uint8Array): boolean {
  return left !== undefined && Buffer.compare(left, right) === 0;
}
