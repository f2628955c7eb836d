/**
 * When a view is asked for again: when something came, at most once every two seconds (D-14), never
 * while nobody looks, never while an answer is on its way; after a failure later each time.
 */
import { type ApiError, isPassing } from './api.ts';
import { backoffMs } from './backoff.ts';

const RENEW_MS_MIN = 2_000;

/** Of one view, until `stop`. Who asks tells it when it begins and what came of it. */
export class Renewal {
  readonly #ask: () => void;
  #isWanted = false;
  #isAsking = false;
  #isHeld = false;
  #failures = 0;
  /** By `performance.now()`: nothing is asked by itself before. */
  #dueMs = 0;
  #timer = 0;

  constructor(ask: () => void) {
    this.#ask = ask;
    document.addEventListener('visibilitychange', this.#look);
    addEventListener('pageshow', this.#look);
    addEventListener('online', this.#onOnline);
  }

  /** Whether an answer is on its way, or asked for at once. */
  get isSoon(): boolean {
    return this.#isAsking || (this.#timer !== 0 && performance.now() >= this.#dueMs);
  }

  /** What is shown is older than what there is. */
  want(): void {
    if (this.#isHeld) return;
    this.#isWanted = true;
    this.#look();
  }

  /** Nothing is asked for by itself, or again. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld) this.#isWanted = false;
  }

  began(): void {
    this.#drop();
    this.#isWanted = false;
    this.#isAsking = true;
    this.#dueMs = performance.now() + RENEW_MS_MIN;
  }

  answered(): void {
    this.#isAsking = false;
    this.#failures = 0;
    this.#look();
  }

  failed(error: ApiError): void {
    this.#isAsking = false;
    if (!isPassing(error)) return;
    this.#failures++;
    this.#dueMs = performance.now() + backoffMs(this.#failures, error.retryAfterSeconds);
    this.#isWanted = true;
    this.#look();
  }

  stop(): void {
    this.#drop();
    document.removeEventListener('visibilitychange', this.#look);
    removeEventListener('pageshow', this.#look);
    removeEventListener('online', this.#onOnline);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  #hurry(): void {
    this.#drop();
    this.#dueMs = 0;
  }

  readonly #look = (): void => {
    if (!this.#isWanted || this.#isAsking || this.#timer !== 0 || document.hidden) return;
    this.#timer = window.setTimeout(
      () => {
        this.#timer = 0;
        if (this.#isWanted && !document.hidden) this.#ask();
      },
      Math.max(0, this.#dueMs - performance.now()),
    );
  };

  readonly #onOnline = (): void => {
    if (this.#failures === 0) return;
    this.#hurry();
    this.#look();
  };
}
