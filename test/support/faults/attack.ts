/**
 * An attack with texts that nobody sends twice, and what must be told of it afterwards.
 *
 * Every hit is a visitor of its own with texts of its own, all of one length, so that what is kept of
 * a day depends on how many hits came and not on their order: they are sent over several connections.
 */
import type { ApiClient } from '../clients/client.ts';

const DAY_MS = 86_400_000;
const MIB = 1_024 * 1_024;
/** I-79, in the numbers of the rule. */
const KIND_BYTES = 16 * MIB;
const SEGMENT_BYTES = 64 * MIB;
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const ID_LENGTH = 8;
/** Metadata values of an event. */
const VALUES_PER_EVENT = 20;
/** Code points kept of a utm value (I-7). */
const UTM_LENGTH = 2_000;

export interface Attack {
  /** Days that page views lie on, and as many others for events. */
  days: number;
  views: number;
  events: number;
  /** The utm fields that have texts of their own. */
  fields: readonly ('utm_source' | 'utm_medium')[];
  /** Code points of such a text as it is sent, and the letter that it is made of. */
  textLength: number;
  letter: string;
  /** Code points of a metadata value. */
  valueLength: number;
  connections: number;
}

/** A request that is sent until it is acknowledged. */
interface Shot {
  endpoint: string;
  items: object[];
  key: string;
}

function textOf(number: number, letter: string, length: number): string {
  return String(number).padStart(ID_LENGTH, '0') + letter.repeat(length - ID_LENGTH);
}

function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** An hour of a day, as many days before today as can be told apart by UTC. */
function timeOf(day: number): string {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return new Date(today - (day + 2) * DAY_MS + DAY_MS / 2).toISOString();
}

/** The date of a day of an attack: page views first, then events. */
export function dateOf(day: number): string {
  return timeOf(day).slice(0, 10);
}

function viewOf(attack: Attack, number: number): object {
  const { fields, textLength, letter, days } = attack;
  const query = fields.map((name) => `${name}=${textOf(number, letter, textLength)}`).join('&');
  return {
    url: `https://example.org/?${query}`,
    ip: addressOf(number),
    user_agent: USER_AGENT,
    time: timeOf(number % days),
  };
}

function eventOf({ valueLength, letter, days }: Attack, number: number): object {
  const first = number * VALUES_PER_EVENT;
  const values = Array.from({ length: VALUES_PER_EVENT }, (_, at) => [
    `k${at}`,
    textOf(first + at, letter, valueLength),
  ]);
  return {
    url: 'https://example.org/',
    ip: addressOf(number),
    user_agent: USER_AGENT,
    time: timeOf(days + (number % days)),
    event_name: 'e',
    event_meta: Object.fromEntries(values),
  };
}

/** Bytes of a batch, some: its letters may have four each. */
const BATCH_LETTERS = 800_000;

function* shotsOf(attack: Attack): Generator<Shot> {
  const { views, events, fields, textLength, valueLength } = attack;
  const viewLetters = fields.length * textLength;
  const perBatch = Math.max(1, Math.floor(BATCH_LETTERS / viewLetters));
  for (let first = 0; first < views; first += perBatch) {
    const count = Math.min(perBatch, views - first);
    const items = Array.from({ length: count }, (_, at) => viewOf(attack, first + at));
    yield { endpoint: 'hit/batch', items, key: `v${first}` };
  }
  const perEvents = Math.floor(BATCH_LETTERS / (VALUES_PER_EVENT * valueLength));
  for (let first = 0; first < events; first += perEvents) {
    const count = Math.min(perEvents, events - first);
    const items = Array.from({ length: count }, (_, at) => eventOf(attack, first + at));
    yield { endpoint: 'event/batch', items, key: `e${first}` };
  }
}

/**
 * Sends it, every batch with an Idempotency-Key until it is acknowledged, whatever happens meanwhile.
 *
 * @param onAcknowledged told how many hits were acknowledged so far, after each batch.
 * @param mayGoOn false: the service is gone for good.
 */
export async function send(
  attack: Attack,
  client: () => ApiClient,
  onAcknowledged: (hits: number) => Promise<void>,
  mayGoOn: () => boolean,
): Promise<void> {
  const shots = shotsOf(attack);
  let acknowledged = 0;
  const connection = async () => {
    for (const { endpoint, items, key } of shots) {
      const body = JSON.stringify(items);
      const headers = { 'Idempotency-Key': key, 'Content-Type': 'application/json' };
      for (;;) {
        const status = await client()
          .request('POST', `/api/v1/${endpoint}`, { body, headers })
          .then((answer) => answer.status)
          .catch(() => 0);
        if (status === 200) break;
        if (status !== 0 && status !== 503) throw new Error(`${endpoint} was answered ${status}`);
        if (!mayGoOn()) throw new Error('the service has ended');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      acknowledged += items.length;
      await onAcknowledged(acknowledged);
    }
  };
  await Promise.all(Array.from({ length: attack.connections }, connection));
}

/** Hits of a day. */
function countOn(total: number, days: number, day: number): number {
  return Math.floor((total - day + days - 1) / days);
}

/** What one day must tell: page views and visitors, and hits whose text is `(other)`, by field. */
export interface DayTruth {
  date: string;
  views: number;
  /** By utm field, or 'meta' for all values of metadata keys together. */
  other: Record<string, number>;
}

/** Of every day of page views. */
export function viewDays(attack: Attack): DayTruth[] {
  const { days, views, fields, textLength, letter } = attack;
  const length = Math.min(textLength, UTM_LENGTH);
  const textBytes = ID_LENGTH + (length - ID_LENGTH) * Buffer.byteLength(letter);
  return Array.from({ length: days }, (_, day) => {
    const count = countOn(views, days, day);
    // The same for every field, while the segment as a whole has room.
    const kept = Math.min(count, Math.ceil(KIND_BYTES / textBytes));
    if (kept * textBytes * fields.length >= SEGMENT_BYTES) throw new Error('too many fields');
    const other = Object.fromEntries(fields.map((name) => [name, count - kept]));
    return { date: dateOf(day), views: count, other };
  });
}

/** Of every day of events. */
export function eventDays({ days, events, valueLength, letter }: Attack): DayTruth[] {
  const valueBytes = ID_LENGTH + (valueLength - ID_LENGTH) * Buffer.byteLength(letter);
  return Array.from({ length: days }, (_, day) => {
    const count = countOn(events, days, day);
    const kept = Math.min(count * VALUES_PER_EVENT, Math.ceil(KIND_BYTES / valueBytes));
    const other = { meta: count * VALUES_PER_EVENT - kept };
    return { date: dateOf(days + day), views: count, other };
  });
}

/** Keys of an event's metadata. */
export const META_KEYS: readonly string[] = Array.from(
  { length: VALUES_PER_EVENT },
  (_, at) => `k${at}`,
);
