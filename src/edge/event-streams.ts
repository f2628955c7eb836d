/**
 * The streams of an edge: how many there may be, who may go on listening, and their end with the edge.
 *
 * Control plane: one walk a second over all of them. They are no requests in flight: a stop ends them.
 */
import { errors, type OperatingError } from '../model/errors.ts';
import {
  LIVE_STREAM_COUNT_MAX,
  LIVE_STREAM_OF_DOMAIN_COUNT_MAX,
  LIVE_STREAM_OF_NETWORK_COUNT_MAX,
  SECOND_MS,
} from '../model/limits.ts';
import { metrics } from '../model/metrics.ts';
import type { EventStream } from './http/event-stream.ts';

/** From one look at all streams to the next. */
const LOOK_MS = SECOND_MS;
/** Looks after which connections are kept from ending; the engine closes idle ones after 8 seconds. */
const KEEP_OPEN_LOOKS = 4;

/** Whether whoever listens may go on. */
type MayListen = () => boolean;

/** Whom a stream is to, and what it is about. */
export interface StreamPlace {
  /** As `StreamAnswer` says. */
  readonly of: string;
  /** The network that it goes to, of the internet; '': it is not counted. */
  readonly network: string;
}

/** The open streams of one edge. */
export class EventStreams {
  readonly #nowMs: () => number;
  readonly #streams = new Map<EventStream, MayListen>();
  /** By what they are about, and by that and the network they go to. */
  readonly #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #looks = 0;
  #isClosed = false;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Why there can be no further one: too many, of its place or in all; a stop. Null: there can. */
  refusalOf(place: StreamPlace): OperatingError | null {
    if (this.#isClosed) return errors.NOT_READY({ reason: 'it is stopping' });
    const isFull = countedOf(place).some(({ key, max }) => (this.#counts.get(key) ?? 0) >= max);
    const hasRoom = this.#streams.size < LIVE_STREAM_COUNT_MAX && !isFull;
    return hasRoom ? null : errors.OVERLOADED({ reason: 'too many streams are open' });
  }

  /** @returns takes it out again. */
  add(stream: EventStream, place: StreamPlace, mayListen: MayListen): () => void {
    this.#streams.set(stream, mayListen);
    this.#count(place, 1);
    metrics.eventStreams.set(this.#streams.size);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS);
    return () => {
      if (!this.#streams.delete(stream)) return;
      this.#count(place, -1);
      metrics.eventStreams.set(this.#streams.size);
      if (this.#streams.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  /** Ends all of them, and lets no more in. */
  close(): void {
    this.#isClosed = true;
    for (const stream of [...this.#streams.keys()]) stream.end();
  }

  #count(place: StreamPlace, by: 1 | -1): void {
    for (const { key } of countedOf(place)) {
      const left = (this.#counts.get(key) ?? 0) + by;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    }
  }

  #look(): void {
    this.#looks++;
    const isKept = this.#looks % KEEP_OPEN_LOOKS === 0;
    const nowMs = this.#nowMs();
    for (const [stream, mayListen] of [...this.#streams]) {
      if (!mayListen()) stream.end();
      else if (isKept) stream.keepOpen(nowMs);
    }
  }
}

/** Under which names a stream counts, and how many of each there may be. */
function countedOf({ of, network }: StreamPlace): { key: string; max: number }[] {
  const counted = [{ key: of, max: LIVE_STREAM_OF_DOMAIN_COUNT_MAX }];
  if (network !== '') {
    counted.push({ key: `${of} ${network}`, max: LIVE_STREAM_OF_NETWORK_COUNT_MAX });
  }
  return counted;
}
