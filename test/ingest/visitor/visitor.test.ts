/**
 * Goal: visitor ids follow I-30..I-33 and the hash below them is SipHash-2-4.
 * Method: the published vectors, a BigInt twin on random input, and pairs of visitors.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanAddress } from '../../../src/ingest/place/address.ts';
import { sipHash, sipKey } from '../../../src/ingest/visitor/siphash.ts';
import {
  hashIdempotencyKey,
  utcDayIndex,
  VisitorIds,
} from '../../../src/ingest/visitor/visitor.ts';

const out = new Uint32Array(2);

function hexOf(words: Uint32Array): string {
  return Buffer.from(words.buffer, words.byteOffset, 8).toString('hex');
}

describe('the hash below the visitor id', () => {
  const key = sipKey(Uint8Array.from({ length: 16 }, (_, index) => index));

  // Source: reference vectors of SipHash-2-4 (key 00..0f, input 00..n-1), low byte first.
  test.each([
    [0, '310e0edd47db6f72'],
    [1, 'fd67dc93c539f874'],
    [2, '5a4fa9d909806c0d'],
    [3, '2d7efbd796666785'],
    [4, 'b7877127e09427cf'],
    [5, '8da699cd64557618'],
    [6, 'cee3fe586e46c9cb'],
    [7, '37d1018bf50002ab'],
    [8, '6224939a79f5f593'],
    [9, 'b0e4a90bdf82009e'],
    [15, 'e545be4961ca29a1'],
    [16, 'db9bc2577fcc2a3f'],
    [63, '724506eb4c328a95'],
  ])('of %i bytes is %s, as published', (length, hash) => {
    const bytes = Uint8Array.from({ length: 64 }, (_, index) => index);
    sipHash(key, bytes, length, out);
    expect(hexOf(out)).toBe(hash);
  });

  test('agrees with its readable twin over BigInt on random keys and texts', () => {
    const bytes16 = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(bytes16, fc.uint8Array({ maxLength: 70 }), (secret, bytes) => {
        sipHash(sipKey(secret), bytes, bytes.length, out);
        const hash = (BigInt(out[1] as number) << 32n) | BigInt(out[0] as number);
        expect(hash).toBe(twin(secret, bytes));
      }),
    );
  });

  /** SipHash-2-4 word for word from the paper. */
  function twin(secret: Uint8Array, bytes: Uint8Array): bigint {
    const word = (from: Uint8Array, at: number) =>
      from.slice(at, at + 8).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    const mask = (1n << 64n) - 1n;
    const rotate = (x: bigint, by: bigint) => ((x << by) | (x >> (64n - by))) & mask;
    const [k0, k1] = [word(secret, 0), word(secret, 8)];
    let v0 = k0 ^ 0x736f6d6570736575n;
    let v1 = k1 ^ 0x646f72616e646f6dn;
    let v2 = k0 ^ 0x6c7967656e657261n;
    let v3 = k1 ^ 0x7465646279746573n;
    const rounds = (count: number) => {
      for (let round = 0; round < count; round++) {
        v0 = (v0 + v1) & mask;
        v1 = rotate(v1, 13n) ^ v0;
        v0 = rotate(v0, 32n);
        v2 = (v2 + v3) & mask;
        v3 = rotate(v3, 16n) ^ v2;
        v0 = (v0 + v3) & mask;
        v3 = rotate(v3, 21n) ^ v0;
        v2 = (v2 + v1) & mask;
        v1 = rotate(v1, 17n) ^ v2;
        v2 = rotate(v2, 32n);
      }
    };
    const padded = new Uint8Array((bytes.length >> 3) * 8 + 8);
    padded.set(bytes);
    padded[padded.length - 1] = bytes.length;
    for (let at = 0; at < padded.length; at += 8) {
      const message = word(padded, at);
      v3 ^= message;
      rounds(2);
      v0 ^= message;
    }
    v2 ^= 0xffn;
    rounds(4);
    return v0 ^ v1 ^ v2 ^ v3;
  }
});

describe('the visitor id', () => {
  const secret = new Uint8Array(32).fill(1);
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

  function idOf(
    ids: VisitorIds,
    userAgent: string,
    address: string,
    { domainId = 'd', day = 20_000 } = {},
  ) {
    const digest = new Uint32Array(2);
    ids.digest(userAgent, digest);
    const agentDigest = { digestLow: digest[0] as number, digestHigh: digest[1] as number };
    return hexOf(ids.id(agentDigest, address, domainId, day));
  }

  const ids = new VisitorIds(secret);
  const id = idOf(ids, agent, '1.2.3.4');

  test('of the same user agent, address, domain and day is the same on every node (I-30)', () => {
    expect(idOf(new VisitorIds(secret), agent, '1.2.3.4')).toBe(id);
    expect(idOf(ids, agent, '1.2.3.4')).toBe(id);
  });

  test.each([
    ['another user agent', () => idOf(ids, `${agent}1`, '1.2.3.4')],
    ['another address', () => idOf(ids, agent, '1.2.3.5')],
    ['an address that only begins alike', () => idOf(ids, agent, '1.2.3.40')],
    ['another domain', () => idOf(ids, agent, '1.2.3.4', { domainId: 'e' })],
    ['the day before', () => idOf(ids, agent, '1.2.3.4', { day: 19_999 })],
    ['another secret', () => idOf(new VisitorIds(new Uint8Array(32)), agent, '1.2.3.4')],
    ['a secret of 16 bytes', () => idOf(new VisitorIds(new Uint8Array(16)), agent, '1.2.3.4')],
    ['a text that is no address', () => idOf(ids, agent, 'unbekannt, käme es so')],
  ])('of %s is another one (I-30, I-31)', (_, other) => {
    expect(other()).not.toBe(id);
  });

  test('of texts beyond ASCII differs with each of them (I-3)', () => {
    const texts = ['ä', 'ö', 'ä ', 'aä', 'āä', '😀', '😁', ''];
    expect(new Set(texts.map((text) => idOf(ids, agent, text))).size).toBe(texts.length);
    expect(new Set(texts.map((text) => idOf(ids, text, '1.2.3.4'))).size).toBe(texts.length);
  });

  test('is taken of the longest text a client may send', () => {
    expect(idOf(ids, '😀'.repeat(8_192), 'x'.repeat(8_192))).not.toBe(
      idOf(ids, `${'😀'.repeat(8_191)}😁`, 'x'.repeat(8_192)),
    );
  });

  test('does not depend on which day or domain was asked for before', () => {
    for (let day = 0; day < 200; day++)
      idOf(ids, agent, '1.2.3.4', { domainId: `domain ${day}`, day });
    expect(idOf(ids, agent, '1.2.3.4')).toBe(id);
  });

  test('needs a secret of at least 16 bytes', () => {
    expect(() => new VisitorIds(new Uint8Array(15))).toThrow(/at least 16 bytes/);
  });

  test.each([
    ['2026-11-20T23:59:59.999Z', '2026-11-20T00:00:00.000Z', true],
    ['2026-11-21T00:00:00.000Z', '2026-11-20T23:59:59.999Z', false],
    ['2026-11-21T00:00:00.000Z', '2026-11-21T00:00:00.001Z', true],
  ])('%s and %s are of the same UTC day: %s (I-33)', (one, other, isSame) => {
    expect(utcDayIndex(Date.parse(one)) === utcDayIndex(Date.parse(other))).toBe(isSame);
  });
});

describe('the address of a hit', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4'],
    [' 1.2.3.4\n', '1.2.3.4'],
    ['1.2.3.4:567', '1.2.3.4'],
    ['[2001:db8::1]:567', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::1', '::1'],
    ['1.2.3.4:', '1.2.3.4:'],
    ['1.2.3.4:port', '1.2.3.4:port'],
    ['1.2.3.256:80', '1.2.3.256:80'],
    ['host.test:80', 'host.test:80'],
    ['[host]:80', '[host]:80'],
    ['[2001:db8::1]x', '[2001:db8::1]x'],
    ['[', '['],
    ['unknown', 'unknown'],
  ])('sent as %j is %j (I-3)', (ip, address) => {
    expect(cleanAddress(ip)).toBe(address);
  });
});

describe('what is remembered of an Idempotency-Key', () => {
  test('is 32 hex digits, the same each time, another for another key or domain (I-75)', () => {
    const hash = hashIdempotencyKey('k1', 'domain');
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    expect(hashIdempotencyKey('k1', 'domain')).toBe(hash);
    expect(hashIdempotencyKey('k2', 'domain')).not.toBe(hash);
    expect(hashIdempotencyKey('k1', 'other')).not.toBe(hash);
  });
});
