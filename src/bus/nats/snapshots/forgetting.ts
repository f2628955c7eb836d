/**
 * Forgets messages of a stream: at once where it has one copy, one by one where it has several.
 *
 * Control plane. A purge is an entry in the log of a replicated stream. A server that starts again and
 * meets it there removes everything up to what was last when it was asked for, whatever its filter and
 * sequence said (NATS before 2.9.18, nats-server issue 4196): its copy lacks what others have, and once
 * it leads, what was acknowledged is gone. A deletion of one message means the same whenever it is met.
 */

import type { JetStreamManager } from 'nats';
import { NatsError } from 'nats';

/** Deletions that are on their way at once. */
const AT_ONCE = 32;
const NO_MESSAGE = 404;
/** Codes of the JetStream API for a deletion of what is not there: the second means other things, too. */
const SEQUENCE_NOT_FOUND = 10_043;
const DELETE_FAILED = 10_057;
const NO_MESSAGE_TEXT = /no message|not found/i;

/** Messages of one subject. */
export interface Forgotten {
  readonly stream: string;
  readonly subject: string;
  /** Up to and with this one. */
  readonly sequence: number;
}

/** Deletes messages by their sequences; those that are gone already are no error. */
export async function deleteMessages(
  manager: JetStreamManager,
  stream: string,
  sequences: readonly number[],
): Promise<void> {
  for (let first = 0; first < sequences.length; first += AT_ONCE) {
    const some = sequences.slice(first, first + AT_ONCE);
    await Promise.all(some.map((sequence) => deleteMessage(manager, stream, sequence)));
  }
}

async function deleteMessage(
  manager: JetStreamManager,
  stream: string,
  sequence: number,
): Promise<void> {
  try {
    // Not overwritten with zeros: nothing in them is more secret than elsewhere.
    await manager.streams.deleteMessage(stream, sequence, false);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  if (!(error instanceof NatsError) || error.api_error === undefined) return false;
  const { code, err_code, description } = error.api_error;
  if (code === NO_MESSAGE || err_code === SEQUENCE_NOT_FOUND) return true;
  return err_code === DELETE_FAILED && NO_MESSAGE_TEXT.test(description);
}

/** Sequences of a subject's messages from one to another, both included, as the leader has them. */
export async function sequencesOf(
  manager: JetStreamManager,
  { stream, subject, sequence: last }: Forgotten,
  { from, most }: { from: number; most: number },
): Promise<number[]> {
  const found: number[] = [];
  for (let next = from; next <= last && found.length < most; ) {
    const sequence = await nextSequence(manager, stream, { seq: next, next_by_subj: subject });
    if (sequence === null || sequence > last) break;
    found.push(sequence);
    next = sequence + 1;
  }
  return found;
}

async function nextSequence(
  manager: JetStreamManager,
  stream: string,
  query: { seq: number; next_by_subj: string },
): Promise<number | null> {
  try {
    return (await manager.streams.getMessage(stream, query)).seq;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

interface Progress {
  wanted: number;
  /** Everything up to it is gone. */
  done: number;
  isRunning: boolean;
  /** Of the last attempt; told to whoever asks next. */
  fault: unknown;
}

/** Forgets in a replicated stream, in its own time: nobody waits for it. */
export class ReplicatedForgetting {
  readonly #manager: JetStreamManager;
  readonly #progress = new Map<string, Progress>();
  #isClosed = false;

  constructor(manager: JetStreamManager) {
    this.#manager = manager;
  }

  /** Begins to forget, or goes on further. @throws what the last attempt for that subject met. */
  forget(forgotten: Forgotten): void {
    const { subject, sequence } = forgotten;
    const progress = this.#progress.get(subject) ?? newProgress();
    this.#progress.set(subject, progress);
    progress.wanted = Math.max(progress.wanted, sequence);
    const { fault } = progress;
    progress.fault = null;
    if (!progress.isRunning) void this.#run(forgotten, progress);
    if (fault !== null) throw fault;
  }

  /** Ends after what is on its way. */
  close(): void {
    this.#isClosed = true;
  }

  async #run(forgotten: Forgotten, progress: Progress): Promise<void> {
    progress.isRunning = true;
    try {
      while (progress.done < progress.wanted && !this.#isClosed) {
        await this.#some({ ...forgotten, sequence: progress.wanted }, progress);
      }
    } catch (error) {
      if (!this.#isClosed) progress.fault = error;
    } finally {
      progress.isRunning = false;
    }
  }

  /** In ascending order, so that what stays behind a kill is found from the front. */
  async #some(forgotten: Forgotten, progress: Progress): Promise<void> {
    const from = progress.done + 1;
    const found = await sequencesOf(this.#manager, forgotten, { from, most: AT_ONCE });
    await deleteMessages(this.#manager, forgotten.stream, found);
    progress.done =
      found.length < AT_ONCE ? forgotten.sequence : (found.at(-1) ?? forgotten.sequence);
  }
}

function newProgress(): Progress {
  return { wanted: 0, done: 0, isRunning: false, fault: null };
}
