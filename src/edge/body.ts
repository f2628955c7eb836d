/**
 * The body of a request while it arrives.
 *
 * Data plane. A body that comes in one piece is parsed where it lies. One that comes in pieces is
 * copied into a buffer that doubles, so the copying is linear and a body of single bytes costs no
 * more memory than any other; what a client merely announces is never allocated.
 */
import { assert } from '../base/assert.ts';
import { errors } from '../model/errors.ts';
import { budgets } from '../model/memory.ts';

const FIRST_BUFFER_BYTES = 16 * 1_024;

/** Bytes that one edge holds of bodies that are not complete. */
export class BodyBudget {
  heldBytes = 0;
}

/** What has arrived of one body that comes in pieces. */
export class PartialBody {
  readonly #budget: BodyBudget;
  #buffer: Buffer = Buffer.allocUnsafeSlow(0);
  #length = 0;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  /**
   * Copies a piece.
   *
   * @param piece read during the call only.
   * @throws OVERLOADED when all bodies of this edge together would be too large.
   */
  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) this.#grow(length);
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  /** The whole body; it stays the owner's until `release`. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Gives the memory back; call it once the body is parsed or given up. */
  release(): void {
    this.#budget.heldBytes -= this.#buffer.length;
    assert(this.#budget.heldBytes >= 0, 'no body is released twice');
    this.#buffer = Buffer.allocUnsafeSlow(0);
    this.#length = 0;
  }

  #grow(length: number): void {
    const size = Math.max(FIRST_BUFFER_BYTES, this.#buffer.length * 2, length);
    const addedBytes = size - this.#buffer.length;
    if (this.#budget.heldBytes + addedBytes > budgets.bodies) {
      throw errors.OVERLOADED({ reason: 'too many large bodies are on their way' });
    }
    const grown = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#budget.heldBytes += addedBytes;
    this.#buffer = grown;
  }
}
