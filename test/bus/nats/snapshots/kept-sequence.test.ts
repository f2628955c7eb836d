// Goal: the stream of a single server goes on with its sequences, also when everything in it was
//   forgotten and the server is killed: what comes later is never taken for counted.
// Method: records of two shards; all are forgotten, as behind snapshots; SIGKILL, and a look.
import { connect, type NatsConnection } from 'nats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NatsSnapshots } from '../../../../src/bus/nats/snapshots/snapshots.ts';
import { hitSubject, openHitStream } from '../../../../src/bus/nats/streams.ts';
import { asSequence, asShardId } from '../../../../src/model/ids.ts';
import { NatsServer } from '../../../support/nats-server.ts';

const SHAPE = { prefix: 'quiet', shards: 2, replicas: 1, bytesMax: 1_000_000 };

const server = new NatsServer();
let connection: NatsConnection;

beforeAll(async () => {
  await server.start();
  connection = await connect({ servers: server.url, maxReconnectAttempts: -1 });
});
afterAll(async () => {
  await connection?.close();
  await server.dispose();
});

async function publish(shard: number): Promise<number> {
  const subject = hitSubject(SHAPE.prefix, asShardId(shard));
  return (await connection.jetstream().publish(subject, 'a record')).seq;
}

test('what was counted stays counted when a quiet server is killed', async () => {
  await openHitStream(connection, SHAPE);
  const access = { servers: [server.url], user: null, password: null, token: null };
  const opened = { ...SHAPE, access: { ...access, credentials: null }, name: 'test' };
  const snapshots = await NatsSnapshots.open(opened);
  try {
    const lasts = [0, 0];
    for (let record = 0; record < 20; record++) lasts[record % 2] = await publish(record % 2);
    for (const [shard, last] of lasts.entries()) {
      await snapshots.forgetRecords(asShardId(shard), asSequence(last));
    }
    const { info } = await openHitStream(connection, SHAPE);
    expect(info.state.messages).toBe(2);
    await server.kill();
    await server.start();
    const { info: after } = await openHitStream(connection, SHAPE);
    expect(after.state.last_seq).toBe(20);
    expect(await publish(0)).toBe(21);
  } finally {
    await snapshots.close();
  }
});
