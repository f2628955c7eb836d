/**
 * Bodies that do not come: whoever sends half of one is answered 408 in time.
 *
 * Data plane in `began` and `ended`, which are called per request with a body and nearly always find
 * nothing to do: the engine hands over a body that came with its head before the next request
 * begins, so a request is only looked at when it still waits at that point. One timer for all.
 *
 * The engine itself would cut a body off without an answer after 8 to 12 seconds in which less than
 * 160 KB came; each sweep puts that off, so that a slow client is not taken for a silent one.
 */
import { BODY_MS_MAX, BODY_SILENCE_MS_MAX, SECOND_MS } from '../../model/limits.ts';

/** How often it is looked: often enough to come before the engine. */
export const BODY_SWEEP_MS = 2 * SECOND_MS;
const SILENT_SWEEPS_MAX = BODY_SILENCE_MS_MAX / BODY_SWEEP_MS;
const SWEEPS_MAX = BODY_MS_MAX / BODY_SWEEP_MS;

/** A request whose body may be on its way. */
export interface AwaitedBody {
  readonly isBodyAwaited: boolean;
  /** Of a file: it may take as long as it likes, as long as it comes. */
  readonly file: object | null;
  readonly arrivedBytes: number;
  /** Keeps the engine from closing the connection for some seconds. */
  holdOpen(): void;
  /** Answers that the body is late. */
  giveUp(seconds: number): void;
}

interface Progress {
  bytes: number;
  silentSweeps: number;
  sweeps: number;
}

/** The bodies of one edge that came in pieces and are not whole. */
export class BodyWatch {
  readonly #watched = new Map<AwaitedBody, Progress>();
  readonly #timer: NodeJS.Timeout;
  #newest: AwaitedBody | null = null;

  /** @param sweepMs limits are counted in sweeps: a test makes them short. */
  constructor(sweepMs = BODY_SWEEP_MS) {
    this.#timer = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  /** A request with a body has begun. */
  began(body: AwaitedBody): void {
    const before = this.#newest;
    this.#newest = body;
    if (before?.isBodyAwaited === true) this.#watch(before);
  }

  /** A request is over. */
  ended(body: AwaitedBody): void {
    if (this.#watched.size > 0) this.#watched.delete(body);
  }

  /** Ends the timer. */
  close(): void {
    clearInterval(this.#timer);
  }

  #watch(body: AwaitedBody): void {
    if (this.#watched.has(body)) return;
    this.#watched.set(body, { bytes: 0, silentSweeps: 0, sweeps: 0 });
  }

  #sweep(): void {
    const newest = this.#newest;
    if (newest?.isBodyAwaited === true) this.#watch(newest);
    for (const [body, progress] of this.#watched) {
      const { arrivedBytes } = body;
      const isSilent = arrivedBytes === progress.bytes;
      progress.silentSweeps = isSilent ? progress.silentSweeps + 1 : 0;
      progress.bytes = arrivedBytes;
      progress.sweeps++;
      if (!body.isBodyAwaited) this.#watched.delete(body);
      else if (progress.silentSweeps >= SILENT_SWEEPS_MAX) {
        body.giveUp(BODY_SILENCE_MS_MAX / SECOND_MS);
      } else if (progress.sweeps >= SWEEPS_MAX && body.file === null)
        body.giveUp(BODY_MS_MAX / SECOND_MS);
      else body.holdOpen();
    }
  }
}
