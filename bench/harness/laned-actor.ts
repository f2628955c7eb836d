/**
 * An actor in a thread of its own whose one domain is spread over lane threads, and records for it.
 *
 * Control plane. Each actor lives as long as the run, so that its threads are as warm as those of a
 * service; records are encoded once, in memory that all threads see.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { encodeGroups } from '../../src/bus/codec.ts';
import type { Hit } from '../../src/model/hit.ts';
import { THREADS } from '../../src/runtime/threads.ts';

const DOMAIN_ID = 'bench';

/** What the thread may be asked. */
export type LanedCall =
  /** Applies and saves records: their payloads, one after the other, and where each ends. */
  | { kind: 'feed'; body: SharedArrayBuffer; ends: Uint32Array }
  /** Number of lanes by generation, as a record of the log says it. */
  | { kind: 'split'; lanes: number[] }
  | { kind: 'close' };

/** What it cost: processor time by thread and of the whole process, and time on the wall. */
export interface LanedAnswer {
  baseUs: number;
  /** Of lane 1 and up. */
  lanesUs: number[];
  wholeUs: number;
  tookMs: number;
}

/** Encoded records. */
export interface Records {
  readonly hits: number;
  readonly body: SharedArrayBuffer;
  readonly ends: Uint32Array;
}

/** Records of `perRecord` hits each. */
export function recordsOf(hits: readonly Hit[], perRecord: number): Records {
  const payloads: Uint8Array[] = [];
  let bytes = 0;
  for (let first = 0; first < hits.length; first += perRecord) {
    const some = hits.slice(first, first + perRecord);
    const head = { domainId: DOMAIN_ID, receivedMs: some[0]!.timeMs };
    const payload = encodeGroups([{ ...head, idempotencyHash: '', dropped: null, hits: some }]);
    payloads.push(payload);
    bytes += payload.length;
  }
  const body = new SharedArrayBuffer(bytes);
  const ends = new Uint32Array(payloads.length);
  let end = 0;
  for (const [index, payload] of payloads.entries()) {
    new Uint8Array(body, end).set(payload);
    end += payload.length;
    ends[index] = end;
  }
  return { hits: hits.length, body, ends };
}

/** See above. */
export class LanedActor {
  readonly #worker: Worker;

  /** @param dataDir of nobody else. */
  constructor(dataDir: string) {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = new Worker(new URL(`./laned-actor-thread.${extension}`, import.meta.url), {
      workerData: { dataDir, domainId: DOMAIN_ID },
      resourceLimits: { maxYoungGenerationSizeMb: THREADS.actor.youngMb },
    });
  }

  /** Applies and saves records. */
  feed({ body, ends }: Records): Promise<LanedAnswer> {
    return this.#ask({ kind: 'feed', body, ends });
  }

  /** Changes the number of lanes; all are given, from the first generation on. */
  split(lanes: number[]): Promise<LanedAnswer> {
    return this.#ask({ kind: 'split', lanes });
  }

  /** Lets go of the directory and ends the threads. */
  async close(): Promise<void> {
    const ended = once(this.#worker, 'exit');
    await this.#ask({ kind: 'close' });
    await ended;
  }

  async #ask(call: LanedCall): Promise<LanedAnswer> {
    const answer = once(this.#worker, 'message');
    this.#worker.postMessage(call);
    return (await answer)[0] as LanedAnswer;
  }
}
