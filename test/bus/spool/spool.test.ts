// Goal: what is in a spool comes out in order and once, whatever ends the process; numbers of one run
//   never come again under its id.
// Method: a spool on a temporary directory, opened again and again; a forwarder with a stream of our
//   own that fails when it is told to.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeBody } from '../../../src/bus/log/record-frame.ts';
import { SpoolForwarder } from '../../../src/bus/spool/forwarder.ts';
import { isSpool, Spool } from '../../../src/bus/spool/spool.ts';
import { decodeSpooled, encodeSpooled, isSpooled } from '../../../src/bus/spool/spooled-records.ts';
import { OperatingError } from '../../../src/model/errors.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'footfall-spool-'));
  const own = dir;
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
});

function open(at = dir, bytesMax = 1_024 ** 3): Spool {
  const spool = Spool.open({ dir: at, bytesMax });
  onTestFinished(() => spool.close());
  return spool;
}

function body(shard: number, ...texts: string[]): Uint8Array {
  return makeBody(texts.map((text) => ({ shard, payload: Buffer.from(text) })));
}

const textsOf = (records: readonly { payload: Uint8Array }[]) =>
  records.map(({ payload }) => Buffer.from(payload).toString());

describe('a spool', () => {
  test('gives back what was added, in order, with numbers that rise by one', () => {
    const spool = open();
    expect(isSpool(dir)).toBe(false);
    expect(spool.isEmpty).toBe(true);
    spool.add([body(1, 'a', 'b'), body(2, 'c')]);
    spool.add([body(1, 'd')]);
    const records = spool.read(1_000_000);
    expect(textsOf(records)).toEqual(['a', 'b', 'c', 'd']);
    expect(records.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(records.map(({ shard }) => shard)).toEqual([1, 1, 2, 1]);
    expect(isSpool(dir)).toBe(true);
  });

  test('reads commit by commit about as many bytes as it is asked for', () => {
    const spool = open();
    for (let index = 0; index < 10; index++) spool.add([body(1, 'x'.repeat(100))]);
    expect(spool.read(1)).toHaveLength(1);
    expect(spool.read(108)).toHaveLength(1);
    expect(spool.read(109)).toHaveLength(2);
    expect(spool.read(1_000_000)).toHaveLength(10);
  });

  test('after a process that just ended what was not forwarded is there, also in several files', () => {
    const first = open();
    const large = 'x'.repeat(1_000_000);
    for (let index = 0; index < 12; index++) first.add([body(1, `${index} ${large}`)]);
    first.forwarded(first.read(3_000_000));
    // Neither closed nor told.
    const second = open();
    expect(textsOf(second.read(1e9)).map((text) => Number(text.split(' ')[0]))).toEqual([
      3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    expect(second.waitingBytes).toBe(first.waitingBytes);
    second.forwarded(second.read(1e9));
    expect(second.isEmpty).toBe(true);
    expect(second.waitingBytes).toBe(0);
    expect(open().isEmpty).toBe(true);
  });

  test.each([
    ['missing', ''],
    ['older', '1'],
    ['rubbish', 'x'],
  ])('a note of what was forwarded that is %s only repeats', (_, note) => {
    const first = open();
    first.add([body(1, 'a'), body(1, 'b'), body(1, 'c')]);
    first.forwarded(first.read(1e9).slice(0, 2));
    if (note === '') rmSync(join(dir, 'forwarded'));
    else writeFileSync(join(dir, 'forwarded'), note);
    const texts = textsOf(open().read(1e9));
    expect(texts.at(-1)).toBe('c');
    expect(texts).toHaveLength(note === '1' ? 2 : 3);
  });

  test('a directory restored from a backup gives old numbers again, under another id', () => {
    const first = open();
    first.add([body(1, 'a')]);
    const backup = `${dir}-backup`;
    cpSync(dir, backup, { recursive: true });
    onTestFinished(() => rmSync(backup, { recursive: true, force: true }));
    first.add([body(1, 'b')]);
    const [a, b] = first.read(1e9);
    const restored = open(backup);
    restored.add([body(1, 'other')]);
    const [same, other] = restored.read(1e9);
    expect([same?.spool, same?.number]).toEqual([a?.spool, a?.number]);
    expect(other?.number).toBe(b?.number);
    expect(other?.spool).not.toBe(b?.spool);
  });

  test('runs whose records are forwarded are forgotten, those with waiting records are not', () => {
    for (const text of ['a', 'b', 'c']) open().add([body(1, text)]);
    const spool = open();
    const ids = spool.read(1e9).map((record) => record.spool);
    expect(new Set(ids).size).toBe(3);
    spool.forwarded(spool.read(1e9).slice(0, 2));
    spool.add([body(1, 'd')]);
    const kept = JSON.parse(readFileSync(join(dir, 'ids'), 'utf8')) as { id: string }[];
    expect(kept.map(({ id }) => id)).toEqual([ids[2], spool.read(1e9)[1]?.spool]);
  });

  test('has room up to its bound and not for one byte more', () => {
    const spool = open(dir, 1_000);
    spool.add([body(1, 'x'.repeat(92))]);
    expect(spool.waitingBytes).toBe(100);
    expect([899, 900, 901].map((bytes) => spool.hasRoom(bytes))).toEqual([true, true, false]);
  });

  test('records without the name of their run are refused', () => {
    open().add([body(1, 'a')]);
    rmSync(join(dir, 'ids'));
    expect(() => open()).toThrow(OperatingError);
  });
});

describe('forwarding', () => {
  interface Sent {
    shard: number;
    id: string;
    numbers: number[];
    texts: string[];
  }

  function streamOf(fails: () => boolean) {
    const sent: Sent[] = [];
    const underWay = new Set<number>();
    const publish = async (shard: number, payload: Uint8Array, id: string) => {
      expect(isSpooled(payload)).toBe(true);
      expect(underWay.has(shard)).toBe(false);
      underWay.add(shard);
      await new Promise((resolve) => setImmediate(resolve));
      underWay.delete(shard);
      if (fails()) throw new Error('no answer');
      const { records } = decodeSpooled(payload);
      const numbers = records.map(({ number }) => number);
      sent.push({ shard, id, numbers, texts: textsOf(records) });
    };
    return { sent, publish };
  }

  async function drained(spool: Spool): Promise<void> {
    while (!spool.isEmpty) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  test('every record goes once and in order per shard, however often the stream fails', async () => {
    const spool = open();
    const texts = Array.from({ length: 300 }, (_, index) => `${index}`);
    for (const [index, text] of texts.entries()) spool.add([body(index % 3, text)]);
    let attempts = 0;
    const { sent, publish } = streamOf(() => attempts++ % 2 === 0);
    const forwarder = new SpoolForwarder(spool, publish, () => undefined);
    forwarder.wake();
    await drained(spool);
    for (const shard of [0, 1, 2]) {
      const own = sent.filter((message) => message.shard === shard);
      expect(own.flatMap((message) => message.texts)).toEqual(
        texts.filter((_, index) => index % 3 === shard),
      );
    }
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
  });

  test('records of two runs are never in one message', async () => {
    open().add([body(1, 'a')]);
    const spool = open();
    spool.add([body(1, 'b')]);
    const { sent, publish } = streamOf(() => false);
    new SpoolForwarder(spool, publish, () => undefined).wake();
    await drained(spool);
    expect(sent.map((message) => message.texts)).toEqual([['a'], ['b']]);
  });

  test('what is not acknowledged when it is closed is still there', async () => {
    const spool = open();
    spool.add([body(1, 'a')]);
    const { publish } = streamOf(() => true);
    const forwarder = new SpoolForwarder(spool, publish, () => undefined);
    forwarder.wake();
    await forwarder.close();
    expect(textsOf(spool.read(1e9))).toEqual(['a']);
  });
});

test('records of a spool come out of their message as they went in, empty ones too', () => {
  const payloads = ['', 'a', 'b'.repeat(1_000)].map((text) => Buffer.from(text));
  const records = payloads.map((payload, index) => ({ number: 2 ** 40 + index, payload }));
  const packed = Buffer.concat([Buffer.from('xxx'), encodeSpooled('a'.repeat(12), records)]);
  const { spool, records: found } = decodeSpooled(packed.subarray(3));
  expect(spool).toBe('a'.repeat(12));
  expect(found.map(({ number }) => number)).toEqual(records.map(({ number }) => number));
  expect(textsOf(found)).toEqual(textsOf(records));
});
