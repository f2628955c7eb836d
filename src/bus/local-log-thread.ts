/**
 * The writer's thread of the local log: one order, one write and one sync for all edges and shards.
 *
 * Data plane. The thread sleeps on shared memory and takes what the edges have sent meanwhile; so a
 * commit holds everything that came while the one before it was being synced. Order of a commit:
 * on disk, durable positions, records to the actors, answers to the edges. Therefore who has been
 * answered finds the position, and who finds the position finds the records on their way.
 *
 *     while open:  control ─ gather ─ write ─ sync ─ positions ─ records ─ answers
 *     nothing to do:  a piece of the next spare file, else sleep
 *
 * Measured, edge to edge: an append of one hit is answered after 0.018 ms unsynced, 0.2 ms synced. A
 * thread that waits for 'message' events instead takes 0.020 ms and a tenth more CPU.
 */

import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { OperatingError, type SentError, sendError } from '../model/errors.ts';
import { LOG_COMMIT_BYTES_MAX } from '../model/limits.ts';
import { LocalLogFiles, type LocalLogOptions } from './local-log-files.ts';
import type {
  AppendMessage,
  AppendsSettled,
  LocalLogWriterLink,
  LogControl,
  RecordsMessage,
} from './local-log-links.ts';
import { readBody } from './record-body.ts';

/** The writer: opened once, then `run` blocks its thread until it is closed. */
export class LocalLogWriter {
  readonly #files: LocalLogFiles;
  readonly #link: LocalLogWriterLink;
  // What the commit at hand is made of, and whom it answers.
  #actors: number[] = [];
  #bodies: Uint8Array<ArrayBuffer>[] = [];
  readonly #settled: number[];
  #isClosing = false;

  /**
   * Opens the log and publishes the positions it holds.
   *
   * @throws LOG_DAMAGED, LOG_WRITE_FAILED when the log cannot be used.
   */
  constructor(options: LocalLogOptions, link: LocalLogWriterLink) {
    this.#link = link;
    this.#settled = link.edges.map(() => 0);
    const { durable } = link.memory;
    this.#files = LocalLogFiles.open(options, ({ shard, sequence }) => {
      durable[shard] = BigInt(sequence);
    });
  }

  /** Position of the last durable record. */
  get lastSequence(): number {
    return this.#files.lastSequence;
  }

  /**
   * Works until the supervisor closes the log. Blocks the thread.
   *
   * @throws LOG_SYNC_FAILED when nobody can tell what is on disk: appends in flight are never
   *   answered, the process must end, and a start tells.
   */
  run(): void {
    const { signal } = this.#link.memory;
    while (!this.#isClosing) {
      const seen = Atomics.load(signal, 0);
      const isIdle = !this.step() && !this.#isClosing;
      if (isIdle && !this.#files.prepareSpare(true)) Atomics.wait(signal, 0, seen);
    }
    while (this.step()) {
      // What the edges had sent before the close is still written.
    }
    this.#files.close();
  }

  /** One turn: control messages, then one commit of what waits. @returns whether there was any. */
  step(): boolean {
    this.#obey();
    this.#gather();
    if (this.#bodies.length === 0) return false;
    this.#answer(this.#commit());
    this.#actors = [];
    this.#bodies = [];
    this.#files.prepareSpare(false);
    return true;
  }

  /** Lets go of the files; only for a writer that is not in `run`. */
  close(): void {
    this.#files.close();
  }

  #obey(): void {
    for (;;) {
      const message = receive<LogControl>(this.#link.control);
      if (message === null) return;
      if (message === 'close') this.#isClosing = true;
      else this.#files.trim(message.trim);
    }
  }

  /** Takes what the edges have sent, in turns, up to the bound. */
  #gather(): void {
    const { edges } = this.#link;
    let bytes = 0;
    let isEmpty = false;
    while (!isEmpty && bytes < LOG_COMMIT_BYTES_MAX) {
      isEmpty = true;
      for (let edge = 0; edge < edges.length; edge++) {
        const message = receive<AppendMessage>(edges[edge]!);
        if (message === null) continue;
        isEmpty = false;
        this.#settled[edge]!++;
        for (let index = 0; index < message.length; index++) {
          const { actor, body } = message[index]!;
          bytes += body.length;
          this.#actors.push(actor);
          this.#bodies.push(body);
        }
      }
    }
  }

  /** @returns null when durable, else why nothing counts. */
  #commit(): SentError | null {
    let first: number;
    try {
      first = this.#files.commit(this.#bodies);
    } catch (error) {
      // After a failed sync nobody knows what is on disk: only a recovery can tell.
      const isKnown = error instanceof OperatingError && error.code === 'LOG_WRITE_FAILED';
      if (!isKnown) throw error;
      return sendError(error);
    }
    const messages: RecordsMessage[] = this.#link.actors.map(() => []);
    for (let index = 0; index < this.#bodies.length; index++) {
      const body = this.#bodies[index]!;
      messages[this.#actors[index]!]!.push({ first, body });
      first += this.#publish(body, first);
    }
    for (let actor = 0; actor < messages.length; actor++) this.#hand(actor, messages[actor]!);
    return null;
  }

  /** @returns how many records the body has. */
  #publish(body: Uint8Array, first: number): number {
    const { durable } = this.#link.memory;
    return readBody(body, first, ({ shard, sequence }) => {
      Atomics.store(durable, shard, BigInt(sequence));
    });
  }

  #hand(actor: number, message: RecordsMessage): void {
    if (message.length === 0) return;
    let bytes = 0;
    for (let index = 0; index < message.length; index++) bytes += message[index]!.body.length;
    Atomics.add(this.#link.memory.handed, actor, bytes);
    this.#link.actors[actor]!.postMessage(
      message,
      message.map(({ body }) => body.buffer),
    );
  }

  #answer(error: SentError | null): void {
    const { edges } = this.#link;
    for (let edge = 0; edge < edges.length; edge++) {
      const count = this.#settled[edge]!;
      if (count === 0) continue;
      this.#settled[edge] = 0;
      edges[edge]!.postMessage({ count, error } satisfies AppendsSettled);
    }
  }
}

function receive<Message>(port: MessagePort): Message | null {
  const item = receiveMessageOnPort(port) as { message: Message } | undefined;
  return item === undefined ? null : item.message;
}
