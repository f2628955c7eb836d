// Goal: of several nodes that change a document at once exactly one wins, and all see what it wrote.
// Method: several clients of a real server.
import { connect } from 'nats';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { NatsDocuments } from '../../../src/bus/nats/document.ts';
import { NatsServer } from '../../support/nats-server.ts';

const server = new NatsServer();

beforeAll(() => server.start());
afterAll(() => server.dispose());

async function client(name: string): Promise<NatsDocuments> {
  const nc = await connect({ servers: server.url });
  onTestFinished(() => nc.close());
  return NatsDocuments.open(nc, { name, replicas: 1 });
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
