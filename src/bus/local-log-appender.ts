/** The edge's side of the local log: hands bodies to the writer's thread and takes its word. */

import { errors } from '../model/errors.ts';
import {
  type AppendsSettled,
  durableSequence,
  type LocalLogEdgeLink,
  wakeWriter,
} from './local-log-links.ts';
import type { AppendDone, LogAppender, ShardBatch } from './log.ts';
import { makeBody } from './record-body.ts';

/** One edge's appender. */
export class LocalLogAppender implements LogAppender {
  readonly #link: LocalLogEdgeLink;
  readonly #handed: Int32Array;
  readonly #applied: Int32Array;
  // The writer settles in the order of sending, so no numbers travel.
  #waiting: AppendDone[] = [];

  constructor(link: LocalLogEdgeLink) {
    this.#link = link;
    this.#handed = new Int32Array(link.memory.handed);
    this.#applied = new Int32Array(link.memory.applied);
    link.port.on('message', (settled: AppendsSettled) => this.#settle(settled));
  }

  append(batches: readonly ShardBatch[], done: AppendDone): void {
    const body = makeBody(batches);
    this.#waiting.push(done);
    this.#link.port.postMessage(body, [body.buffer as ArrayBuffer]);
    wakeWriter(this.#link.memory);
  }

  durableSequence(shard: number): number {
    return durableSequence(this.#link.memory, shard);
  }

  backlogBytes(): number {
    let most = 0;
    for (let actor = 0; actor < this.#handed.length; actor++) {
      const handed = Atomics.load(this.#handed, actor);
      // Both count modulo 2^32; their difference does not.
      most = Math.max(most, (handed - Atomics.load(this.#applied, actor)) | 0);
    }
    return most;
  }

  close(): void {
    this.#link.port.close();
  }

  #settle({ count, fault }: AppendsSettled): void {
    const settled = this.#waiting.splice(0, count);
    const error = fault === null ? null : errors.OVERLOADED({ reason: fault });
    for (const done of settled) done(error);
  }
}
