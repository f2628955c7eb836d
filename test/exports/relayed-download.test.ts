// Goal (P-10): a file of an export that another node has comes whole, with few pieces in memory, and a
//   download that cannot go on ends.
// Method: pieces are answered from real files by the code of the other node; what lies between the two
//   nodes is the test: it counts what is on its way, loses answers, and goes away.
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Downloads, type FetchedFile } from '../../src/exports/downloads.ts';
import { answerPiece, pieceQuestion } from '../../src/exports/file-pieces.ts';
import { errors } from '../../src/model/errors.ts';
import {
  DOWNLOAD_OF_DOMAIN_COUNT_MAX,
  DOWNLOAD_PIECE_BYTES,
  RELAYED_AHEAD_COUNT,
  RELAYED_COUNT_MAX,
} from '../../src/model/export-limits.ts';
import { makeTemporaryDirectory } from '../support/service.ts';

const NAME = 'views-2026-11.csv';
const PIECE = DOWNLOAD_PIECE_BYTES;

const root = makeTemporaryDirectory();
const here = join(root, 'here');
const there = join(root, 'there');

beforeAll(() => mkdirSync(here, { recursive: true }));
afterEach(() => vi.useRealTimers());
afterAll(() => rmSync(root, { recursive: true }));

let count = 0;

/** A file of the other node. */
function stored(bytes: number): { file: FetchedFile; content: Buffer } {
  const id = `export${count++}`;
  const content = randomBytes(bytes);
  mkdirSync(join(there, 'exports', id), { recursive: true });
  writeFileSync(join(there, 'exports', id, NAME), content);
  return { file: { id, domainId: 'a', place: 'there', name: NAME, bytes }, content };
}

/** What lies between the nodes. */
class Between {
  asked = 0;
  open = 0;
  openMax = 0;
  /** Is told the number of a question before it is asked; what it throws is answered. */
  fault: (asked: number) => void = () => undefined;
  readonly ask = async (place: string, question: Uint8Array): Promise<Uint8Array> => {
    expect(place).toBe('there');
    this.asked++;
    const { asked } = this;
    this.open++;
    this.openMax = Math.max(this.openMax, this.open);
    try {
      await null;
      this.fault(asked);
      return await answerPiece(there, question);
    } finally {
      this.open--;
    }
  };
}

const SIZES = [1, PIECE - 1, PIECE, PIECE + 1, 9 * PIECE, 9 * PIECE + 77];

test.each(SIZES)(
  'P-10: a file of %i bytes comes whole, however little of it the client takes at once',
  async (bytes) => {
    const { file, content } = stored(bytes);
    const between = new Between();
    const download = await new Downloads(here, between.ask).open(file);
    const found: Buffer[] = [];
    let offset = 0;
    for (let turn = 0; ; turn++) {
      const piece = await download.bytesAt(offset);
      if (piece === null) break;
      expect(piece.length).toBeGreaterThan(0);
      // All, the half, or a few bytes: what is not taken is asked for again.
      const taken = piece.subarray(0, [piece.length, Math.ceil(piece.length / 2), 1_000][turn % 3]);
      found.push(Buffer.from(taken));
      offset += taken.length;
    }
    expect(Buffer.compare(Buffer.concat(found), content)).toBe(0);
    // Nothing is fetched twice: the look, and each piece.
    expect(between.asked).toBe(1 + Math.ceil(bytes / PIECE));
    expect(between.openMax).toBeLessThanOrEqual(RELAYED_AHEAD_COUNT);
  },
);

test('P-10: a client that takes nothing costs a few pieces, and one that has left nothing more', async () => {
  const { file } = stored(40 * PIECE);
  const between = new Between();
  const download = await new Downloads(here, between.ask).open(file);
  for (let look = 0; look < 5; look++) await download.bytesAt(0);
  expect(between.asked).toBe(1 + RELAYED_AHEAD_COUNT);
  await download.bytesAt(2 * PIECE);
  expect(between.asked).toBe(1 + RELAYED_AHEAD_COUNT + 2);
  download.close();
  expect(await download.bytesAt(3 * PIECE)).toBeNull();
  expect(between.asked).toBe(1 + RELAYED_AHEAD_COUNT + 2);
});

test('P-10: answers that are lost are asked for again; a node that stays away ends the download', async () => {
  vi.useFakeTimers();
  const { file, content } = stored(3 * PIECE);
  const between = new Between();
  between.fault = (asked) => {
    if (asked % 2 === 0) throw errors.NODE_AWAY({ reason: 'it does not answer' });
  };
  const downloads = new Downloads(here, between.ask);
  const download = await downloads.open(file);
  const first = download.bytesAt(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(Buffer.compare((await first) ?? Buffer.of(), content.subarray(0, PIECE))).toBe(0);
  download.close();

  between.fault = (asked) => {
    if (asked > 1) throw errors.NODE_AWAY({ reason: 'it does not answer' });
  };
  between.asked = 0;
  const broken = await downloads.open(file);
  const ended = expect(broken.bytesAt(0)).rejects.toMatchObject({ code: 'NODE_AWAY' });
  await vi.advanceTimersByTimeAsync(9_000);
  await ended;
  broken.close();
});

test('P-10: before a download begins, a node that is away is a 503 with a time, a file that is gone a 404', async () => {
  const between = new Between();
  const downloads = new Downloads(here, between.ask);
  const { file } = stored(10);
  between.fault = () => {
    throw errors.NODE_AWAY({ reason: 'nobody listens' });
  };
  await expect(downloads.open(file)).rejects.toMatchObject({
    ...{ code: 'EXPORT_AWAY', status: 503, retryAfterSeconds: 5 },
  });
  between.fault = () => undefined;
  const gone = { code: 'RECORD_NOT_FOUND', status: 404 };
  await expect(downloads.open({ ...file, id: 'nobody' })).rejects.toMatchObject(gone);
  await expect(downloads.open({ ...file, bytes: 11 })).rejects.toMatchObject(gone);
  // Without other nodes nobody is asked.
  await expect(new Downloads(here, null).open(file)).rejects.toMatchObject(gone);
});

test('P-10: so many files come from other nodes at once, and of one site, as may; the next one waits for its turn', async () => {
  const downloads = new Downloads(here, new Between().ask);
  const { file } = stored(10);
  const open: { close(): void }[] = [];
  const begin = async (domainId: string) => {
    const download = await downloads.open({ ...file, domainId });
    await download.bytesAt(0);
    open.push(download);
  };
  for (let at = 0; at < DOWNLOAD_OF_DOMAIN_COUNT_MAX; at++) await begin('a');
  await expect(begin('a')).rejects.toMatchObject({ code: 'OVERLOADED', status: 503 });
  while (open.length < RELAYED_COUNT_MAX) await begin(`site${open.length}`);
  await expect(begin('b')).rejects.toMatchObject({ code: 'OVERLOADED' });
  for (const download of open.splice(0)) {
    download.close();
    download.close();
  }
  while (open.length < RELAYED_COUNT_MAX) await begin(`site${open.length}`);
  for (const download of open.splice(0)) download.close();
  // Also of those that ask within the same moment.
  const opened = await Promise.allSettled(
    Array.from({ length: 3 * RELAYED_COUNT_MAX }, (_, at) =>
      downloads.open({ ...file, domainId: `site${at}` }),
    ),
  );
  const begun = await Promise.all(
    opened.map((one) => (one.status === 'fulfilled' ? one.value.bytesAt(0) : null)),
  );
  expect(begun.filter((piece) => piece !== null)).toHaveLength(RELAYED_COUNT_MAX);
});

test.each([
  ['no JSON', Buffer.from('{')],
  ['null', Buffer.from('null')],
  ['a name that leads elsewhere', { name: '../../secret.csv' }],
  ['an id that leads elsewhere', { id: '..' }],
  ['a hidden name', { name: '.csv' }],
  ['more bytes than a piece has', { length: PIECE + 1 }],
  ['bytes behind the end', { offset: 2 * PIECE - 1, length: 2 }],
  ['a part of a byte', { length: 0.5 }],
  ['fewer than no bytes', { offset: -1 }],
  ['a text for a number', { length: '1' }],
])('what no node asks (%s) is answered as a file that is not there', async (_, asked) => {
  const { file } = stored(2 * PIECE);
  const { id, name, bytes } = file;
  const whole = { id, name, bytes, offset: 0, length: 1 };
  expect(await answerPiece(there, pieceQuestion(whole))).toHaveLength(1);
  const question = Buffer.isBuffer(asked)
    ? asked
    : Buffer.from(JSON.stringify({ ...whole, ...asked }));
  await expect(answerPiece(there, question)).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
});
