/** Goal: tags and metadata are bounded and merged by I-54..I-56, I-99. Method: rows, threes. */
import { describe, expect, test } from 'vitest';
import type { RawHit } from '../../src/ingest/raw-hit.ts';
import { checkPairs, decimalText, pairsOf } from '../../src/ingest/tags-and-metadata.ts';
import { HitKind } from '../../src/model/hit.ts';

function raw(fields: Partial<RawHit>): RawHit {
  return { ip: '1.2.3.4', user_agent: 'agent', ...fields };
}

function pairs(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, 'value']));
}

/** Fields that are refused for an event. */
function refused(fields: Partial<RawHit>): string[] {
  return Object.keys(checkPairs(raw(fields), HitKind.Event) ?? {});
}

describe('an event is refused', () => {
  test.each([
    [19, []],
    [20, []],
    [21, ['event_meta']],
  ])('for %i metadata pairs: %j (I-56)', (count, expected) => {
    expect(refused({ event_meta: pairs(count) })).toEqual(expected);
  });

  test.each([
    [99, []],
    [100, []],
    [101, ['event_meta']],
  ])('for a metadata key of %i code points: %j (I-56)', (length, expected) => {
    expect(refused({ event_meta: { ['k'.repeat(length)]: 1 } })).toEqual(expected);
    expect(refused({ event_meta: { ['😀'.repeat(length)]: 1 } })).toEqual(expected);
  });

  test.each([
    [1_999, []],
    [2_000, []],
    [2_001, ['event_meta']],
  ])('for a metadata value of %i code points: %j (I-56)', (length, expected) => {
    expect(refused({ event_meta: { a: '😀'.repeat(length) } })).toEqual(expected);
  });

  test.each([
    [{ a: {} }, ['event_meta']],
    [{ a: [] }, ['event_meta']],
    [{ a: Number.POSITIVE_INFINITY }, ['event_meta']],
    [{ a: 1, b: true, c: 'x', d: null }, []],
    [{}, []],
    [null, []],
  ])('for the metadata %j: %j (I-56)', (event_meta, expected) => {
    expect(refused({ event_meta })).toEqual(expected);
  });

  test.each([
    [199, []],
    [200, []],
    [201, ['event_name']],
  ])('for a name of %i code points: %j (I-56)', (length, expected) => {
    expect(refused({ event_name: '😀'.repeat(length) })).toEqual(expected);
  });

  test('for all its faults at once, each with a text (I-56)', () => {
    const faults = { event_name: 'x'.repeat(201), event_meta: { a: [] }, tags: { a: 1 } };
    const validation = checkPairs(raw(faults), HitKind.Event);
    expect(Object.keys(validation ?? {})).toEqual(['event_name', 'event_meta', 'tags']);
    expect(validation?.['tags']).toBe("the value of 'a' must be a string");
  });

  test('for what was sent, not for what is left of it after trimming (I-56)', () => {
    expect(refused({ tags: { [' '.repeat(51)]: 'a' } })).toEqual(['tags']);
    expect(refused({ event_meta: pairs(20), tags: pairs(20) })).toEqual([]);
  });
});

describe('tags are refused', () => {
  test.each([
    [pairs(19), false],
    [pairs(20), false],
    [pairs(21), true],
    [{ ['k'.repeat(49)]: 'v' }, false],
    [{ ['k'.repeat(50)]: 'v' }, false],
    [{ ['k'.repeat(51)]: 'v' }, true],
    [{ k: 'v'.repeat(49) }, false],
    [{ k: 'v'.repeat(50) }, false],
    [{ k: 'v'.repeat(51) }, true],
    [{ k: '😀'.repeat(50) }, false],
    [{ k: 1 }, true],
    [{ k: null }, true],
    [{ k: {} }, true],
    [null, false],
  ])('when they are %j: %s, on page views and events alike (I-56)', (tags, isRefused) => {
    expect(checkPairs(raw({ tags }), HitKind.PageView) !== null).toBe(isRefused);
    expect(checkPairs(raw({ tags }), HitKind.Event) !== null).toBe(isRefused);
  });

  test('never on a keep-alive, to which they are unknown (I-2)', () => {
    expect(checkPairs(raw({ tags: { a: 1 } }), HitKind.KeepAlive)).toBeNull();
  });
});

describe('a page view carries', () => {
  test.each([
    [undefined, null],
    [null, null],
    [{}, null],
    [{ author: 'John' }, ['author', 'John']],
    [{ ' author ': ' John ', type: 'post' }, ['author', 'John', 'type', 'post']],
    [{ ' ': 'a', b: ' ' }, null],
    [{ a: '1', ' a ': '2' }, ['a', '2']],
  ])('of the tags %j the pairs %j (I-99)', (tags, expected) => {
    expect(pairsOf(raw(tags === undefined ? {} : { tags }), HitKind.PageView)).toEqual(expected);
  });

  test('no metadata, whatever was sent (I-99)', () => {
    expect(pairsOf(raw({ event_meta: { a: 1 } }), HitKind.PageView)).toBeNull();
  });
});

describe('a number of metadata that JSON cannot keep', () => {
  test.each([
    ['9007199254740991', false],
    ['9007199254740992', true],
    ['9007199254740993', true],
    ['-9007199254740991', false],
    ['-9007199254740993', true],
    ['1e15', false],
    ['1e16', true],
    ['1e21', true],
    ['1e400', true],
    ['-0', false],
    ['1.0', false],
    ['0.1', false],
    ['1e-7', false],
  ])('%s is refused with validation.event_meta: %s (I-54)', (number, isRefused) => {
    const event_meta = JSON.parse(`{"k":${number}}`);
    const found = checkPairs(raw({ event_meta }), HitKind.Event);
    expect(found).toEqual(
      isRefused
        ? { event_meta: "the value of 'k' is a number that is not kept exactly: send it as text" }
        : null,
    );
  });
});

describe('an event carries', () => {
  test.each([
    [{ a: 1, b: true, c: false, d: ' x ' }, null, ['a', '1', 'b', 'true', 'c', 'false', 'd', 'x']],
    [{ a: 1.5, b: -0, c: 42.0 }, null, ['a', '1.5', 'b', '0', 'c', '42']],
    [{ a: null, b: '' }, null, null],
    [null, { author: 'John' }, ['author', 'John']],
    [{ a: 1 }, { b: '2' }, ['a', '1', 'b', '2']],
    [{ a: 1 }, { a: '2' }, ['a', '1']],
    [{ a: 1 }, { ' a ': '2', b: '3' }, ['a', '1', 'b', '3']],
    [{ a: ' ' }, { a: '2' }, ['a', '2']],
    [{ a: 0 }, { a: '2' }, ['a', '0']],
  ])('of metadata %j and tags %j the pairs %j (I-54, I-55)', (event_meta, tags, expected) => {
    expect(pairsOf(raw({ event_meta, tags }), HitKind.Event)).toEqual(expected);
  });

  test.each([
    [0.1, '0.1'],
    [-2.5, '-2.5'],
    [1e-7, '0.0000001'],
    [-1.5e-7, '-0.00000015'],
    [123_456_789_012, '123456789012'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [5e-324, `0.${'0'.repeat(323)}5`],
  ])('the number %d as %s (I-54)', (value, text) => {
    expect(decimalText(value)).toBe(text);
    expect(Number(text)).toBe(value);
  });
});
