/**
 * The edge's door to the actors: asks the owner of a domain and waits for its answer.
 *
 * Control plane. One port per actor; answers come back by id. What waits is bounded by the actor.
 */

import type { MessagePort } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { actorOf } from '../state/placement.ts';
import { type ActorReply, type ActorRequest, errorOf } from './protocol.ts';

type Unsent<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** Asks actors over their ports. */
export class ActorClient {
  readonly #ports: readonly MessagePort[];
  // Answers arrive in any order; a Map by id is what a request-reply protocol needs.
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(ports: readonly MessagePort[]) {
    this.#ports = ports;
    for (const port of ports) port.on('message', (reply: ActorReply) => this.#settle(reply));
  }

  /**
   * Asks the actor that owns the request's shard.
   *
   * @returns its answer; rejects with the operating error it gave.
   */
  ask(request: Unsent<ActorRequest>): Promise<unknown> {
    const port = this.#ports[actorOf(request.shard, this.#ports.length)];
    assert(port !== undefined, 'every shard has an actor');
    this.#lastId++;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      port.postMessage({ ...request, id });
    });
  }

  close(): void {
    for (const port of this.#ports) port.close();
  }

  #settle(reply: ActorReply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    if (reply.error === null) pending.resolve(reply.value);
    else pending.reject(errorOf(reply));
  }
}
