// Goal: of several nodes that change a document at once exactly one wins, and all see what it wrote.
// Method: several clients of a real server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'nats';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { NatsDocuments } from '../../../src/bus/nats/document.ts';
import { filesBelow } from '../../support/faults/damage.ts';
import { NatsServer } from '../../support/nats-server.ts';
import { until } from '../../support/until.ts';

const server = new NatsServer();

beforeAll(() => server.start());
afterAll(() => server.dispose());

async function client(name: string, forgetMs?: number): Promise<NatsDocuments> {
  const nc = await connect({ servers: server.url });
  onTestFinished(() => nc.close());
  const options = { name, replicas: 1 };
  return NatsDocuments.open(nc, forgetMs === undefined ? options : { ...options, forgetMs });
}

test('a document that nobody wrote is null; of two writers of a new one the first wins', async () => {
  const [left, right] = [await client('new'), await client('new')];
  expect(await left.read('x')).toBeNull();
  const revision = await left.write('x', { by: 'left' }, 0);
  expect(revision).toBeGreaterThan(0);
  expect(await right.write('x', { by: 'right' }, 0)).toBeNull();
  expect(await right.read('x')).toEqual({ value: { by: 'left' }, revision });
});

test('many writers at once: every revision has one author', async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => client('many')));
  let wins = 0;
  for (let round = 0; round < 20; round++) {
    const found = await clients[0]?.read<number>('count');
    const [value, revision] = [found?.value ?? 0, found?.revision ?? 0];
    const results = await Promise.all(
      clients.map((one) => one.write('count', value + 1, revision)),
    );
    expect(results.filter((result) => result !== null)).toHaveLength(1);
    wins++;
  }
  expect(await clients[3]?.read('count')).toMatchObject({ value: wins });
});

test('P-22: documents in memory are on no disk of the server, and what nobody writes is forgotten', async () => {
  const [left, right] = [await client('short', 1_000), await client('short', 1_000)];
  const secret = 'a document that is on no disk';
  const revision = await left.write('x', secret, 0);
  expect(await right.read('x')).toEqual({ value: secret, revision });
  const { directory } = server;
  const held = filesBelow(directory).filter((name) => {
    return readFileSync(join(directory, name)).includes(secret);
  });
  expect(held).toEqual([]);
  await until(async () => (await right.read('x')) === null);
  // Whoever writes next begins anew.
  expect(await left.write('x', secret, 0)).toBeGreaterThan(revision ?? 0);
  const kept = await client('long');
  await kept.write('x', secret, 0);
  await until(() =>
    filesBelow(directory).some((name) => readFileSync(join(directory, name)).includes(secret)),
  );
});
