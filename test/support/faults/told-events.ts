/**
 * Events with numbers, and receivers that are told of them: what has to be true however often the
 * service died meanwhile (O-1, O-3, O-11).
 *
 * A sender sends one event after the other, each once, and waits for its answer or the end of the
 * connection: so its numbers are in the order of the log, whether or not they were acknowledged.
 */
import type { ServerResponse } from 'node:http';
import { pause } from '../until.ts';
import type { Received, WebhookReceiver } from '../webhook-receiver.ts';

/** Attempts of a webhook that are under way at once (O-11). */
const PLACES = 4;
/** Of three events one has another name, of which nobody is told. */
const OTHER_EVERY = 3;
const REST_MS_MAX = 10;

/** How a receiver behaves the first time that it is told of an event. */
export type Manner = 'good' | 'slow' | 'wrong' | 'silent';

/** By the path of a webhook. */
export const MANNERS: readonly Manner[] = ['good', 'slow', 'wrong', 'silent'];

/** What of the service's answers may go wrong on purpose. */
const WRONG: readonly ((response: ServerResponse) => void)[] = [
  (response) => response.destroy(),
  (response) => response.writeHead(500).end('no'),
  (response) => response.writeHead(302, { location: '/good' }).end('there'),
  (response) => response.writeHead(410).end(),
  (response) => response.socket?.end('this is no HTTP\r\n\r\n'),
  (response) => response.socket?.end('HTTP/1.1 200'),
  (response) => response.socket?.end('HTTP/1.1 101 X\r\nupgrade: y\r\nconnection: upgrade\r\n\r\n'),
];

/** Who sends, and which of its events bear the name that is told. */
export class ToldEvents {
  readonly #random: () => number;
  /** By sender: numbers in the order in which they were sent. */
  readonly #sent: number[][] = [];
  readonly #tried = new Set<string>();
  /** Numbers that were answered 200. */
  readonly acknowledged: number[] = [];
  sentCount = 0;
  /** Everybody is good, and nobody sends. */
  isOver = false;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Sends until it is over. @param post sends the body of an event once: whether it was stored. */
  async send(post: (body: object) => Promise<boolean>): Promise<void> {
    const own: number[] = [];
    this.#sent.push(own);
    while (!this.isOver) {
      this.sentCount++;
      const number = this.sentCount;
      const isTold = number % OTHER_EVERY !== 0;
      if (isTold) own.push(number);
      const isStored = await post({
        ...{ ip: `89.12.${number % 200}.7`, event_name: isTold ? 'sold' : 'seen' },
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
        event_meta: { number: String(number) },
      });
      if (isStored && isTold) this.acknowledged.push(number);
      if (!isStored) await pause(50);
      await pause(this.#random() * REST_MS_MAX);
    }
  }

  /** Answers as the path says, the second time well. */
  readonly behave = ({ path, id }: Received, response: ServerResponse): void => {
    const random = this.#random;
    const isFirst = !this.#tried.has(`${path} ${id}`) && !this.isOver;
    this.#tried.add(`${path} ${id}`);
    const manner = MANNERS.find((one) => path.startsWith(`/${one}`));
    if (manner === 'slow') setTimeout(() => response.end(), random() * 200);
    else if (manner === 'wrong' && isFirst && random() < 0.3) {
      WRONG[Math.floor(random() * WRONG.length)]?.(response);
    } else if (manner === 'silent' && isFirst && random() < 0.02) return;
    else response.end();
  };

  /** Numbers that a path was told of. */
  told(receiver: WebhookReceiver, path: string): Set<number> {
    return new Set(receiver.of(path).map(numberOf));
  }

  /**
   * Everything that is wrong with what a path was told, in words.
   *
   * @param stored how many events of the name the service says that it has.
   *   Of a receiver that was not there nobody knows in which order it was tried.
   */
  faults(receiver: WebhookReceiver, path: string, stored: number, wasThere = true): string[] {
    const received = receiver.of(path);
    const told = this.told(receiver, path);
    const faults: string[] = [];
    const say = (what: string) => faults.push(`${path}: ${what}`);
    const untold = this.acknowledged.filter((number) => !told.has(number));
    if (untold.length > 0) say(`untold ${untold.join(', ')}`);
    if (told.size !== stored) say(`told of ${told.size} events, stored are ${stored}`);
    const sent = new Set(this.#sent.flat());
    for (const number of told) if (!sent.has(number)) say(`${number} was never sent`);
    const [byId, byNumber] = [new Map<string, string>(), new Map<number, string>()];
    for (const one of received) {
      const number = numberOf(one);
      if ((byId.get(one.id) ?? one.text) !== one.text) say(`${one.id} names two events`);
      if ((byNumber.get(number) ?? one.id) !== one.id) say(`${number} has two ids`);
      byId.set(one.id, one.text);
      byNumber.set(number, one.id);
      if (one.body['event_name'] !== 'sold') say(`${number} has another name`);
    }
    if (!wasThere) return faults;
    return [...faults, ...this.#disorder(received).map((what) => `${path}: ${what}`)];
  }

  /** Begun too early: when an event comes first, at most three earlier ones of its sender are missing. */
  #disorder(received: readonly Received[]): string[] {
    const firstAt = new Map<number, number>();
    for (const one of received) {
      const number = numberOf(one);
      if (!firstAt.has(number)) firstAt.set(number, firstAt.size);
    }
    return this.#sent.flatMap((numbers) => {
      const places = numbers.flatMap((number) => firstAt.get(number) ?? []);
      return places.flatMap((place, index) => {
        const before = places.slice(Math.max(0, index - 4 * PLACES), index);
        const missing = before.filter((other) => other > place).length;
        return missing < PLACES
          ? []
          : [`event ${index} of a sender before ${missing} earlier ones`];
      });
    });
  }
}

/** Of an event. */
function numberOf({ body }: Received): number {
  return Number((body['event_meta'] as { number: string }).number);
}
