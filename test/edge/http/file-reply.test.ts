// Goal: a file arrives whole whatever the client takes at a time, and nothing is read that is not taken.
// Method: an engine that takes as many bytes as it is told, and calls back when there is room again.
import { expect, test } from 'vitest';
import { writeFile } from '../../../src/edge/http/file-reply.ts';
import { type Reply, replyHead } from '../../../src/edge/http/reply.ts';
import { largePng } from '../../support/images.ts';

const HEAD = replyHead({
  kind: 'file',
  cache: '',
  vary: [],
  isForAnyOrigin: false,
  isForAnyPage: false,
});
const REPLY: Reply = {
  ...{ error: null, body: '', head: HEAD, status: '', headers: { 'Content-Type': 'image/png' } },
  ...{
    context: '',
    allow: '',
    origin: '',
    coding: '',
    isHead: false,
    closesConnection: false,
    rate: null,
  },
};

/** Takes some bytes at a time. */
class Engine {
  taken = Buffer.alloc(0);
  room = 0;
  isClosed = false;
  headers: string[] = [];
  writable: (() => boolean) | null = null;
  leave: (() => void) | null = null;
  readonly response = {
    cork: (write: () => void) => write(),
    writeHeader: (name: string) => this.headers.push(String(name)),
    getWriteOffset: () => this.taken.length,
    tryEnd: (piece: Uint8Array, total: number) => {
      const taken = piece.subarray(0, this.room);
      this.room -= taken.length;
      this.taken = Buffer.concat([this.taken, taken]);
      return [taken.length === piece.length, this.taken.length === total];
    },
    onAborted: (listener: () => void) => {
      this.leave = listener;
    },
    onWritable: (listener: () => boolean) => {
      this.writable = listener;
    },
    close: () => {
      this.isClosed = true;
    },
  } as unknown as Parameters<typeof writeFile>[0];
}

test.each([1, 1_000, 4_999, 5_000, 100_000])(
  'a file whose client takes %d bytes at a time arrives whole (M-70)',
  (room) => {
    const image = largePng(20_001);
    const engine = new Engine();
    let done = 0;
    let read = 0;
    const bytesAt = (offset: number) => {
      read++;
      return image.subarray(offset, Math.floor(offset / 5_000 + 1) * 5_000);
    };
    engine.room = room;
    const file = { headers: {}, byteCount: image.length, bytesAt };
    writeFile(engine.response, REPLY, file, () => done++);
    let calls = 1;
    while (done === 0) {
      engine.room = room;
      calls++;
      expect(engine.writable?.()).toBe(engine.taken.length === image.length);
    }
    expect(engine.taken.equals(image)).toBe(true);
    expect([done, engine.isClosed, engine.headers.length]).toEqual([1, false, 2]);
    // Five parts; beyond that one is read again only where the client had no room.
    expect(read).toBeLessThanOrEqual(calls + 5);
  },
);

test('a file that goes while it is read ends the connection', () => {
  const engine = new Engine();
  let done = 0;
  engine.room = 10;
  let bytes: Uint8Array | null = largePng(100);
  const file = { headers: {}, byteCount: 100, bytesAt: () => bytes };
  writeFile(engine.response, REPLY, file, () => done++);
  expect([done, engine.isClosed]).toEqual([0, false]);
  bytes = null;
  expect(engine.writable?.()).toBe(true);
  expect([done, engine.isClosed]).toEqual([1, true]);
});

test('what is read from a disk is waited for, and a client that leaves meanwhile is written nothing (P-10)', async () => {
  const image = largePng(10_000);
  const engine = new Engine();
  const seen: string[] = [];
  const give: ((piece: Uint8Array | null) => void)[] = [];
  const file = {
    ...{ headers: {}, byteCount: image.length },
    bytesAt: () => new Promise<Uint8Array | null>((resolve) => give.push(resolve)),
    close: () => void seen.push('closed'),
  };
  writeFile(engine.response, REPLY, file, () => void seen.push('done'));
  engine.room = 1_000;
  give[0]?.(image.subarray(0, 5_000));
  await settled();
  // What found no room is asked for once there is some, and only once.
  expect([give.length, engine.taken.length]).toEqual([1, 1_000]);
  engine.writable?.();
  engine.writable?.();
  expect([give.length, seen]).toEqual([2, []]);
  engine.leave?.();
  engine.room = 100_000;
  give[1]?.(image.subarray(1_000));
  await settled();
  expect([engine.taken.length, engine.isClosed, seen]).toEqual([1_000, false, ['closed', 'done']]);
});

test('what cannot be read ends the connection, and all of it is let go of', async () => {
  const engine = new Engine();
  const seen: string[] = [];
  const file = {
    ...{ headers: {}, byteCount: 10, close: () => void seen.push('closed') },
    bytesAt: () => Promise.reject(new RangeError('the disk is gone')),
  };
  writeFile(engine.response, REPLY, file, () => void seen.push('done'));
  await settled();
  expect([engine.isClosed, seen]).toEqual([true, ['closed', 'done']]);
});

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
