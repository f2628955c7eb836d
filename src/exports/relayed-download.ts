/**
 * A file of an export that another node has, fetched from it piece by piece as its client takes them.
 *
 * Control plane, on the thread of an edge. A few pieces are asked for ahead of the client, so that the
 * way between the nodes is never waited for twice; there are never more of them in memory.
 *
 *     client ◀─ bytesAt ─ [ piece │ piece │ asked │ asked ]          each: ask ──▶ node of the place
 *                           taken  ▲ at most RELAYED_AHEAD_COUNT
 */
import { setTimeout as pause } from 'node:timers/promises';
import { assert, must } from '../base/assert.ts';
import { monotonicMs } from '../base/clock.ts';
import { errors, OperatingError } from '../model/errors.ts';
import {
  DOWNLOAD_PIECE_BYTES,
  RELAYED_AHEAD_COUNT,
  RELAYED_ANSWER_MS,
  RELAYED_PATIENCE_MS,
  RELAYED_RETRY_MS,
} from '../model/export-limits.ts';
import { pieceQuestion } from './file-pieces.ts';

/** Asks the node that has a place; NODE_AWAY when nobody answers for it. */
export type AskPlace = (
  place: string,
  question: Uint8Array,
  timeoutMs: number,
) => Promise<Uint8Array>;

/** A file of a place. */
interface PlacedFile {
  readonly id: string;
  readonly place: string;
  readonly name: string;
  readonly bytes: number;
}

/** Whether another node has a file. @throws EXPORT_AWAY, RECORD_NOT_FOUND, OVERLOADED. */
export async function lookElsewhere(
  { id, place, name, bytes }: PlacedFile,
  ask: AskPlace,
): Promise<void> {
  const question = pieceQuestion({ id, name, bytes, offset: 0, length: 0 });
  try {
    await ask(place, question, RELAYED_ANSWER_MS);
  } catch (cause) {
    if (isAway(cause)) throw errors.EXPORT_AWAY({}, cause);
    throw cause;
  }
}

/** One file of another node. */
export class RelayedDownload {
  readonly #file: PlacedFile;
  readonly #ask: AskPlace;
  readonly #count: (by: 1 | -1) => boolean;
  #ahead: { readonly offset: number; readonly bytes: Promise<Uint8Array> }[] = [];
  #isBegun = false;
  #isClosed = false;

  /** @param count is told when it begins and when it is over; false: it may not begin. */
  constructor(file: PlacedFile, ask: AskPlace, count: (by: 1 | -1) => boolean) {
    this.#file = file;
    this.#ask = ask;
    this.#count = count;
  }

  /** As of a file on this disk; rejects when the other node is away for too long. */
  async bytesAt(offset: number): Promise<Uint8Array | null> {
    if (this.#isClosed || offset >= this.#file.bytes) return null;
    this.#isBegun ||= this.#count(1);
    if (!this.#isBegun) return null;
    const isTaken = (start: number) => start + DOWNLOAD_PIECE_BYTES <= offset;
    while (this.#ahead[0] !== undefined && isTaken(this.#ahead[0].offset)) this.#ahead.shift();
    this.#askAhead(offset);
    const { offset: start, bytes } = must(this.#ahead[0], 'what is wanted is asked for');
    assert(start <= offset, 'a client takes a file from its beginning on');
    return (await bytes).subarray(offset - start);
  }

  /** Lets go of it; again it does nothing. What is asked for comes in vain. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#ahead = [];
    if (this.#isBegun) this.#count(-1);
  }

  #askAhead(offset: number): void {
    const last = this.#ahead.at(-1);
    let next = last === undefined ? offset : last.offset + DOWNLOAD_PIECE_BYTES;
    while (this.#ahead.length < RELAYED_AHEAD_COUNT && next < this.#file.bytes) {
      const bytes = this.#piece(next);
      // Who waits for it is told; nobody may.
      bytes.catch(() => undefined);
      this.#ahead.push({ offset: next, bytes });
      next += DOWNLOAD_PIECE_BYTES;
    }
  }

  /** Asked again while the client may still be there: an answer may be lost, a node started again. */
  async #piece(offset: number): Promise<Uint8Array> {
    const { id, place, name, bytes } = this.#file;
    const length = Math.min(DOWNLOAD_PIECE_BYTES, bytes - offset);
    const question = pieceQuestion({ id, name, bytes, offset, length });
    const endMs = monotonicMs() + RELAYED_PATIENCE_MS;
    for (;;) {
      const leftMs = Math.max(endMs - monotonicMs(), 1);
      try {
        const found = await this.#ask(place, question, Math.min(leftMs, RELAYED_ANSWER_MS));
        if (found.length === length) return found;
        throw errors.NODE_AWAY({ reason: `${found.length} bytes came of ${length}` });
      } catch (error) {
        const isLast = monotonicMs() + RELAYED_RETRY_MS >= endMs;
        if (this.#isClosed || isLast || !(isAway(error) || isBusy(error))) throw error;
      }
      await pause(RELAYED_RETRY_MS);
    }
  }
}

function isAway(error: unknown): boolean {
  return error instanceof OperatingError && error.code === 'NODE_AWAY';
}

function isBusy(error: unknown): boolean {
  return error instanceof OperatingError && error.code === 'OVERLOADED';
}
