/**
 * Requests and replies between threads and nodes: a call goes over, its value or its error comes
 * back.
 *
 * Control plane. An operating error crosses as itself. Any other error is a fault of the answering
 * side: with `onFault` it is reported there and the caller gets INTERNAL; without it the thread
 * ends, and the node with it. Calls have no deadline here: a caller that has one (a query, a
 * request to a node that may be gone) sets its own timer, because what follows from a timeout
 * differs.
 *
 *     PortCaller.call ── { id, call } ──▶ answerCalls ─ outcomeOf(answer)
 *          ▲ takeValue                          │
 *          └──────────── { id, outcome } ◀────┘        replies come in any order
 */

import type { MessagePort } from 'node:worker_threads';
import {
  errors,
  OperatingError,
  restoreError,
  type SentError,
  sendError,
} from '../model/errors.ts';

/** What came of a call, fit to cross threads. */
export type Outcome<Value = unknown> = { value: Value } | { error: SentError };

/** Is told an error that is no operating error. */
export type OnFault = (error: unknown) => void;

/** The outcome of a call that threw. @throws `error` itself when it is a fault that nobody is told of. */
export function failedOutcome(error: unknown, onFault: OnFault | null = null): Outcome<never> {
  if (error instanceof OperatingError) return { error: sendError(error) };
  if (onFault === null) throw error;
  onFault(error);
  return { error: sendError(errors.INTERNAL({}, error)) };
}

/** Carries a call out. @throws what `failedOutcome` throws. */
export async function outcomeOf<Value>(
  answer: () => Value | Promise<Value>,
  onFault: OnFault | null = null,
): Promise<Outcome<Value>> {
  try {
    return { value: await answer() };
  } catch (error) {
    return failedOutcome(error, onFault);
  }
}

/** The value of an outcome. @throws the error that the other side threw. */
export function takeValue<Value>(outcome: Outcome<Value>): Value {
  if ('error' in outcome) throw restoreError(outcome.error);
  return outcome.value;
}

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** The end of a port that calls. */
export class PortCaller<Call> {
  readonly #port: MessagePort;
  // Replies come in any order; a Map by id is what a request-reply protocol needs.
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', ({ id, outcome }: { id: number; outcome: Outcome }) => {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if ('error' in outcome) pending?.reject(restoreError(outcome.error));
      else pending?.resolve(outcome.value);
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

/** The end of a port that answers. Calls are begun in the order they come. */
export function answerCalls<Call>(
  port: MessagePort,
  answer: (call: Call) => unknown,
  onFault: OnFault | null = null,
): void {
  port.on('message', ({ id, call }: { id: number; call: Call }) => {
    outcomeOf(() => answer(call), onFault).then(
      (outcome) => port.postMessage({ id, outcome }),
      (fault: unknown) => {
        // Out of the promise, which would only warn of it.
        setImmediate(() => {
          throw fault;
        });
      },
    );
  });
}
