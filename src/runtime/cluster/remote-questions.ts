/**
 * Queries between nodes: each has an id, so that a repeated one is answered once, and each ends
 * with its client.
 *
 * Control plane, on the main threads of both nodes. A query that waits at its owner is sent again
 * after a while, since a message may have been lost; by its id it joins the one that waits. When
 * the client leaves, the owner is told and removes the query.
 */

import { deserialize, serialize } from 'node:v8';
import { systemClock } from '../../base/clock.ts';
import { randomAlphanumeric } from '../../base/random.ts';
import type { ShardId } from '../../model/ids.ts';
import type { RoutedTask } from '../query/scan-task.ts';

/** How often those who ask are looked at. */
const LOOK_MS = 100;
/** What a node is told that somebody left gets no other answer. */
const LEAVE_TIMEOUT_MS = 1_000;
const ID_LENGTH = 20;

/** What another node is told. */
interface SentQuestion {
  readonly id: string;
  readonly shard: ShardId;
  readonly query: RoutedTask['query'];
  /** Time that it has taken so far, waiting included. */
  readonly spentMs: number;
  readonly secondsMax: number;
}

/** Nobody waits any more for the question of an id. */
interface SentLeave {
  readonly left: string;
}

type Ask = (node: string, question: Uint8Array, timeoutMs: number) => Promise<Uint8Array>;

/** An id for a question: the same whenever it is asked again. */
export function questionId(): string {
  return randomAlphanumeric(ID_LENGTH);
}

/** The side that asks. */
export class AskedQuestions {
  readonly #ask: Ask;
  readonly #open = new Map<string, { owner: string; abandoned: Int32Array }>();
  #looks: NodeJS.Timeout | null = null;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Asks a node; tells it when nobody waits any more. */
  async ask(
    owner: string,
    { id, ...task }: RoutedTask & { id: string },
    times: { spentMs: number; waitMs: number },
  ): Promise<Uint8Array> {
    const { shard, query, secondsMax, abandoned } = task;
    const { spentMs, waitMs } = times;
    const question: SentQuestion = { id, shard, query, spentMs, secondsMax };
    this.#open.set(id, { owner, abandoned });
    this.#looks ??= setInterval(() => this.#look(), LOOK_MS);
    try {
      return await this.#ask(owner, serialize(question), waitMs);
    } finally {
      this.#look();
      this.#open.delete(id);
      if (this.#open.size === 0 && this.#looks !== null) {
        clearInterval(this.#looks);
        this.#looks = null;
      }
    }
  }

  #look(): void {
    for (const [id, { owner, abandoned }] of this.#open) {
      if (Atomics.load(abandoned, 0) === 0) continue;
      this.#open.delete(id);
      const leave: SentLeave = { left: id };
      // An owner that does not hear it answers in vain.
      this.#ask(owner, serialize(leave), LEAVE_TIMEOUT_MS).catch(() => undefined);
    }
  }
}

/** The side that answers. */
export class AnsweredQuestions {
  readonly #answer: (task: RoutedTask) => Promise<Uint8Array>;
  readonly #open = new Map<string, { answer: Promise<Uint8Array>; abandoned: Int32Array }>();

  constructor(answer: (task: RoutedTask) => Promise<Uint8Array>) {
    this.#answer = answer;
  }

  /** Answers what another node sent. @throws what `answer` throws. */
  async take(bytes: Uint8Array): Promise<Uint8Array> {
    const sent = deserialize(bytes) as SentQuestion | SentLeave;
    if ('left' in sent) {
      const left = this.#open.get(sent.left);
      if (left !== undefined) Atomics.store(left.abandoned, 0, 1);
      return new Uint8Array(0);
    }
    const { id, shard, query, spentMs, secondsMax } = sent;
    const known = this.#open.get(id);
    if (known !== undefined) return await known.answer;
    const abandoned = new Int32Array(new SharedArrayBuffer(4));
    const arrivedMs = systemClock() - spentMs;
    const answer = this.#answer({ shard, query, arrivedMs, secondsMax, abandoned });
    this.#open.set(id, { answer, abandoned });
    try {
      return await answer;
    } finally {
      this.#open.delete(id);
    }
  }
}
