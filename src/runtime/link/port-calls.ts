/**
 * Calls from the main thread to another one, with answers, over a port of their own.
 *
 * Control plane. Operating errors come back as they were thrown; any other ends the thread that had
 * it, and the node with it.
 */

import type { MessagePort } from 'node:worker_threads';
import { OperatingError, restoreError, type SentError, sendError } from '../../model/errors.ts';

type Answer = { id: number; value: unknown } | { id: number; error: SentError };

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** The end that calls. */
export class PortCaller<Call> {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (answer: Answer) => {
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if ('error' in answer) pending?.reject(restoreError(answer.error));
      else pending?.resolve(answer.value);
    });
  }

  /** @returns what the other end answers; rejects with the operating error it gave. */
  call<Value>(call: Call): Promise<Value> {
    this.#lastId++;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#port.postMessage({ id, call });
    });
  }

  close(): void {
    this.#port.close();
  }
}

/** The end that answers. Calls are begun in the order they come. */
export function answerCalls<Call>(port: MessagePort, answer: (call: Call) => unknown): void {
  port.on('message', ({ id, call }: { id: number; call: Call }) => {
    new Promise((resolve) => resolve(answer(call))).then(
      (value) => port.postMessage({ id, value } satisfies Answer),
      (error: unknown) => {
        if (error instanceof OperatingError) {
          port.postMessage({ id, error: sendError(error) } satisfies Answer);
          return;
        }
        setImmediate(() => {
          throw error;
        });
      },
    );
  });
}
