/**
 * What connects the threads of a log, whichever it is: ports for bytes, shared memory for positions.
 *
 * Made once by the supervisor; each bundle goes to one thread. Positions are 64-bit integers that
 * are read and written atomically: a reader never sees half of one. Counts of bytes are modulo 2^32
 * and compared by their difference. The actor of shard s is s % actors.
 */

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { TraceContext } from '../../base/tracing/trace-context.ts';
import type { SentError } from '../../model/errors.ts';
import { asSequence, type Sequence, type ShardId } from '../../model/ids.ts';

/** Memory that all threads of the log see. */
export interface LogMemory {
  /** One Int32: moves whenever something was sent to the writer, which sleeps on it. */
  signal: Int32Array<SharedArrayBuffer>;
  /** One Int32: not 0 when somebody waits for records that are durable. */
  hasten: Int32Array<SharedArrayBuffer>;
  /** By shard: last durable sequence. */
  durable: BigInt64Array<SharedArrayBuffer>;
  /** By actor: bytes handed to it. */
  handed: Int32Array<SharedArrayBuffer>;
  /** By actor: bytes it has applied. */
  applied: Int32Array<SharedArrayBuffer>;
  /**
   * One Int32: 1 while nothing can be appended since the log's server is away; 2 while it is away and
   * appends wait in the spool. The local log is never away.
   */
  isAway: Int32Array<SharedArrayBuffer>;
  /** One: bytes that are acknowledged and wait in the spool. */
  spooled: BigInt64Array<SharedArrayBuffer>;
  /** What keeps the log, and by actor the state, from being written (`write-faults.ts`). */
  faults: Int32Array<SharedArrayBuffer>;
}

/** For the writer's thread. */
export interface LogWriterLink {
  memory: LogMemory;
  /** By edge. */
  edges: MessagePort[];
  /** By actor. */
  actors: MessagePort[];
  control: MessagePort;
}

/** For an edge's thread. */
export interface LogEdgeLink {
  memory: LogMemory;
  port: MessagePort;
}

/** For an actor's thread. */
export interface LogActorLink {
  memory: LogMemory;
  port: MessagePort;
  index: number;
}

/** All bundles of one log. The supervisor keeps `memory` and `control`. */
export interface LogLinks {
  memory: LogMemory;
  writer: LogWriterLink;
  edges: LogEdgeLink[];
  actors: LogActorLink[];
  control: MessagePort;
}

/**
 * An edge's append: frames of records, one for each actor that owns some of their shards. They are
 * transferred, written as they are, and transferred on to the actors: nobody copies or unpacks.
 */
export type AppendMessage = {
  actor: number;
  frames: Uint8Array<ArrayBuffer>;
  /** Of sampled requests with hits among them; nearly always absent. */
  traces?: readonly TraceContext[];
}[];

/** A commit's frames for one actor, in order; their sequences are consecutive from `first`. */
export type RecordsMessage = {
  first: Sequence;
  frames: Uint8Array<ArrayBuffer>;
  traced?: CommitTraces;
}[];

/** What the writer's thread, which sends nothing outwards, did for sampled requests: actors tell it. */
export interface CommitTraces {
  readonly traces: readonly TraceContext[];
  readonly startMs: number;
  readonly endMs: number;
}

/** Among them: what follows of a shard is what follows its position at this opening of it. */
export interface BeginMessage {
  begin: { shard: ShardId; opening: number };
}

/** The writer's word to an edge: its oldest `count` appends are settled. */
export interface AppendsSettled {
  count: number;
  /** null: all are durable; else none counts. */
  error: SentError | null;
}

/** What the supervisor tells the writer. */
export type LogControl = { trim: Sequence } | 'close';

/** Makes the links between the threads of one log. */
export function createLogLinks(counts: {
  edges: number;
  actors: number;
  shards: number;
}): LogLinks {
  const memory: LogMemory = {
    signal: new Int32Array(new SharedArrayBuffer(4)),
    hasten: new Int32Array(new SharedArrayBuffer(4)),
    durable: new BigInt64Array(new SharedArrayBuffer(counts.shards * 8)),
    handed: new Int32Array(new SharedArrayBuffer(counts.actors * 4)),
    applied: new Int32Array(new SharedArrayBuffer(counts.actors * 4)),
    isAway: new Int32Array(new SharedArrayBuffer(4)),
    spooled: new BigInt64Array(new SharedArrayBuffer(8)),
    faults: new Int32Array(new SharedArrayBuffer((1 + counts.actors) * 4)),
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
export function durableSequence(memory: LogMemory, shard: ShardId): Sequence {
  return asSequence(Number(Atomics.load(memory.durable, shard)));
}

/** Bytes handed to all actors and not applied yet. */
export function backlogBytes(memory: LogMemory): number {
  let bytes = 0;
  for (let actor = 0; actor < memory.handed.length; actor++) bytes += backlogOf(memory, actor);
  return bytes;
}

/** Bytes handed to an actor and not applied yet. */
export function backlogOf(memory: LogMemory, actor: number): number {
  const { handed, applied } = waitingOf(memory, actor);
  // Both count modulo 2^32; their difference is right as long as it is less than 2^31.
  return (handed - applied) | 0;
}

/** Bytes that were ever handed to an actor, and that it has applied, modulo 2^32. */
export function waitingOf(
  { handed, applied }: LogMemory,
  actor: number,
): { readonly handed: number; readonly applied: number } {
  return { handed: Atomics.load(handed, actor), applied: Atomics.load(applied, actor) };
}

/** A position only ever rises, whoever comes first with it. */
export function raisePosition({ durable }: LogMemory, shard: ShardId, sequence: Sequence): void {
  if (Number(Atomics.load(durable, shard)) < sequence) {
    Atomics.store(durable, shard, BigInt(sequence));
  }
}

/** Wakes the writer's thread; after what it is to find was sent. */
export function wakeWriter({ signal }: LogMemory): void {
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

function channels(count: number): MessageChannel[] {
  return Array.from({ length: count }, () => new MessageChannel());
}
