/**
 * The edge's side of a log, whichever it is: hands frames to the log's thread, which answers when they
 * are durable.
 *
 * Data plane: one message per append there, one per commit back.
 */

import { assert } from '../../base/assert.ts';
import type { TraceContext } from '../../base/tracing/trace-context.ts';
import { errors, type OperatingError, restoreError } from '../../model/errors.ts';
import type { Sequence, ShardId } from '../../model/ids.ts';
import type { AppendDone, LogAppender, ShardBatch } from './interface.ts';
import {
  type AppendMessage,
  type AppendsSettled,
  backlogOf,
  durableSequence,
  type LogEdgeLink,
  wakeWriter,
} from './links.ts';
import { frameRecords } from './record-frame.ts';
import { logFault, stateFault } from './write-faults.ts';

/** States of `LogMemory.isAway`. */
const REFUSING = 1;
const SPOOLING = 2;

/** One edge's appender. Keeps its thread alive until it is closed. */
export class LogLinkAppender implements LogAppender {
  readonly #link: LogEdgeLink;
  readonly #actorCount: number;
  // The writer settles in the order of sending, so no numbers travel.
  readonly #waiting: AppendDone[] = [];
  #isAbandoned = false;

  constructor(link: LogEdgeLink) {
    this.#link = link;
    this.#actorCount = link.memory.handed.length;
    link.port.on('message', (settled: AppendsSettled) => this.#settle(settled));
  }

  append(
    batches: readonly ShardBatch[],
    done: AppendDone,
    traces: readonly TraceContext[] = [],
  ): void {
    assert(batches.length > 0, 'an append has records');
    if (this.#isAbandoned) {
      done(gone());
      return;
    }
    const { memory, port } = this.#link;
    const message: AppendMessage = [];
    const moved: ArrayBuffer[] = [];
    for (let actor = 0; actor < this.#actorCount; actor++) {
      const own = batchesOf(batches, actor, this.#actorCount);
      if (own.length === 0) continue;
      const frames = frameRecords(own);
      message.push(traces.length === 0 ? { actor, frames } : { actor, frames, traces });
      moved.push(frames.buffer);
    }
    this.#waiting.push(done);
    port.postMessage(message, moved);
    wakeWriter(memory);
  }

  durableSequence(shard: ShardId): Sequence {
    return durableSequence(this.#link.memory, shard);
  }

  hasten(): void {
    const { memory } = this.#link;
    Atomics.store(memory.hasten, 0, 1);
    wakeWriter(memory);
  }

  backlogBytes(): number {
    const { memory } = this.#link;
    let most = 0;
    for (let actor = 0; actor < this.#actorCount; actor++) {
      const bytes = backlogOf(memory, actor);
      if (bytes > most) most = bytes;
    }
    return most;
  }

  /** Why nothing can be appended now; null when it can. */
  fault(): string | null {
    if (Atomics.load(this.#link.memory.isAway, 0) !== REFUSING) return null;
    return this.#spooledBytes() > 0
      ? 'the NATS servers are away and the spool is full'
      : 'the NATS servers are away';
  }

  /** Why appends fail, although they are tried; null while they do not. */
  writeFault(): string | null {
    return logFault(this.#link.memory);
  }

  /**
   * The log's thread is gone: what is in flight and what comes now is refused, and may or may not be
   * stored.
   */
  abandon(): void {
    this.#isAbandoned = true;
    for (const done of this.#waiting.splice(0)) done(gone());
  }

  /** The log's server is away and appends wait in the spool. */
  get isSpooling(): boolean {
    return Atomics.load(this.#link.memory.isAway, 0) === SPOOLING;
  }

  /** What is wrong although appends are taken; one short sentence each. */
  notices(): string[] {
    const bytes = this.#spooledBytes();
    const away = 'the NATS servers are away: hits are taken into the spool of this node';
    const waiting = `${bytes} bytes of hits wait in the spool; no statistic has them yet`;
    const state = stateFault(this.#link.memory);
    return [
      ...(this.isSpooling ? [this.writeFault() ?? away] : []),
      ...(bytes > 0 ? [waiting] : []),
      ...(state === null ? [] : [state]),
    ];
  }

  #spooledBytes(): number {
    return Number(Atomics.load(this.#link.memory.spooled, 0));
  }

  close(): void {
    this.#link.port.close();
  }

  #settle({ count, error }: AppendsSettled): void {
    const settled = this.#waiting.splice(0, count);
    const restored = error === null ? null : restoreError(error);
    for (let index = 0; index < settled.length; index++) settled[index]!(restored);
  }
}

function gone(): OperatingError {
  return errors.LOG_UNAVAILABLE({ reason: 'it has failed and the service ends' });
}

function batchesOf(
  batches: readonly ShardBatch[],
  actor: number,
  actorCount: number,
): readonly ShardBatch[] {
  if (actorCount === 1) return batches;
  return batches.filter(({ shard }) => shard % actorCount === actor);
}
