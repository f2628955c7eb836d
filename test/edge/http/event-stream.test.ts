// Goal: what is kept of a stream stays within the bound, also of what the engine keeps (O-51).
// Method: a response that takes what the test lets it take, in the place of the engine's.
import type { HttpResponse } from 'uWebSockets.js';
import { expect, test } from 'vitest';
import { EventStream } from '../../../src/edge/http/event-stream.ts';
import { LIVE_UNREAD_BYTES_MAX } from '../../../src/model/limits.ts';

const EVENT_BYTES = 1_000;

/** A response whose kernel takes nothing while `isFull`; what it was handed then, it keeps. */
class FullResponse {
  isFull = false;
  isClosed = false;
  handed = '';
  onRoom: () => boolean = () => true;

  write(text: string): boolean {
    this.handed += text;
    return !this.isFull;
  }

  onWritable(call: () => boolean): void {
    this.onRoom = call;
  }

  cork(call: () => void): void {
    call();
  }

  close(): void {
    this.isClosed = true;
  }
}

/** A stream, and events sent to it one after the other. */
function opened() {
  const res = new FullResponse();
  const stream = new EventStream(res as unknown as HttpResponse, 0, () => undefined);
  let sent = 0;
  const send = () => stream.send('n', String(sent++).padEnd(EVENT_BYTES, 'x'));
  const fill = (bytes: number) => {
    const wanted = sent + Math.ceil(bytes / EVENT_BYTES);
    while (sent < wanted && !stream.isOver) send();
  };
  return { res, stream, fill, sentCount: () => sent };
}

const eventCount = ({ handed }: FullResponse): number => handed.split('event: n').length - 1;

test('a client that reads a little now and then is closed at the same bound (O-51)', () => {
  const { res, stream, fill, sentCount } = opened();
  stream.begin();
  res.isFull = true;
  fill(LIVE_UNREAD_BYTES_MAX * 0.8);
  expect([stream.isOver, eventCount(res)]).toEqual([false, 1]);
  // The client reads: all that waited goes to the engine, which finds no room for it.
  res.isFull = false;
  res.write = (text) => {
    res.handed += text;
    res.isFull = text.length > EVENT_BYTES;
    return !res.isFull;
  };
  res.onRoom();
  expect(eventCount(res)).toBe(sentCount());
  const before = sentCount();
  fill(LIVE_UNREAD_BYTES_MAX * 0.15);
  expect(stream.isOver).toBe(false);
  fill(LIVE_UNREAD_BYTES_MAX * 0.15);
  expect([stream.isOver, res.isClosed]).toEqual([true, true]);
  expect((sentCount() - before) * EVENT_BYTES).toBeLessThan(LIVE_UNREAD_BYTES_MAX * 0.3);
});

test('what waited comes whole and in order once there is room, and costs nothing more (O-51)', () => {
  const { res, stream, fill, sentCount } = opened();
  res.isFull = true;
  fill(100_000);
  res.isFull = false;
  res.onRoom();
  const numbers = [...res.handed.matchAll(/data: (\d+)x/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: sentCount() }, (_, at) => at));
  // There is room for as much again.
  res.isFull = true;
  fill(LIVE_UNREAD_BYTES_MAX * 0.9);
  expect(stream.isOver).toBe(false);
});

test('events to a stream that is over go nowhere, and it ends once (O-51)', () => {
  const { res, stream, fill } = opened();
  stream.left();
  stream.left();
  fill(10_000);
  stream.keepOpen(1_000_000);
  stream.end();
  expect([res.handed, res.isClosed]).toEqual(['', false]);
});
