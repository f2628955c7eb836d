/**
 * An actor with lanes over one shard, in this process: what is told a lane may wait, actors may crash.
 *
 * The lanes are the real ones; only their threads are missing, so a test says who comes how far.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeGroups, encodeSplit } from '../../src/bus/codec.ts';
import type { LogRecord } from '../../src/bus/log.ts';
import { encodeSpooled } from '../../src/bus/spooled-records.ts';
import type { Hit } from '../../src/model/hit.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/model/limits.ts';
import { SegmentReader } from '../../src/segment/segment-reader.ts';
import { Actor } from '../../src/shard/actor.ts';
import { LaneHost } from '../../src/shard/lane-host.ts';
import type { LaneCall, LaneThread } from '../../src/shard/lane-protocol.ts';
import { LeaseTable } from '../../src/shard/lease-table.ts';
import type { ActorReply } from '../../src/shard/protocol.ts';
import { lanePositions, positionKey } from '../../src/shard/split.ts';
import { shardStatePath } from '../../src/store/state-directories.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';
import { hit, MONDAY_MS } from './hit-builder.ts';

const SHARD = 0;
export const NOON = MONDAY_MS + 12 * HOUR_MS;

/** A lane without a thread. */
class StillLane implements LaneThread {
  readonly host: LaneHost;
  /** Whether what it is told waits. */
  isHeld = false;
  #waiting: { call: LaneCall; resolve: (value: unknown) => void }[] = [];
  readonly #bench: LaneBench;
  readonly #lane: number;

  constructor(bench: LaneBench, lane: number, memory: Int32Array<SharedArrayBuffer>) {
    const { dataDir, leases, onFault } = bench;
    this.#bench = bench;
    this.#lane = lane;
    this.host = new LaneHost({ dataDir, lane, leases, memory, onFault });
  }

  tell(call: LaneCall): void {
    void this.call(call);
  }

  call<Value>(call: LaneCall): Promise<Value> {
    this.#bench.onTold(this.#lane, call);
    const answer = new Promise<Value>((resolve) => {
      this.#waiting.push({ call, resolve: resolve as (value: unknown) => void });
    });
    if (!this.isHeld) this.goOn();
    return answer;
  }

  async end(): Promise<void> {
    this.#bench.lanes.delete(this.#lane);
    await this.host.actor.close();
  }

  /** Does all that waits. */
  goOn(): void {
    this.isHeld = false;
    for (const { call, resolve } of this.#waiting.splice(0)) {
      resolve(this.host.answer(call, this.#bench.nowMs));
    }
  }

  /** What waits is lost. */
  lose(): void {
    this.isHeld = false;
    this.#waiting = [];
  }
}

/** See above. */
export class LaneBench {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'footfall-lanes-'));
  readonly leases = LeaseTable.alone(1);
  readonly onFault = (error: unknown) => {
    throw error;
  };
  readonly lanes = new Map<number, StillLane>();
  readonly log: LogRecord[] = [];
  nowMs = NOON;
  /** Told of everything a lane is told, before it does it. */
  onTold: (lane: number, call: LaneCall) => void = () => {};
  /** Position from which the last recovery read. */
  recoveredFrom = 0;
  actor = this.#open();
  #replies = new Map<number, (reply: ActorReply) => void>();
  #asked = 0;

  /** Appends a record and hands it to the actor. @returns its position. */
  append(payload: Uint8Array): number {
    const record = { shard: SHARD, sequence: this.log.length + 1, payload };
    this.log.push(record);
    this.actor.onRecords([record], this.nowMs);
    return record.sequence;
  }

  split(domainId: string, lanes: number[]): number {
    return this.append(encodeSplit({ domainId, lanes }));
  }

  /** A page view of each person. */
  visit(domainId: string, ...persons: number[]): number {
    return this.append(visitsOf(domainId, persons));
  }

  /** The same as one message of a spool. */
  spooled(first: number, payloads: readonly Uint8Array[]): Uint8Array {
    const records = payloads.map((payload, index) => ({ number: first + index, payload }));
    return encodeSpooled('s'.repeat(12), records);
  }

  /** Lets time pass for the base, or a lane, alone; quiet domains are saved after minutes. */
  pass(lane: number, minutes = 2): void {
    this.nowMs += minutes * MINUTE_MS;
    const actor = lane === 0 ? this.actor : this.lanes.get(lane)?.host.actor;
    for (const { id, savedSequence } of actor?.tick(this.nowMs) ?? []) {
      this.actor.noteFlushed(lane, id, savedSequence);
    }
  }

  ask(kind: 'save' | 'active', domainId: string): Promise<ActorReply> {
    this.#asked++;
    const id = this.#asked;
    const answer = new Promise<ActorReply>((resolve) => this.#replies.set(id, resolve));
    const head = { id, shard: SHARD, domainId, sequence: this.log.length, query: null };
    this.actor.onRequest({ kind, ...head }, 0, this.nowMs);
    return answer;
  }

  /** What counts of a domain, as a query finds it after a save. */
  async counted(domainId: string): Promise<{ views: number; visits: number }> {
    const reply = await this.ask('save', domainId);
    if (reply.error !== null) throw new Error(reply.error.code);
    const reader = new SegmentReader(this.dataDir, 1_000_000);
    const counts = { views: 0, visits: 0 };
    const range = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER };
    for (const { sessions, hidden } of reader.read({
      shard: SHARD,
      epoch: 1,
      domainId,
      ...range,
    })) {
      for (let row = 0; row < sessions.rowCount; row++) {
        if (hidden !== null && hidden[row] === 1) continue;
        counts.visits++;
        counts.views += sessions.columns.pageViews[row]!;
      }
    }
    await reader.close();
    return counts;
  }

  /** Positions on disk by lane, the base's under 0. */
  async positions(): Promise<Record<number, number>> {
    const environment = new StateEnvironment(shardStatePath(this.dataDir, SHARD));
    const found: Record<number, number> = {};
    const base = environment.get(positionKey(0));
    if (base !== undefined) found[0] = base[0] === 0xcd ? (base[1]! << 8) | base[2]! : base[0]!;
    for (const { lane, position } of lanePositions(environment)) found[lane] = position;
    await environment.close();
    return found;
  }

  /** All threads are gone at once; a new actor recovers from what is on disk. */
  async crash(): Promise<void> {
    for (const lane of this.lanes.values()) lane.lose();
    await this.actor.drop(SHARD);
    this.lanes.clear();
    this.actor = this.#open();
    this.actor.recover(
      {
        replay: (after, visit) => {
          this.recoveredFrom = after;
          for (const record of this.log.slice(after)) visit(record);
          return this.log.length;
        },
      },
      this.nowMs,
    );
  }

  async close(): Promise<void> {
    for (const lane of this.lanes.values()) lane.goOn();
    await this.actor.close();
    rmSync(this.dataDir, { recursive: true });
  }

  #open(): Actor {
    const { dataDir, leases, onFault } = this;
    return new Actor({
      ...{ dataDir, leases, onFault, shards: [SHARD] },
      reply: (reply) => this.#replies.get(reply.id)?.(reply),
      spawn: (lane, memory) => {
        const still = new StillLane(this, lane, memory);
        this.lanes.set(lane, still);
        return still;
      },
    });
  }
}

/** A record of page views, one of each person. */
export function visitsOf(domainId: string, persons: readonly number[]): Uint8Array {
  const hits: Hit[] = persons.map((person) => hit(person, NOON));
  return encodeGroups([{ domainId, receivedMs: NOON, idempotencyHash: '', dropped: null, hits }]);
}
