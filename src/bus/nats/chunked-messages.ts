/**
 * Puts the parts of large records together (see `publisher.ts`).
 *
 * Data plane. Parts of one record stand side by side in their subject; a row of parts that is
 * interrupted was given up by its writer and is dropped.
 */

import type { Msg } from 'nats';
import { PART_HEADER } from './publisher.ts';

/** The parts of one shard. */
export class PartAssembler {
  #parts: Uint8Array[] = [];
  #count = 0;
  /** Sequence before the first part. */
  #before = 0;

  /**
   * Takes the next message.
   *
   * @returns the bytes of a whole record in a buffer of their own; null while parts are missing, and for
   *   an empty message, which only marks a place.
   */
  add(sequence: number, message: Pick<Msg, 'data' | 'headers'>): Uint8Array<ArrayBuffer> | null {
    const header = message.headers?.get(PART_HEADER) ?? '';
    if (header === '') {
      this.#parts = [];
      return message.data.length === 0 ? null : joined([message.data]);
    }
    const [part = 0, count = 0] = header.split('/').map(Number);
    if (part === 1) {
      this.#parts = [message.data];
      this.#count = count;
      this.#before = sequence - 1;
      return null;
    }
    if (part !== this.#parts.length + 1 || count !== this.#count) {
      this.#parts = [];
      return null;
    }
    this.#parts.push(message.data);
    if (part < count) return null;
    const bytes = joined(this.#parts);
    this.#parts = [];
    return bytes;
  }

  /** Forgets unfinished parts. @returns the position to read on from so that they come again. */
  restart(position: number): number {
    if (this.#parts.length === 0) return position;
    this.#parts = [];
    return this.#before;
  }
}

/** In an ArrayBuffer of its own, which can be transferred to another thread. */
function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let bytes = 0;
  for (let index = 0; index < parts.length; index++) bytes += parts[index]!.length;
  const whole = Buffer.allocUnsafeSlow(bytes);
  let offset = 0;
  for (let index = 0; index < parts.length; index++) {
    whole.set(parts[index]!, offset);
    offset += parts[index]!.length;
  }
  return whole;
}
