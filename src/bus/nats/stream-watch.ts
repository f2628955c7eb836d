/**
 * Looks after the stream of hits while the node runs: somebody may delete it, or put another one there.
 *
 * Control plane. A publication to a stream that is gone is told like one to servers that are away, so
 * nobody would name it before a start does. Looked at every other second, and at once when somebody
 * found nobody there.
 */

import type { JetStreamManager } from 'nats';
import { SECOND_MS } from '../../model/limits.ts';
import type { LogMemory } from '../log/links.ts';
import { STREAM_FAULT, setLogFault } from '../log/write-faults.ts';
import { findStream } from './streams.ts';

const LOOK_MS = 2 * SECOND_MS;

/** What to look at. */
export interface WatchedStream {
  manager: JetStreamManager;
  name: string;
  /** When the stream was made: another one of its name was not made then. */
  created: string;
  memory: LogMemory;
}

/** The watch of one node. */
export class NatsStreamWatch {
  readonly #stream: WatchedStream;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;
  #isClosed = false;

  constructor(stream: WatchedStream) {
    this.#stream = stream;
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
  }

  /** Looks now, unless it does already. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { manager, name, created, memory } = this.#stream;
    try {
      const info = await findStream(manager, name);
      if (this.#isClosed) return;
      const fault =
        info === null ? STREAM_FAULT.gone : info.created === created ? 0 : STREAM_FAULT.replaced;
      setLogFault(memory, fault);
    } catch {
      // The servers are away or elect a leader: that is told elsewhere.
    } finally {
      this.#isLooking = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }
}
