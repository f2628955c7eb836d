/**
 * The body of a request while it arrives.
 *
 * Data plane. A body that comes in one piece is parsed where it lies. One that comes in pieces is
 * copied into a buffer that doubles, so the copying is linear and a body of single bytes costs no
 * more memory than any other; what a client merely announces is never allocated.
 */
import { assert } from '../../base/assert.ts';
import { errors } from '../../model/errors.ts';
import { budgets } from '../../model/memory.ts';

const FIRST_BUFFER_BYTES = 16 * 1_024;

/**
 * Bytes that one edge holds of bodies that are not read yet.
 *
 * A client may hold as much as all of them leave free: one alone half of it, and there is always
 * room for another one.
 */
export class BodyBudget {
  heldBytes = 0;
  readonly #byClient = new Map<string, number>();

  /** @returns why a client may not hold more; null when it may. */
  refusal(clientKey: string, addedBytes: number): string | null {
    const freeBytes = budgets.bodies - this.heldBytes - addedBytes;
    if (freeBytes < 0) return 'too many large bodies are on their way';
    const ownBytes = (this.#byClient.get(clientKey) ?? 0) + addedBytes;
    return ownBytes > freeBytes ? 'too many large bodies of this client are on their way' : null;
  }

  /** Counts bytes that a client holds from now on, or holds no more when negative. */
  add(clientKey: string, bytes: number): void {
    this.heldBytes += bytes;
    const ownBytes = (this.#byClient.get(clientKey) ?? 0) + bytes;
    assert(ownBytes >= 0, 'no body is released twice');
    if (ownBytes === 0) this.#byClient.delete(clientKey);
    else this.#byClient.set(clientKey, ownBytes);
  }
}

/** What has arrived of one body that comes in pieces. */
export class PartialBody {
  readonly #budget: BodyBudget;
  readonly #clientKey: string;
  #buffer: Buffer = Buffer.allocUnsafeSlow(0);
  #length = 0;

  /** @param clientKey whose it is; '' for requests of nobody. */
  constructor(budget: BodyBudget, clientKey: string) {
    this.#budget = budget;
    this.#clientKey = clientKey;
  }

  /**
   * Copies a piece.
   *
   * @param piece read during the call only.
   * @throws OVERLOADED when the bodies of its client or of this edge would be too many.
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
    this.#budget.add(this.#clientKey, -this.#buffer.length);
    this.#buffer = Buffer.allocUnsafeSlow(0);
    this.#length = 0;
  }

  #grow(length: number): void {
    const size = Math.max(FIRST_BUFFER_BYTES, this.#buffer.length * 2, length);
    const addedBytes = size - this.#buffer.length;
    const reason = this.#budget.refusal(this.#clientKey, addedBytes);
    if (reason !== null) throw errors.OVERLOADED({ reason });
    const grown = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#budget.add(this.#clientKey, addedBytes);
    this.#buffer = grown;
  }
}
