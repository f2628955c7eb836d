// Goal: a question reaches its node and the answer comes back whole, or an error that says why not.
// Method: two clients of a real server.
import { connect, type NatsConnection } from 'nats';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { answerAsks, ask, askSubject } from '../../../src/bus/nats/asks.ts';
import { errors } from '../../../src/model/errors.ts';
import { NatsServer } from '../../support/nats-server.ts';

const server = new NatsServer();
const QUESTION = Buffer.from('question');

beforeAll(() => server.start());
afterAll(() => server.dispose());

async function client(): Promise<NatsConnection> {
  const connection = await connect({ servers: server.url });
  onTestFinished(() => connection.close());
  return connection;
}

async function asked(
  node: string,
  answer: (question: Uint8Array) => Promise<Uint8Array>,
  faults: unknown[] = [],
): Promise<Uint8Array> {
  const [here, there] = [await client(), await client()];
  answerAsks(there, askSubject('t', node), answer, (fault) => faults.push(fault));
  await there.flush();
  return ask(here, askSubject('t', node), QUESTION, 2_000);
}

test.each([0, 1, 1_048_576 - 1_024, 1_048_576 - 1_023, 5_000_000])(
  'an answer of %i bytes comes back as it was',
  async (length) => {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => index % 251));
    const answer = await asked(`n${length}`, async (question) => {
      expect(Buffer.from(question)).toEqual(QUESTION);
      return bytes;
    });
    expect(Buffer.compare(Buffer.from(answer), bytes)).toBe(0);
  },
);

test('an operating error crosses as itself', async () => {
  const refused = asked('refuses', async () => {
    throw errors.QUERY_BUDGET_EXCEEDED({ budget: '3 rows' });
  });
  await expect(refused).rejects.toMatchObject({ code: 'QUERY_BUDGET_EXCEEDED', status: 503 });
});

test('a fault is told to the node it happened on, and answered without its text', async () => {
  const faults: unknown[] = [];
  const refused = asked(
    'fails',
    async () => {
      throw new TypeError('secret');
    },
    faults,
  );
  await expect(refused).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(faults).toEqual([new TypeError('secret')]);
});

test('a node that is not there, or does not answer, is a matter of trying again', async () => {
  const here = await client();
  const startMs = Date.now();
  await expect(ask(here, 't.ask.nobody', QUESTION, 5_000)).rejects.toMatchObject({
    code: 'NODE_AWAY',
    retryAfterSeconds: 1,
  });
  expect(Date.now() - startMs).toBeLessThan(4_000);
  const there = await client();
  answerAsks(
    there,
    't.ask.slow',
    () => new Promise(() => {}),
    () => {},
  );
  await there.flush();
  await expect(ask(here, 't.ask.slow', QUESTION, 50)).rejects.toMatchObject({ status: 503 });
});
