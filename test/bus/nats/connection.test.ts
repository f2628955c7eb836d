// Goal: a client that has stopped trying to reach NATS ends its process instead of waiting for ever; one
//   that tries, however long the server is away, does not.
// Method: what the client says of itself is told by the test, on a clock of the test; the fault itself
//   needs a link that breaks within the microsecond, which only the torture finds.
import { EventEmitter } from 'node:events';
import type { NatsConnection } from 'nats';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endWhenStuck } from '../../../src/bus/nats/connection.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection whose status is told by the test. */
function toldConnection() {
  const bus = new EventEmitter();
  const waiting: string[] = [];
  async function* status() {
    for (;;) {
      while (waiting.length > 0) yield { type: waiting.shift() as string, data: '' };
      await new Promise<void>((resolve) => bus.once('told', resolve));
    }
  }
  const connection = { status, getServer: () => '127.0.0.1:4222' } as unknown as NatsConnection;
  const tell = async (type: string) => {
    waiting.push(type);
    bus.emit('told');
    await vi.advanceTimersByTimeAsync(0);
  };
  return { connection, tell };
}

test.each(['disconnect', 'reconnecting', 'staleConnection'])(
  'after "%s" and nothing else for two looks the process ends, and says what to do',
  async (type) => {
    const { connection, tell } = toldConnection();
    void endWhenStuck(connection);
    await tell(type);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(() => vi.advanceTimersByTime(1)).toThrow(/start this node again/);
  },
);

test('a server that is away for an hour ends nothing as long as it is tried', async () => {
  const { connection, tell } = toldConnection();
  void endWhenStuck(connection);
  await tell('disconnect');
  for (let seconds = 0; seconds < 3_600; seconds += 5) {
    await vi.advanceTimersByTimeAsync(5_000);
    await tell('reconnecting');
  }
  await tell('reconnect');
  expect(vi.getTimerCount()).toBe(0);
});

test('signs of something else neither begin nor end the wait', async () => {
  const { connection, tell } = toldConnection();
  void endWhenStuck(connection);
  await tell('update');
  expect(vi.getTimerCount()).toBe(0);
  await tell('staleConnection');
  await vi.advanceTimersByTimeAsync(29_000);
  await tell('pingTimer');
  expect(() => vi.advanceTimersByTime(1_000)).toThrow(/start this node again/);
});
