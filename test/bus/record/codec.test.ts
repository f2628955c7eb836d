// Goal: what the edge packs is what the actor reads, hit by hit, whatever the texts and how many.
// Method: random groups there and back; then records around the limit of two-byte references.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeGroups, encodeGroups } from '../../../src/bus/record/codec.ts';
import {
  type DecodedRecord,
  isNonInteractive,
  isTold,
  kindOf,
  NOTE_REFS,
  NUMBER,
  NUMBERS_PER_HIT,
  noteOf,
  platformOf,
  REFS_PER_HIT,
} from '../../../src/bus/record/decoded-record.ts';
import type { Drop, Hit, HitGroup } from '../../../src/model/hit.ts';
import { asDomainId } from '../../../src/model/ids.ts';
import { HIT_TEXTS } from '../../../src/model/text-kinds.ts';
import { tries } from '../../support/runs.ts';

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const text = fc.oneof(fc.constantFrom('', '/', 'de', '__proto__'), fc.string({ unit: 'grapheme' }));
const texts = Object.fromEntries(HIT_TEXTS.map((field) => [field, text]));

const hit = fc.record({
  ...texts,
  kind: fc.constantFrom(0, 1, 2),
  timeMs: fc.integer({ min: 946_684_800_000, max: 4_000_000_000_000 }),
  visitorLow: u32,
  visitorHigh: u32,
  previousLow: u32,
  previousHigh: u32,
  platform: fc.constantFrom(0, 1, 2),
  pairs: fc.option(
    fc.array(fc.tuple(text, text), { maxLength: 4 }).map((pairs) => pairs.flat()),
    { nil: null },
  ),
  eventDurationSeconds: u32,
  nonInteractive: fc.boolean(),
  ...{ webhooks: fc.constantFrom('', '', 'w1', 'w1,w2'), sentTags: text },
}) as fc.Arbitrary<Hit>;

const drop: fc.Arbitrary<Drop> = fc.record({
  reason: fc.constantFrom(3, 12),
  day: fc.constantFrom(19_849, 19_850),
  bot: fc.constantFrom('', '', 'Some ü bot'),
  count: fc.integer({ min: 1, max: 70_000 }),
});

const group: fc.Arbitrary<HitGroup> = fc.record({
  domainId: fc.constantFrom('one', 'two', 'three').map(asDomainId),
  receivedMs: fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
  idempotencyHash: fc.constantFrom('', '', 'f'.repeat(32), '0'.repeat(32)),
  dropped: fc.option(fc.array(drop, { minLength: 1, maxLength: 4 }), { nil: null }),
  hits: fc.array(hit, { maxLength: 6 }),
});

test('groups come back in their order, with their hits, keys and drops', () => {
  fc.assert(
    fc.property(fc.array(group, { minLength: 1, maxLength: 6 }), (groups) => {
      const batch = decodeGroups(encodeGroups(groups));
      expect(hitsOf(batch)).toEqual(groups.flatMap(({ hits }) => hits.map(normalised)));
      expect(headsOf(batch)).toEqual(joined(groups));
    }),
    tries(300),
  );
});

test.each([{ more: -1 }, { more: 0 }, { more: 1 }])(
  'a record of 65,536 and $more different texts comes back',
  ({ more }) => {
    // Beside these: the empty text and the domain.
    const count = 0x1_0000 + more - 2;
    const hits = Array.from({ length: count }, (_, index) => plainHit(`/${index}`));
    const groups = [groupOf('site', hits)];
    const batch = decodeGroups(encodeGroups(groups));
    expect(batch.texts.length).toBe(0x1_0000 + more);
    expect(batch.refs.BYTES_PER_ELEMENT).toBe(more > 0 ? 4 : 2);
    expect(pathsOf(batch)).toEqual(hits.map(({ path }) => path));
  },
);

test('pages that come again are written once, although each is a string of its own', () => {
  const pages = ['/', '/a-page-of-some-length', '/ä', '/日本語', '/a'];
  const hits = Array.from({ length: 1_000 }, (_, index) => {
    const path = [...(pages[index % pages.length] as string)].join('');
    return { ...plainHit(path), title: `Title of ${path}`, pairs: ['key', `value ${index % 3}`] };
  });
  const batch = decodeGroups(encodeGroups([groupOf('site', hits)]));
  expect(hitsOf(batch)).toEqual(hits.map(normalised));
  // Beside them: the empty text, the domain, what pairs have.
  expect(batch.texts.length).toBeLessThanOrEqual(2 + pages.length * 2 + 4 + HIT_TEXTS.length);
  expect(new Set(batch.texts).size).toBe(batch.texts.length);
});

test('records that have more texts together than are remembered come back, old ones too', () => {
  const batches = Array.from({ length: 9 }, (_, record) => {
    const hits = Array.from({ length: 10_000 }, (__, index) => plainHit(`/${record}/ü${index}`));
    return { hits, payload: encodeGroups([groupOf('site', hits)]) };
  });
  const epochs = new Set<number>();
  for (const { hits, payload } of [...batches, batches[0]!]) {
    const batch = decodeGroups(payload);
    epochs.add(batch.textEpoch);
    expect(pathsOf(batch)).toEqual(hits.map(({ path }) => path));
    expect(new Set(batch.textNumbers).size).toBe(batch.texts.length);
  }
  expect(epochs.size).toBeGreaterThan(1);
});

test('a payload may lie anywhere in its buffer', () => {
  const payload = encodeGroups([groupOf('site', [plainHit('/a'), plainHit('/b')])]);
  for (let offset = 0; offset < 9; offset++) {
    const bytes = new Uint8Array(payload.length + offset);
    bytes.set(payload, offset);
    expect(pathsOf(decodeGroups(bytes.subarray(offset)))).toEqual(['/a', '/b']);
  }
});

test('a payload stays as it is while others are made', () => {
  const first = encodeGroups([groupOf('site', [plainHit('/first')])]);
  for (let index = 0; index < 100; index++) {
    encodeGroups([groupOf('site', [plainHit('/x'.repeat(index * 10))])]);
  }
  expect(pathsOf(decodeGroups(first))).toEqual(['/first']);
});

function groupOf(domainId: string, hits: Hit[]): HitGroup {
  return {
    domainId: asDomainId(domainId),
    receivedMs: 1,
    idempotencyHash: '',
    dropped: null,
    hits,
  };
}

function plainHit(path: string): Hit {
  const empty = Object.fromEntries(HIT_TEXTS.map((field) => [field, '']));
  return {
    ...empty,
    kind: 0,
    timeMs: 1,
    visitorLow: 1,
    visitorHigh: 2,
    previousLow: 0,
    previousHigh: 0,
    platform: 0,
    pairs: null,
    eventDurationSeconds: 0,
    nonInteractive: false,
    ...{ webhooks: '', sentTags: '', path },
  } as Hit;
}

/** No pairs and an empty list of them mean the same. */
function normalised(each: Hit): Hit {
  const sentTags = each.webhooks === '' ? '' : each.sentTags;
  return { ...each, pairs: each.pairs ?? [], sentTags };
}

function hitsOf(batch: DecodedRecord): Hit[] {
  return Array.from(batch.timesMs, (timeMs, row) => {
    const number = (at: number) => batch.numbers[row * NUMBERS_PER_HIT + at] as number;
    const flags = number(NUMBER.flags);
    const pairStart = row === 0 ? 0 : number(NUMBER.pairEnd - NUMBERS_PER_HIT);
    const told = isTold(flags) ? NOTE_REFS : 0;
    const pairs = [...batch.pairRefs.subarray(pairStart, number(NUMBER.pairEnd) - told)];
    const fields = HIT_TEXTS.map((field, at) => [
      field,
      batch.texts[batch.refs[row * REFS_PER_HIT + at] as number],
    ]);
    return {
      ...Object.fromEntries(fields),
      kind: kindOf(flags),
      timeMs,
      visitorLow: number(NUMBER.visitorLow),
      visitorHigh: number(NUMBER.visitorHigh),
      previousLow: number(NUMBER.previousLow),
      previousHigh: number(NUMBER.previousHigh),
      platform: platformOf(flags),
      pairs: pairs.map((ref) => batch.texts[ref]),
      eventDurationSeconds: number(NUMBER.eventDurationSeconds),
      nonInteractive: isNonInteractive(flags),
      ...(told > 0 ? noteOf(batch, row) : { webhooks: '', sentTags: '' }),
    } as Hit;
  });
}

function headsOf({ groups }: DecodedRecord): unknown[] {
  return groups.map(({ domainId, idempotencyHash, dropped, first, end }) => {
    return [domainId, idempotencyHash, dropped, first, end];
  });
}

/** Neighbours of one domain without key are one group, and drops that are alike side by side one drop. */
function joined(groups: readonly HitGroup[]): unknown[] {
  const heads: [string, string, Drop[] | null, number, number][] = [];
  let first = 0;
  for (const { domainId, idempotencyHash, dropped, hits } of groups) {
    const end = first + hits.length;
    const last = heads.at(-1);
    const joins = idempotencyHash === '' && last?.[0] === domainId && last[1] === '';
    if (joins && last !== undefined) {
      last[2] = merged([...(last[2] ?? []), ...(dropped ?? [])]);
      last[4] = end;
    } else heads.push([domainId, idempotencyHash, merged(dropped ?? []), first, end]);
    first = end;
  }
  return heads;
}

function merged(drops: readonly Drop[]): Drop[] | null {
  const all: Drop[] = [];
  for (const each of drops) {
    const last = all.at(-1);
    const isLike = last?.reason === each.reason && last.day === each.day && last.bot === each.bot;
    if (isLike) last.count += each.count;
    else all.push({ ...each });
  }
  return all.length === 0 ? null : all;
}

test('a flood of dropped hits is one small group: a drop for each row of alike ones (P-31)', () => {
  const one = {
    ...groupOf('site', []),
    dropped: [{ reason: 12, day: 19_849, bot: 'a', count: 1 }],
  };
  const other = { ...one, dropped: [{ reason: 12, day: 19_849, bot: 'b', count: 1 }] };
  const flood = [...Array.from({ length: 10_000 }, () => one), other, one];
  const payload = encodeGroups(flood);
  expect(payload.length).toBeLessThan(200);
  const [group, ...others] = decodeGroups(payload).groups;
  expect(group?.dropped?.map(({ bot, count }) => [bot, count])).toEqual([
    ['a', 10_000],
    ['b', 1],
    ['a', 1],
  ]);
  expect(others).toEqual([]);
});

function pathsOf({ refs, texts: table, timesMs }: DecodedRecord): (string | undefined)[] {
  const path = HIT_TEXTS.indexOf('path');
  return Array.from(timesMs, (_, row) => table[refs[row * REFS_PER_HIT + path] as number]);
}
