/**
 * Puts the chunks of large records together (see `publisher.ts`).
 *
 * Data plane. The chunks of a record are adjacent in their subject. An interrupted run of chunks
 * was given up by its writer and is dropped.
 */

import type { Msg } from 'nats';
import { asSequence, BEGINNING, type Sequence } from '../../model/ids.ts';
import { CHUNK_HEADER } from './publisher.ts';

/** The chunks of one shard. */
export class ChunkAssembler {
  #chunks: Uint8Array[] = [];
  #count = 0;
  /** Sequence before the first chunk. */
  #before: Sequence = BEGINNING;

  /**
   * Takes the next message.
   *
   * @returns the bytes of a whole record in a buffer of their own; null while chunks are missing,
   *   and for an empty message, which only marks a place.
   */
  add(sequence: Sequence, message: Pick<Msg, 'data' | 'headers'>): Uint8Array<ArrayBuffer> | null {
    const header = message.headers?.get(CHUNK_HEADER) ?? '';
    if (header === '') {
      this.#chunks = [];
      return message.data.length === 0 ? null : joined([message.data]);
    }
    const [chunk = 0, count = 0] = header.split('/').map(Number);
    if (chunk === 1) {
      this.#chunks = [message.data];
      this.#count = count;
      this.#before = asSequence(sequence - 1);
      return null;
    }
    if (chunk !== this.#chunks.length + 1 || count !== this.#count) {
      this.#chunks = [];
      return null;
    }
    this.#chunks.push(message.data);
    if (chunk < count) return null;
    const bytes = joined(this.#chunks);
    this.#chunks = [];
    return bytes;
  }

  /** Forgets unfinished chunks. @returns the position to read on from so that they come again. */
  restart(position: Sequence): Sequence {
    if (this.#chunks.length === 0) return position;
    this.#chunks = [];
    return this.#before;
  }
}

/** In an ArrayBuffer of its own, which can be transferred to another thread. */
function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let bytes = 0;
  for (let index = 0; index < chunks.length; index++) bytes += chunks[index]!.length;
  const whole = Buffer.allocUnsafeSlow(bytes);
  let offset = 0;
  for (let index = 0; index < chunks.length; index++) {
    whole.set(chunks[index]!, offset);
    offset += chunks[index]!.length;
  }
  return whole;
}
