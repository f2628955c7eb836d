/**
 * What connects the threads of the local log: ports for bytes, shared memory for positions.
 *
 * Made once by the supervisor; each bundle goes to one thread. Positions are 64-bit integers that
 * are read and written atomically: a reader never sees half of one.
 */

import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Memory that all threads of the log see. */
export interface LogMemory {
  /** One Int32: moves whenever an edge has sent something; the writer sleeps on it. */
  signal: SharedArrayBuffer;
  /** BigInt64 by shard: last durable sequence. */
  durable: SharedArrayBuffer;
  /** Int32 by actor: bytes handed to it, modulo 2^32. */
  handed: SharedArrayBuffer;
  /** Int32 by actor: bytes it has applied, modulo 2^32. */
  applied: SharedArrayBuffer;
}

/** For the writer's thread. */
export interface LocalLogWriterLink {
  memory: LogMemory;
  /** By edge. */
  edges: MessagePort[];
  /** By actor. */
  actors: MessagePort[];
  control: MessagePort;
}

/** For an edge's thread. */
export interface LocalLogEdgeLink {
  memory: LogMemory;
  port: MessagePort;
}

/** For an actor's thread. */
export interface LocalLogActorLink {
  memory: LogMemory;
  port: MessagePort;
  index: number;
}

/** All bundles of one log. The supervisor keeps `memory` and `control`. */
export interface LocalLogLinks {
  memory: LogMemory;
  writer: LocalLogWriterLink;
  edges: LocalLogEdgeLink[];
  actors: LocalLogActorLink[];
  control: MessagePort;
}

/** A batch on its way to an actor. */
export interface RecordsMessage {
  /** Sequence of the body's first record, if the actor gets all of them; else see `sequences`. */
  first: number;
  /** Sequences of the records one by one; null when they are consecutive from `first`. */
  sequences: number[] | null;
  body: Uint8Array;
}

/** The writer's word to an edge: its oldest `count` appends are settled. */
export interface AppendsSettled {
  count: number;
  /** null: all are durable. */
  fault: string | null;
}

/** What the supervisor tells the writer. */
export type LogControl = { trim: number } | 'close';

/** Makes the links between the threads of one log. */
export function createLocalLogLinks(counts: {
  edges: number;
  actors: number;
  shards: number;
}): LocalLogLinks {
  const memory: LogMemory = {
    signal: new SharedArrayBuffer(4),
    durable: new SharedArrayBuffer(counts.shards * 8),
    handed: new SharedArrayBuffer(counts.actors * 4),
    applied: new SharedArrayBuffer(counts.actors * 4),
  };
  const edges = channels(counts.edges);
  const actors = channels(counts.actors);
  const control = new MessageChannel();
  return {
    memory,
    control: control.port1,
    writer: {
      memory,
      edges: edges.map(({ port1 }) => port1),
      actors: actors.map(({ port1 }) => port1),
      control: control.port2,
    },
    edges: edges.map(({ port2 }) => ({ memory, port: port2 })),
    actors: actors.map(({ port2 }, index) => ({ memory, port: port2, index })),
  };
}

/** Last durable sequence of a shard, 0 if none. */
export function durableSequence(memory: LogMemory, shard: number): number {
  return Number(Atomics.load(new BigInt64Array(memory.durable), shard));
}

/** Wakes the writer's thread. */
export function wakeWriter(memory: LogMemory): void {
  const signal = new Int32Array(memory.signal);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

function channels(count: number): MessageChannel[] {
  return Array.from({ length: count }, () => new MessageChannel());
}
