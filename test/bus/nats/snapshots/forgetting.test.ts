// Goal: what is not forgotten is on every server of three, also on one that was killed after something
// else was forgotten, and that leads then (nats-server before 2.9.18 lost it by purges).
// Method: real servers; the leader is killed or told to step down until the one that was killed leads.
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteMessages } from '../../../../src/bus/nats/snapshots/forgetting.ts';
import { NatsObjects } from '../../../../src/bus/nats/snapshots/objects.ts';
import { NatsSnapshots } from '../../../../src/bus/nats/snapshots/snapshots.ts';
import { hitSubject, onceElected, openHitStream } from '../../../../src/bus/nats/streams.ts';
import type { NatsServer } from '../../../support/nats-server.ts';
import {
  startThreeServers,
  THREE_SERVERS_PASSWORD,
  THREE_SERVERS_USER,
} from '../../../support/three-servers.ts';

const PREFIX = 'forgetful';
const STREAM = 'FORGETFUL_HITS';
const OBJECTS = `OBJ_${PREFIX}_state`;

let servers: NatsServer[] = [];
let connection: NatsConnection;
let manager: JetStreamManager;
let snapshots: NatsSnapshots;
let objects: NatsObjects;

beforeAll(async () => {
  servers = await startThreeServers();
  const urls = servers.map(({ url }) => url);
  const access = {
    ...{ servers: urls, user: THREE_SERVERS_USER, password: THREE_SERVERS_PASSWORD },
    ...{ token: null, credentials: null },
  };
  connection = await connect({
    ...{ servers: urls, user: access.user, pass: access.password },
    ...{ maxReconnectAttempts: -1, reconnectTimeWait: 100 },
  });
  const shape = { prefix: PREFIX, shards: 4, replicas: 3, bytesMax: 1_000_000 };
  ({ manager } = await openHitStream(connection, shape));
  snapshots = await NatsSnapshots.open({ ...shape, access, name: 'test' });
  const name = `${PREFIX}_state`;
  objects = await onceElected(() => NatsObjects.open(connection, { name, replicas: 3 }));
}, 60_000);

afterAll(async () => {
  await snapshots?.close();
  await connection?.close();
  await Promise.all(servers.map((server) => server.dispose()));
});

async function until<Value>(
  look: () => Promise<Value>,
  isRight: (value: Value) => boolean,
): Promise<Value> {
  for (let tries = 0; ; tries++) {
    try {
      const value = await look();
      if (isRight(value) || tries === 200) return value;
    } catch (error) {
      if (tries === 200) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Servers may be electing a leader. */
function patiently<Value>(work: () => Promise<Value>): Promise<Value> {
  return until(work, () => true);
}

/** Kills a server that does not lead a stream, starts it again, and has it lead the stream. */
async function leadAfterKill(stream: string): Promise<void> {
  const { cluster: now } = await patiently(() => manager.streams.info(stream));
  const leader = now?.leader;
  const at = servers.findIndex((_, index) => `nats-${index + 1}` !== leader);
  const victim = `nats-${at + 1}`;
  await servers[at]?.kill();
  await servers[at]?.start();
  const isCaughtUp = async (): Promise<boolean> => {
    const { cluster } = await manager.streams.info(stream);
    return cluster?.replicas?.find(({ name }) => name === victim)?.current === true;
  };
  await until(isCaughtUp, (isCurrent) => isCurrent);
  const lead = async () => {
    const leads = (await manager.streams.info(stream)).cluster?.leader;
    if (leads !== victim && leads !== undefined && leads !== '') {
      await connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, '', { timeout: 2_000 });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    return leads;
  };
  expect(await until(lead, (leads) => leads === victim)).toBe(victim);
}

async function publish(shard: number, count: number): Promise<number[]> {
  const sequences: number[] = [];
  for (let number = 0; number < count; number++) {
    const text = `${number}`;
    // Servers may be electing a leader; the id makes a repeat harmless.
    const options = { msgID: `${shard} ${number} ${Math.random()}` };
    const send = () => connection.jetstream().publish(hitSubject(PREFIX, shard), text, options);
    sequences.push((await patiently(send)).seq);
  }
  return sequences;
}

async function messages(): Promise<number> {
  return (await manager.streams.info(STREAM)).state.messages;
}

test('forgetting a shard takes nothing from other shards, nor what comes later, on any server', {
  timeout: 120_000,
}, async () => {
  await publish(0, 40);
  const [, , third] = await publish(1, 70);
  await snapshots.forgetRecords(1, third as number);
  expect(await until(messages, (count) => count === 107)).toBe(107);
  const last = (await publish(0, 5)).at(-1) as number;
  // More than are deleted at once; those that are gone are passed over.
  await snapshots.forgetRecords(1, last);
  expect(await until(messages, (count) => count === 45)).toBe(45);
  await leadAfterKill(STREAM);
  expect(await until(messages, (count) => count === 45)).toBe(45);
});

test('an object that stays is whole on a server that was killed after another one was deleted', {
  timeout: 120_000,
}, async () => {
  const [kept, gone] = [Buffer.alloc(1_200_000, 'k'), Buffer.from('gone')];
  await patiently(() => objects.put('kept', kept));
  await objects.put('replaced', gone);
  await objects.put('gone', gone);
  await objects.delete('gone');
  await objects.put('replaced', kept);
  await leadAfterKill(OBJECTS);
  expect(await patiently(() => objects.get('gone'))).toBeNull();
  for (const name of ['kept', 'replaced']) {
    expect(kept.equals((await objects.get(name)) ?? new Uint8Array(0)), name).toBe(true);
  }
  // Three chunks and a document each.
  expect((await manager.streams.info(OBJECTS)).state.messages).toBe(8);
});

test('a message that is gone already can be deleted again, before and after other ones', async () => {
  const [first, second, third] = (await publish(2, 3)) as [number, number, number];
  const before = await patiently(messages);
  await deleteMessages(manager, STREAM, [second]);
  await deleteMessages(manager, STREAM, [first, second, third]);
  expect(await messages()).toBe(before - 3);
});
