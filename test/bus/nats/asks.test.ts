// Goal: a question reaches its node and the answer comes back whole, or an error that says why not.
// Method: two clients of a real server.
import { connect, type NatsConnection } from 'nats';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { answerAsks, answerLargeAsks, ask, askSubject } from '../../../src/bus/nats/asks.ts';
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

test('large answers are made a few at once, and all questions are answered', async () => {
  const [here, there] = [await client(), await client()];
  let open = 0;
  let openMax = 0;
  const answer = async (question: Uint8Array) => {
    open++;
    openMax = Math.max(openMax, open);
    await new Promise((resolve) => setTimeout(resolve, 1));
    open--;
    return Buffer.alloc(200_000, question[0]);
  };
  answerLargeAsks(there, 't.ask.large', answer, () => {});
  await there.flush();
  const asked = Array.from({ length: 100 }, (_, index) =>
    ask(here, 't.ask.large', Buffer.of(index), 10_000),
  );
  for (const [index, answered] of (await Promise.all(asked)).entries()) {
    expect(answered).toHaveLength(200_000);
    expect(answered.every((byte) => byte === index)).toBe(true);
  }
  expect(openMax).toBeGreaterThan(1);
  expect(openMax).toBeLessThanOrEqual(16);
});

test('so many large answers may be waited for; who asks beyond is told to try again', async () => {
  const [here, there] = [await client(), await client()];
  const ends: (() => void)[] = [];
  const answer = () => new Promise<Uint8Array>((resolve) => ends.push(() => resolve(QUESTION)));
  answerLargeAsks(there, 't.ask.full', answer, () => {});
  await there.flush();
  // 16 that are answered, 1,024 that wait, and two more.
  const asked = Array.from({ length: 1_042 }, () => ask(here, 't.ask.full', QUESTION, 20_000));
  const refused = asked.slice(-2);
  for (const one of refused) await expect(one).rejects.toMatchObject({ code: 'OVERLOADED' });
  const rest = Promise.all(asked.slice(0, -2));
  const timer = setInterval(() => {
    for (const end of ends.splice(0)) end();
  }, 1);
  onTestFinished(() => clearInterval(timer));
  expect(await rest).toHaveLength(1_040);
});
