/**
 * The streams of an edge: how many there may be, who may go on listening, and their end with the edge.
 *
 * Control plane: one walk a second over all of them. They are no requests in flight: a stop ends them.
 */
import type { StreamAnswer } from '../api/endpoint.ts';
import { errors, type OperatingError } from '../model/errors.ts';
import {
  LIVE_STREAM_COUNT_MAX,
  LIVE_STREAM_OF_DOMAIN_COUNT_MAX,
  SECOND_MS,
} from '../model/limits.ts';
import type { EventStream } from './http/event-stream.ts';

/** From one look at all streams to the next. */
const LOOK_MS = SECOND_MS;
/** Looks after which connections are kept from ending; the engine closes idle ones after 8 seconds. */
const KEEP_OPEN_LOOKS = 4;

/** Whether whoever listens may go on. */
type MayListen = () => boolean;

/** The open streams of one edge. */
export class EventStreams {
  readonly #nowMs: () => number;
  readonly #streams = new Map<EventStream, MayListen>();
  readonly #countOf = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #looks = 0;
  #isClosed = false;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Why there can be no further one: too many, of the domain or in all; a stop. Null: there can. */
  refusalOf({ of }: StreamAnswer): OperatingError | null {
    if (this.#isClosed) return errors.NOT_READY({ reason: 'it is stopping' });
    const ofDomain = this.#countOf.get(of) ?? 0;
    const hasRoom =
      this.#streams.size < LIVE_STREAM_COUNT_MAX && ofDomain < LIVE_STREAM_OF_DOMAIN_COUNT_MAX;
    return hasRoom ? null : errors.OVERLOADED({ reason: 'too many streams are open' });
  }

  /** @returns takes it out again. */
  add(stream: EventStream, of: string, mayListen: MayListen): () => void {
    this.#streams.set(stream, mayListen);
    this.#countOf.set(of, (this.#countOf.get(of) ?? 0) + 1);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS);
    return () => {
      if (!this.#streams.delete(stream)) return;
      const left = (this.#countOf.get(of) ?? 1) - 1;
      if (left === 0) this.#countOf.delete(of);
      else this.#countOf.set(of, left);
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
