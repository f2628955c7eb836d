/**
 * A body that goes on piece by piece, as fast as somebody takes it: an upload.
 *
 * Data plane. Nothing is gathered here: who sends faster than the disk takes it is paused, so one upload
 * holds as much memory as its sink lets wait, however large it is.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { Answer, BodySink } from '../../api/endpoint.ts';
import type { PartialBody } from './body.ts';

/** What becomes of the request. */
interface Outcome {
  answer(answer: Promise<Answer>): void;
  refuse(error: unknown): void;
}

/** One body on its way into its sink. */
export class PouredBody {
  isPaused = false;
  readonly #sink: BodySink;
  readonly #client: Pick<HttpResponse, 'pause' | 'resume'>;
  readonly #outcome: Outcome;
  #isOver = false;
  /** All of it has come: whether it is kept is the sink's to say, though the client may be gone. */
  #isWhole = false;

  constructor(sink: BodySink, client: Pick<HttpResponse, 'pause' | 'resume'>, outcome: Outcome) {
    this.#sink = sink;
    this.#client = client;
    this.#outcome = outcome;
  }

  /**
   * Takes a piece.
   *
   * @param piece of use during the call only.
   * @param before what came while it was looked who sends it; null: nothing.
   * @returns true.
   */
  take(piece: Uint8Array, isLast: boolean, before: PartialBody | null): true {
    if (this.#isOver) return true;
    const early = before?.bytes() ?? piece.subarray(0, 0);
    if (early.length > 0) this.#sink.write(Buffer.from(early));
    before?.release();
    const hasRoom = piece.length === 0 || this.#sink.write(Buffer.from(piece));
    if (isLast) this.#outcome.answer(this.#end());
    else if (!hasRoom && !this.isPaused) this.#wait();
    return true;
  }

  /** The request is over: unless all of it was taken nothing is kept. */
  abort(): void {
    if (this.#isOver || this.#isWhole) return;
    this.#isOver = true;
    this.#sink.abort();
  }

  async #end(): Promise<Answer> {
    this.#isWhole = true;
    try {
      return await this.#sink.end();
    } catch (error) {
      this.#sink.abort();
      throw error;
    } finally {
      this.#isOver = true;
    }
  }

  #wait(): void {
    this.isPaused = true;
    this.#client.pause();
    const goOn = (): void => {
      this.isPaused = false;
      if (!this.#isOver) this.#client.resume();
    };
    this.#sink.room().then(goOn, (error: unknown) => {
      this.isPaused = false;
      if (this.#isOver) return;
      // The rest is let pass, so that the client can hear why.
      this.#outcome.refuse(error);
      this.#client.resume();
    });
  }
}
