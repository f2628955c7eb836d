/**
 * The connections that requests outwards are made over: kept for the next request to the same host, as
 * long as there are not too many of them (O-2).
 *
 * Control plane. The address behind a connection was checked when it was made (O-12).
 */
import { Agent, type AgentOptions } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { OUTBOUND_CONNECTION_COUNT_MAX } from '../../model/outgoing-limits.ts';

/** One for each protocol. */
export interface Agents {
  readonly http: Agent;
  readonly https: SecureAgent;
}

/** @param options.lookup which addresses a name may have; default: all that the system knows. */
export function agentsOf(options: AgentOptions & { readonly lookup?: LookupFunction }): Agents {
  const http = new Agent(options);
  const https = new SecureAgent(options);
  const agents = [http, https];
  for (const agent of agents) {
    // By the documentation of node:http whoever overrides this has to do what it does otherwise.
    const keep = (agent as KeepingAgent).keepSocketAlive;
    (agent as KeepingAgent).keepSocketAlive = function keepSome(socket) {
      const idle = agents.reduce((sum, { freeSockets }) => sum + countOf(freeSockets), 0);
      return idle < OUTBOUND_CONNECTION_COUNT_MAX && keep.call(this, socket);
    };
  }
  return { http, https };
}

/** What is documented of an agent, and missing in its types. */
interface KeepingAgent extends Agent {
  keepSocketAlive(socket: Socket): boolean;
}

function countOf(sockets: Agent['freeSockets']): number {
  let count = 0;
  for (const name in sockets) count += sockets[name]?.length ?? 0;
  return count;
}
