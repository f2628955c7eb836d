/**
 * The edge's door to the actors: asks the owner of a domain and waits for its answer.
 *
 * Control plane. One port per actor. What waits is bounded by the actor.
 */

import type { MessagePort } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { PortCaller } from '../../bus/request-reply.ts';
import { actorOf } from '../state/placement.ts';
import type { ActorRequest } from './protocol.ts';

/** Asks actors over their ports. */
export class ActorClient {
  readonly #actors: readonly PortCaller<ActorRequest>[];

  constructor(ports: readonly MessagePort[]) {
    this.#actors = ports.map((port) => new PortCaller<ActorRequest>(port));
  }

  /**
   * Asks the actor that owns the request's shard.
   *
   * @returns its answer; rejects with the operating error it gave.
   */
  ask(request: ActorRequest): Promise<unknown> {
    const actor = this.#actors[actorOf(request.shard, this.#actors.length)];
    assert(actor !== undefined, 'every shard has an actor');
    return actor.call(request);
  }

  close(): void {
    for (const actor of this.#actors) actor.close();
  }
}
