/**
 * SIGTERM and SIGINT: the first asks the service to stop in order, the second ends it at once. SIGHUP
 * has it read files of the operator's own again, unless it says that the terminal is gone.
 *
 * Control plane.
 */
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { monotonicMs } from '../base/clock.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** The terminal that a process belongs to, whatever its streams are. */
const TERMINAL = '/dev/tty';
/** A start that a signal interrupts may come to its end this long, to be stopped in order. */
const START_PATIENCE_MS = 2_000;
/** npm hands on the Ctrl-C that the terminal has sent to its child already: that is still one. */
const SAME_PRESS_MS = 100;

/** Listens for signals from its making on. */
export class StopSignals {
  readonly #beforeExit: () => void;
  #firstMs: number | null = null;
  /** Called by the first signal, once somebody waits for it. */
  #stop: ((signal: null) => void) | null = null;
  /** Whether somebody sits before it: under `nohup`, systemd or Docker no stream is a terminal. */
  readonly #hasTerminal = [0, 1, 2].some(isatty) && opens(TERMINAL);
  #reload: (() => void) | null = null;

  /** @param beforeExit runs before the process ends at once. */
  constructor(beforeExit: () => void) {
    this.#beforeExit = beforeExit;
    for (const signal of SIGNALS) process.on(signal, () => this.#receive(signal));
    process.on('SIGHUP', () => this.#hangUp());
  }

  /** Has every SIGHUP from now on reload; what started with the files of now needs none before. */
  onReload(reload: () => void): void {
    this.#reload = reload;
  }

  /** Resolves with null at the first signal, at once if it came before. */
  first(): Promise<null> {
    return new Promise((resolve) => {
      this.#stop = resolve;
      if (this.#firstMs !== null) resolve(null);
    });
  }

  /** Whoever closes the window of a service ends it, as everywhere. */
  #hangUp(): void {
    if (this.#hasTerminal && !opens(TERMINAL)) this.#receive('SIGHUP');
    else this.#reload?.();
  }

  #receive(signal: (typeof SIGNALS)[number] | 'SIGHUP'): void {
    if (this.#firstMs === null) {
      this.#firstMs = monotonicMs();
      if (this.#stop !== null) this.#stop(null);
      else this.#exitSoon();
    } else if (monotonicMs() - this.#firstMs > SAME_PRESS_MS) {
      this.#exit(128 + constants.signals[signal]);
    }
  }

  /**
   * Before the service is ready nothing is in flight. But threads that have just opened a port are
   * better stopped in order: the HTTP engine makes Node abort when such a thread is cut off.
   */
  #exitSoon(): void {
    setTimeout(() => {
      if (this.#stop === null) this.#exit(0);
    }, START_PATIENCE_MS).unref();
  }

  #exit(status: number): void {
    this.#beforeExit();
    process.exit(status);
  }
}

function opens(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch {
    return false;
  }
}
