/**
 * A node without edges and processes of its own, for tests that move shards: everything else is real.
 *
 * Actors, the node's end of the log, the snapshots and the mover run on the test's thread, connected by
 * the ports and the shared memory that connect them in a service.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished } from 'vitest';
import { LogLinkAppender } from '../../../src/bus/log/appender.ts';
import { createLogLinks } from '../../../src/bus/log/links.ts';
import { answerNatsCall, type NatsLogCall } from '../../../src/bus/nats/driver.ts';
import { NatsLog, type NatsLogOptions } from '../../../src/bus/nats/log.ts';
import { encodeGroups } from '../../../src/bus/record/codec.ts';
import { answerCalls, PortCaller } from '../../../src/bus/request-reply.ts';
import type { Hit } from '../../../src/model/hit.ts';
import { asDomainId, asShardId, type DomainId, type Epoch } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../src/model/limits.ts';
import { ShardMover } from '../../../src/runtime/cluster/shard-mover.ts';
import { type ActorCall, openActorThread } from '../../../src/runtime/threads/actor-thread.ts';
import {
  openSnapshotsThread,
  type SnapshotsCall,
} from '../../../src/runtime/threads/snapshots-thread.ts';
import { dictionaryBlockCount } from '../../../src/segment/disk/dictionary-blocks.ts';
import { BlockLocator, blockKey, TEXTS } from '../../../src/segment/disk/packed-blocks.ts';
import { readHeader, type SegmentHeader } from '../../../src/segment/disk/segment-header.ts';
import type { Settings } from '../../../src/settings/schema.ts';
import { ActorClient } from '../../../src/shard/actor/actor-client.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';
import { shardStatePath } from '../../../src/store/state-directories.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';
import { event, hit, keepAlive, MONDAY_MS } from '../../shard/hit-builder.ts';
import type { NatsServer } from '../../support/nats-server.ts';

const NOON = MONDAY_MS + 12 * HOUR_MS;
const ACTORS = 2;
/** The longest lease a test gives. */
const LEASE_MS = 600_000;

/** A node whose shards are moved by a test. */
export class MovingNode {
  readonly leases: LeaseTable;
  readonly mover: ShardMover;
  readonly actors: ActorClient;
  readonly dataDir: string;
  readonly faults: Error[];
  readonly #appender: LogLinkAppender;
  readonly #stop: () => Promise<void>;
  #isStopped = false;

  private constructor(
    parts: Pick<MovingNode, 'leases' | 'mover' | 'actors' | 'dataDir' | 'faults'>,
    appender: LogLinkAppender,
    stop: () => Promise<void>,
  ) {
    this.leases = parts.leases;
    this.mover = parts.mover;
    this.actors = parts.actors;
    this.dataDir = parts.dataDir;
    this.faults = parts.faults;
    this.#appender = appender;
    this.#stop = stop;
  }

  /** Starts a node that has no shard yet. @param dataDir default: a new one. */
  static async start(
    options: NatsLogOptions,
    dataDir = mkdtempSync(join(tmpdir(), 'footfall-moving-')),
  ): Promise<MovingNode> {
    const { shards } = options;
    const leases = LeaseTable.create(shards);
    const links = createLogLinks({ edges: 1, actors: ACTORS, shards });
    const faults: Error[] = [];
    const log = await NatsLog.open(options, links.writer, (error) => faults.push(error));
    const settings = { dataDir, logLevel: 'error', logFormat: 'json' } as Settings;
    const memory = { leases: leases.memory };
    const asks = links.actors.map(() => new MessageChannel());
    const controls = links.actors.map(() => new MessageChannel());
    const actors = links.actors.map((link, index) =>
      openActorThread(
        {
          ...{ index, settings, logKind: 'nats', shards: [], ...memory, log: link },
          control: controls[index]!.port2,
          edgePorts: [asks[index]!.port2],
          live: new MessageChannel().port2,
          outbox: new MessageChannel().port2,
        },
        () => {},
      ),
    );
    const [logCalls, snapshotCalls] = [new MessageChannel(), new MessageChannel()];
    answerCalls(logCalls.port2, (call: NatsLogCall) => answerNatsCall(log, call));
    const { created } = log;
    const snapshots = await openSnapshotsThread({
      ...{ settings, stream: options, created, ...memory, calls: snapshotCalls.port2 },
    });
    const mover = new ShardMover({
      actors: controls.map(({ port1 }) => new PortCaller<ActorCall>(port1)),
      log: new PortCaller<NatsLogCall>(logCalls.port1),
      snapshots: new PortCaller<SnapshotsCall>(snapshotCalls.port1),
    });
    const appender = new LogLinkAppender(links.edges[0]!);
    const client = new ActorClient(asks.map(({ port1 }) => port1));
    const stop = async () => {
      await log.close();
      for (const actor of actors) await actor.close();
      await snapshots.close();
      appender.close();
      client.close();
      for (const port of [logCalls.port1, snapshotCalls.port1, links.control]) port.close();
      for (const port of links.writer.actors) port.close();
    };
    return new MovingNode({ leases, mover, actors: client, dataDir, faults }, appender, stop);
  }

  /** Starts a node that is stopped, and its files removed, when the test has ended. */
  static async startForTest(this: void, options: NatsLogOptions, dataDir?: string) {
    const node = await MovingNode.start(options, dataDir);
    onTestFinished(async () => {
      await node.stop();
      node.removeFiles();
      expect(node.faults).toEqual([]);
    });
    return node;
  }

  /** Leases a shard and opens it. */
  open(shard: number, epoch: Epoch): Promise<{ position: number; isRestored: boolean }> {
    this.leases.grant(asShardId(shard), epoch, LeaseTable.nowMs() + LEASE_MS);
    return this.mover.open(asShardId(shard), epoch);
  }

  /** Hands a shard over in order. */
  async close(shard: number): Promise<void> {
    await this.mover.close(asShardId(shard));
    this.leases.revoke(asShardId(shard));
  }

  /** Takes the lease away, as another node does that thinks this one dead. */
  lose(shard: number): void {
    this.leases.revoke(asShardId(shard));
    this.mover.drop(asShardId(shard));
  }

  /** @returns when the stream has it. */
  append(shard: number, payload: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#appender.append([{ shard: asShardId(shard), payload }], (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  }

  /** @returns when what the stream holds of a shard that is open here is applied and saved. */
  async applied(shard: number): Promise<void> {
    const sequence = await this.mover.latest(asShardId(shard));
    const domainId = asDomainId('site0');
    await this.actors.ask({ kind: 'save', shard: asShardId(shard), domainId, sequence });
  }

  /** Everything counted of a shard as it is on disk, by key; versions of saves left out. */
  async stateOf(shard: number): Promise<Map<string, string>> {
    const entries = new Map<string, string>();
    const path = shardStatePath(this.dataDir, asShardId(shard));
    if (!existsSync(path)) return entries;
    const environment = new StateEnvironment(path);
    environment.refresh();
    for (const { key, value } of environment.range(['k'], ['l'])) {
      entries.set(key.join(' '), Buffer.from(value).toString('hex'));
    }
    for (const { key } of environment.range(['h'], ['i'])) {
      const [, domainId, day] = key as [string, DomainId, number];
      addBlocks(entries, environment, { domainId, day });
    }
    await environment.close();
    return entries;
  }

  /** Ends it without storing anything more, and keeps its directory. */
  async stop(): Promise<void> {
    if (!this.#isStopped) await this.#stop();
    this.#isStopped = true;
  }

  removeFiles(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

let places = 0;

/** A stream and snapshots of its own for a test. */
export function placeOn(server: NatsServer, shards: number): NatsLogOptions {
  places++;
  return {
    access: { servers: [server.url], user: null, password: null, token: null, credentials: null },
    ...{ name: 'test', prefix: `m${places}`, shards, replicas: 1 },
    bytesMax: 256 * 1_024 * 1_024,
  };
}

/** Actors of this test have the machine's clock, by which keys are forgotten after a day (I-76). */
const RECEIVED_MS = Date.now();

/** The record of a step: some people of two sites over three days, some repeats of keys. */
export function recordOf(step: number): Uint8Array {
  const hits = Array.from({ length: 12 }, (_, index): Hit => {
    const timeMs = NOON + (step % 3) * DAY_MS + step * 900 + index * 50;
    const person = (step * 5 + index) % 23;
    if (index % 7 === 6) return event(person, timeMs, { eventName: `e${step % 4}` });
    if (index % 5 === 4) return keepAlive(person, timeMs);
    return hit(person, timeMs, { path: `/${(step * index) % 17}`, title: `t${step % 6}` });
  });
  const head = {
    domainId: asDomainId(`site${step % 2}`),
    receivedMs: RECEIVED_MS + step,
    dropped: null,
  };
  return encodeGroups([
    { ...head, idempotencyHash: step % 4 === 0 ? `key${step % 40}` : '', hits },
  ]);
}

/** Blocks are the same bytes whether a day is packed or not. */
function addBlocks(
  entries: Map<string, string>,
  environment: StateEnvironment,
  segment: { domainId: DomainId; day: number },
): void {
  const { domainId, day } = segment;
  const header = readHeader(environment, domainId, day) as SegmentHeader;
  const places = new BlockLocator(segment, header);
  const counts = [...header.blockVersions.map(({ length }) => length)];
  counts[TEXTS] = dictionaryBlockCount(header.entries);
  for (const [table, count] of counts.entries()) {
    for (let block = 0; block < count; block++) {
      const bytes =
        header.packed === null
          ? environment.get(blockKey(domainId, day, table, block))
          : places.read(environment, table, block);
      const text = Buffer.from(bytes as Uint8Array).toString('hex');
      entries.set(`${domainId} ${day} ${table} ${block}`, text);
    }
  }
}
