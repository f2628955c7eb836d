/**
 * The reader of hits against `JSON.parse`: what it reads is the same, what it does not read is left
 * to the other. The bodies are generated: plain ones, and the same with something odd in them.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELDS } from '../../../src/edge/body/hit-fields.ts';
import { NOT_PLAIN, readHits } from '../../../src/edge/body/hit-reader.ts';
import { parseJson } from '../../../src/edge/body/json-text.ts';
import type { RawHit } from '../../../src/ingest/raw-hit.ts';
import { checkPairs, pairsOf } from '../../../src/ingest/tags-and-metadata.ts';
import { HitKind } from '../../../src/model/hit.ts';
import { BATCH_ITEM_COUNT_MAX, HIT_READER_BYTES_MAX } from '../../../src/model/limits.ts';

const NAMES = FIELDS.map(({ name }) => name);
const HIT = { url: 'https://a.example/', ip: '203.0.113.7', user_agent: 'Agent/1.0' };

/** What `JSON.parse` makes of a body, without the fields that no hit has; null when it is none. */
function parsed(bytes: Buffer): { value: unknown } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: withoutOthers(JSON.parse(text)) };
  } catch {
    return null;
  }
}

function withoutOthers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOthers);
  if (typeof value !== 'object' || value === null) return value;
  const own = new Map(Object.entries(value));
  return Object.fromEntries(NAMES.filter((name) => own.has(name)).map((n) => [n, own.get(n)]));
}

/** Reads a body twice, the second time from memory, and compares. @returns whether it was read. */
function agree(body: string | Uint8Array): boolean {
  const bytes = Buffer.from(body as string);
  const first = readHits(bytes);
  const second = readHits(bytes);
  expect(second).toEqual(first);
  if (first === NOT_PLAIN) return false;
  const slow = parsed(bytes);
  expect(slow).not.toBeNull();
  expect(withoutUndefined(first)).toStrictEqual(slow?.value);
  return true;
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  const entries = Object.entries(value as object).filter(([, held]) => held !== undefined);
  return Object.fromEntries(entries);
}

const piece = fc.constantFrom(
  ...['a', 'b', ' ', '/', 'ä', '日', '😀', '\ud800', '"', '\\', '\n', '\u0000', '\u007f', '\u0080'],
  ...['Mozilla/5.0 (', '"Chromium";v="124"', 'https://a.example/', 'x'.repeat(250)],
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const plainValue = fc.oneof(
  { weight: 6, arbitrary: text },
  fc.constantFrom(null, true, false, 0, 1, 1_920, 999_999_999, 1_000_000_000, -1, 0.5, 1e21),
  fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null), fc.constant([{}])), {
    maxKeys: 3,
  }),
);
const name = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...NAMES) },
  fc.constantFrom('other', '__proto__', 'constructor', 'ur', 'urls', '', 'ä', 'a"b'),
);
const fields = fc.array(fc.tuple(name, plainValue), { maxLength: 8 });

/** An object as JSON with its fields in this order, repeated ones too, and white space. */
function objectText(list: readonly (readonly [string, unknown])[], space: string): string {
  const parts = list.map(
    ([key, value]) =>
      `${space}${JSON.stringify(key)}${space}:${space}${JSON.stringify(value)}${space}`,
  );
  return `${space}{${parts.join(',')}${parts.length === 0 ? space : ''}}${space}`;
}

const space = fc.constantFrom('', '', ' ', '\n\t', '\r\n ');
const body = fc
  .tuple(fc.array(fields, { minLength: 1, maxLength: 4 }), space, fc.boolean())
  .map(([items, white, isList]) => {
    const texts = items.map((item) => objectText(item, white));
    return isList ? `[${texts.join(',')}]` : texts[0]!;
  });

/** Numbers as JSON may write them, most of them near what 64 bits keep exactly. */
const numberText = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.bigInt({ min: 2n ** 53n - 20n, max: 2n ** 53n + 20n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.tuple(fc.integer(), fc.integer({ min: -400, max: 400 })).map(([m, e]) => `${m}e${e}`),
  fc.constantFrom('-0', '0', '1.0', '1e400', '-1e400', '1e-400', '1E+2', '9007199254740993.0'),
);

describe('the reader of hits', () => {
  it('reads what JSON.parse reads, or leaves it alone', () => {
    fc.assert(
      fc.property(body, (json) => {
        agree(json);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never reads what JSON.parse refuses, whatever byte is put in, taken out or changed', () => {
    const change = fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.integer({ min: 0, max: 255 }));
    const odd = fc.constantFrom(0x22, 0x2c, 0x30, 0x3a, 0x5c, 0x5d, 0x75, 0x7b, 0x7d, 0x80, 0xc3);
    fc.assert(
      fc.property(body, change, fc.option(odd), (json, [place, kind, any], byte) => {
        const bytes = [...Buffer.from(json)];
        const put = kind === 1 ? [] : [byte ?? any];
        bytes.splice(place % (bytes.length + 1), kind === 0 ? 0 : 1, ...put);
        agree(Uint8Array.from(bytes));
      }),
      { numRuns: 6_000 },
    );
  });

  it('passes over a byte order mark in front, as the parser of all other bodies does', () => {
    expect(agree(`\ufeff${JSON.stringify(HIT)}`)).toBe(true);
    expect(agree(`\ufeff [${JSON.stringify(HIT)}]`)).toBe(true);
    for (const odd of ['\ufeff', '\ufeff\ufeff{}', ' \ufeff{}', '{}\ufeff', '\ufeffx']) {
      expect(agree(odd)).toBe(false);
    }
    fc.assert(
      fc.property(body, (json) => {
        agree(`\ufeff${json}`);
      }),
      { numRuns: 300 },
    );
  });

  it('and JSON.parse keep the same numbers of metadata, whole ones as sent (I-54)', () => {
    fc.assert(
      fc.property(numberText, (number) => {
        const bytes = Buffer.from(`{"event_meta":{"k":${number}}}`);
        const [fast, slow] = [readHits(bytes), parseJson(bytes)].map((read) => {
          const fault = checkPairs(read as RawHit, HitKind.Event);
          return fault ?? pairsOf(read as RawHit, HitKind.Event);
        });
        expect(fast).toEqual(slow);
        if (!/^-?\d+$/.test(number)) return;
        if (BigInt(number) ** 2n < 2n ** 106n) expect(fast).toEqual(['k', String(BigInt(number))]);
        else expect(fast).toHaveProperty('event_meta');
      }),
      { numRuns: 3_000 },
    );
  });

  it('reads what clients send: client hints with escapes, other alphabets, tags, numbers', () => {
    const sent = {
      ...HIT,
      title: 'Grüße aus 東京 😀',
      sec_ch_ua: '"Chromium";v="124", "Not-A.Brand";v="99"',
      screen_width: 1_920,
      tags: { plan: 'pro', größe: 'xl' },
      event_duration: 12,
      disable_bot_filter: false,
      non_interactive: true,
      dnt: null,
      unknown: 'field',
    };
    expect(agree(JSON.stringify(sent))).toBe(true);
    expect(agree(JSON.stringify([sent, HIT, sent]))).toBe(true);
    expect(agree('[]')).toBe(true);
    expect(agree(' {"url":"a","url":null,"ip":"b","ip":"c"} ')).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['a name in escapes', '{"\\u0075rl":"https://a.example/"}'],
    ['an escape that is none', '{"url":"\\x"}'],
    ['a control character', '{"url":"a\u0001"}'],
    ['a zero behind', '{"url":"a"}\0'],
    ['something behind', '{"url":"a"} x'],
    ['a comma too many', '[{"url":"a"},]'],
    ['a number that begins with 0', '{"screen_width":012}'],
    ['a fraction', '{"event_duration":1.5}'],
    ['an exponent', '{"screen_width":1E3}'],
    ['a list as a field', '{"tags":[]}'],
    ['a list in a list', '[[]]'],
    ['a text', '"url"'],
    ['a field without an end', '{"url":"a'],
    ['a backslash at the end', '{"url":"\\'],
    ['an object without an end', '{"tags":{"a":"}"'],
  ])('leaves to JSON.parse: %s', (_, json) => {
    expect(readHits(Buffer.from(json))).toBe(NOT_PLAIN);
  });

  it('leaves bytes that are no UTF-8 alone, also in a text of which it knows the beginning', () => {
    expect(agree('{"title":"ä","other":"a"}')).toBe(true);
    for (const wrong of [[0xc3], [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80]]) {
      for (const field of ['title', 'other', 'tags']) {
        const value = field === 'tags' ? ['{"a":"', '"}'] : ['"', '"'];
        const parts = [Buffer.from(`{"${field}":${value[0]}`), Buffer.from(wrong)];
        const bytes = Buffer.concat([...parts, Buffer.from(`${value[1]}}`)]);
        expect(readHits(bytes)).toBe(NOT_PLAIN);
      }
    }
  });

  it('forgets texts when more come than it has room for, and still reads them right', () => {
    for (let round = 0; round < 2; round++) {
      for (let batch = 0; batch < 40; batch++) {
        const hits = Array.from({ length: 500 }, (_, index) => ({
          ...HIT,
          user_agent: `Agent/${batch}.${index}`,
          sec_ch_ua: `"Agent";v="${batch * 500 + index}" ${'.'.repeat(index)}`,
        }));
        expect(readHits(Buffer.from(JSON.stringify(hits)))).toEqual(hits);
      }
    }
  });

  it.each([-1, 0, 1])('remembers a text of 247 bytes, reads one of %d more', (more) => {
    for (const letter of ['a', 'ä', '\\n']) {
      const count = Math.floor((247 + more) / Buffer.byteLength(letter));
      expect(agree(`{"user_agent":"${letter.repeat(count)}","title":"b"}`)).toBe(true);
    }
  });

  it.each([
    [-1, true],
    [0, true],
    [1, false],
  ])('reads a body of the largest size and %d bytes: %s', (more, isRead) => {
    const json = '{"url":"a"}';
    const bytes = Buffer.alloc(HIT_READER_BYTES_MAX + more, ' ');
    bytes.write(json, bytes.length - json.length);
    expect(readHits(bytes) !== NOT_PLAIN).toBe(isRead);
  });

  it.each([
    [-1, true],
    [0, true],
    [1, false],
  ])('reads as many items as a batch may have (A-9) and %d: %s', (more, isRead) => {
    const json = `[${'{},'.repeat(BATCH_ITEM_COUNT_MAX + more - 1)}{}]`;
    expect(readHits(Buffer.from(json)) !== NOT_PLAIN).toBe(isRead);
  });

  it('leaves tags nested deeper than any body may be to JSON.parse', () => {
    const nested = (levels: number) => `{"tags":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    expect(agree(nested(98))).toBe(true);
    expect(readHits(Buffer.from(nested(99)))).toBe(NOT_PLAIN);
  });
});
