/**
 * The answer with which a connection ends.
 *
 * A connection that is closed while something that came is unread is reset, and a client that still
 * sends may lose what it was answered: the rest of its body is let pass before, within bounds.
 */
import { DISCARDED_BODY_BYTES_MAX, LAST_ANSWER_MS_MAX } from '../../model/limits.ts';

/** One such answer, which waits for its time. */
export class LastAnswer {
  readonly #answer: () => void;
  #passedBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #isGiven = false;

  /**
   * @param answer writes it, unless the client is gone by then.
   * @param isBodyAwaited whether `passed` is going to be called.
   */
  constructor(answer: () => void, isBodyAwaited: boolean) {
    this.#answer = answer;
    if (isBodyAwaited) this.#timer = setTimeout(() => this.#give(), LAST_ANSWER_MS_MAX);
    else this.#give();
  }

  /** A piece of the body has come, and is dropped. */
  passed(byteCount: number, isLast: boolean): void {
    this.#passedBytes += byteCount;
    if (isLast || this.#passedBytes > DISCARDED_BODY_BYTES_MAX) this.#give();
  }

  #give(): void {
    if (this.#isGiven) return;
    this.#isGiven = true;
    clearTimeout(this.#timer);
    // Not at once: behind a request that is answered the engine goes on with what it has read, closing
    // or not. Behind one that is not, it closes.
    setImmediate(this.#answer);
  }
}
