/**
 * SIGTERM and SIGINT: the first asks the service to stop in order, the second ends it at once.
 *
 * Control plane.
 */
import { constants } from 'node:os';
import { monotonicMs } from '../base/clock.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** npm hands on the Ctrl-C that the terminal has sent to its child already: that is still one. */
const SAME_PRESS_MS = 100;

/** Listens for signals from its making on. */
export class StopSignals {
  readonly #beforeExit: () => void;
  #firstMs: number | null = null;
  /** Called by the first signal, once somebody waits for it. */
  #stop: ((signal: null) => void) | null = null;

  /** @param beforeExit runs before the process ends at once. */
  constructor(beforeExit: () => void) {
    this.#beforeExit = beforeExit;
    for (const signal of SIGNALS) process.on(signal, () => this.#receive(signal));
  }

  /** Resolves with null at the first signal. */
  first(): Promise<null> {
    return new Promise((resolve) => {
      this.#stop = resolve;
    });
  }

  #receive(signal: (typeof SIGNALS)[number]): void {
    if (this.#firstMs === null) {
      this.#firstMs = monotonicMs();
      // Before the service is ready nothing is in flight, so there is nothing to stop in order.
      if (this.#stop === null) this.#exit(0);
      else this.#stop(null);
    } else if (monotonicMs() - this.#firstMs > SAME_PRESS_MS) {
      this.#exit(128 + constants.signals[signal]);
    }
  }

  #exit(status: number): void {
    this.#beforeExit();
    process.exit(status);
  }
}
