/**
 * Which way a node's appends go: straight into the stream, or behind what waits in the spool.
 *
 * Data plane at batch granularity. While anything waits, what is new goes behind it. A record that
 * was sent to the stream and not acknowledged is never spooled, since it may be stored: its client is
 * told to try again, as without a spool.
 *
 *     append ─┬─ nothing waits ────────────────────────▶ stream
 *             ├─ the last of it is on its way: held ─ ─ ─ ▲
 *             └─ away, or much waits ─▶ disk ─▶ answered ─ ┘ later, in order
 */

import { errors, OperatingError } from '../../model/errors.ts';
import type { LogMemory } from '../log/links.ts';
import { type PublishSpooled, SpoolForwarder } from './forwarder.ts';
import { isSpool, Spool, type SpoolOptions } from './spool.ts';

/** The spool of a node. */
export interface SpoolGateOptions extends SpoolOptions {
  /** False: what an earlier run left is forwarded, nothing is added while the servers are away. */
  isOn: boolean;
}

/** States of `LogMemory.isAway`. */
const PRESENT = 0;
const REFUSING = 1;
const SPOOLING = 2;

/**
 * While this little waits and the stream takes it, new appends are held until it has gone: else a
 * busy node would spool for ever, and its statistics would lag behind its answers.
 */
const HOLD_BYTES = 1_024 * 1_024;

/** An append that cannot go straight into the stream. */
export interface SpoolAppend {
  bodies: readonly Uint8Array[];
  /** Sends it straight into the stream after all. */
  send: () => void;
  /** Answers it: null when it is durable. SPOOL_FULL, LOG_WRITE_FAILED, LOG_UNAVAILABLE. */
  done: (error: Error | null) => void;
}

/** A node's gate. */
export class SpoolGate {
  readonly isOn: boolean;
  readonly #spool: Spool;
  readonly #forwarder: SpoolForwarder;
  readonly #memory: LogMemory;
  readonly #onFault: (error: Error) => void;
  #isAway = false;
  /** The stream did not answer: until it takes a record of the spool. */
  #isTroubled = false;
  #waiting: SpoolAppend[] = [];
  #isScheduled = false;

  private constructor(
    options: SpoolGateOptions,
    link: { memory: LogMemory; publish: PublishSpooled; onFault: (error: Error) => void },
  ) {
    this.isOn = options.isOn;
    this.#memory = link.memory;
    this.#onFault = link.onFault;
    this.#spool = Spool.open(options);
    this.#forwarder = new SpoolForwarder(this.#spool, link.publish, () => {
      this.#isTroubled = false;
      this.#route();
    });
    this.#tell();
    this.#forwarder.wake();
  }

  /**
   * Opens the spool of the settings.
   *
   * @param link.onFault nobody can tell what is on the disk: the process must end.
   * @returns null when there is none and the settings want none.
   * @throws LOG_DAMAGED, LOG_WRITE_FAILED.
   */
  static open(
    options: SpoolGateOptions,
    link: { memory: LogMemory; publish: PublishSpooled; onFault: (error: Error) => void },
  ): SpoolGate | null {
    return options.isOn || isSpool(options.dir) ? new SpoolGate(options, link) : null;
  }

  /** Whether appends go straight into the stream. */
  get isOpen(): boolean {
    return this.#spool.isEmpty && this.#waiting.length === 0 && !this.#isSpooling();
  }

  /** Stores an append behind what waits; one of its functions is called once, later. */
  add(append: SpoolAppend): void {
    this.#waiting.push(append);
    if (this.#isScheduled) return;
    // What comes in one turn shares a sync.
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#route();
    });
  }

  /** The connection came or went. */
  connectionChanged(isAway: boolean): void {
    this.#isAway = isAway;
    this.#route();
  }

  /** The stream did not answer. @returns whether the record should be given up. */
  readonly noteTrouble = (): boolean => {
    if (!this.isOn) return false;
    this.#isTroubled = true;
    this.#route();
    return true;
  };

  /** What waits stays for the next start; every append must have been answered. */
  async close(): Promise<void> {
    await this.#forwarder.close();
    this.#spool.close();
  }

  #isSpooling(): boolean {
    return this.isOn && (this.#isAway || this.#isTroubled);
  }

  /** Decides about the appends that are here, whenever something has changed. */
  #route(): void {
    const isHeld = !this.#isAway && !this.#isSpooling() && this.#spool.waitingBytes < HOLD_BYTES;
    if (!isHeld) this.#commit();
    else if (this.#spool.isEmpty) for (const { send } of this.#taken()) send();
    this.#tell();
    this.#forwarder.wake();
  }

  #taken(): SpoolAppend[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  #commit(): void {
    const taken: SpoolAppend[] = [];
    let bytes = 0;
    for (const append of this.#taken()) {
      let own = 0;
      for (const body of append.bodies) own += body.length;
      const isRefused = this.#isAway && !this.isOn;
      if (isRefused) append.done(errors.LOG_UNAVAILABLE({ reason: 'NATS is away' }));
      else if (!this.#spool.hasRoom(bytes + own)) append.done(errors.SPOOL_FULL({}));
      else {
        taken.push(append);
        bytes += own;
      }
    }
    if (taken.length > 0) this.#store(taken);
  }

  #store(taken: readonly SpoolAppend[]): void {
    let fault: Error | null = null;
    try {
      this.#spool.add(taken.flatMap(({ bodies }) => bodies));
    } catch (error) {
      const isKnown = error instanceof OperatingError && error.code === 'LOG_WRITE_FAILED';
      if (!isKnown) {
        // Never answered: a start tells what is there.
        this.#onFault(error as Error);
        return;
      }
      fault = error;
    }
    for (const { done } of taken) done(fault);
  }

  #tell(): void {
    const { isAway, spooled } = this.#memory;
    const isFull = !this.#spool.hasRoom(1);
    Atomics.store(spooled, 0, BigInt(this.#spool.waitingBytes));
    let state = PRESENT;
    if (this.#isSpooling()) state = isFull ? REFUSING : SPOOLING;
    else if (this.#isAway) state = REFUSING;
    Atomics.store(isAway, 0, state);
  }
}
