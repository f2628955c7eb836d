/**
 * How a shard's environment is divided into the parts of a snapshot.
 *
 * Control plane. A part should be large enough to be worth a fetch, and change seldom: the newest
 * days have a part each, older days share one by eights, and what is larger than a few megabytes is
 * divided by a hash of its keys, so that appended rows change few parts. Entries that belong to no
 * day are one more part. A day whose headers are unchanged is not read again.
 */

import { createHash, type Hash } from 'node:crypto';
import type { DomainId } from '../../model/ids.ts';
import type { StateKey, StateSnapshot } from '../../store/state-environment.ts';

/** Days that have a part of their own, from the newest on. */
const SINGLE_DAYS = 2;
/** Older days that share a part. */
const GROUPED_DAYS = 8;
/** Beyond this a group of days is cut into parts of about half of it. */
const PART_BYTES_MAX = 2 * 1_024 * 1_024;
/** Neighbouring blocks of a table that stay together; packs of blocks are as large as many. */
const BLOCKS_TOGETHER = 16;
const PACKS_TOGETHER = 2;

/** An entry of the environment. */
export type PartEntry = [StateKey, Uint8Array];

type KeyRange = readonly [start: StateKey, end: StateKey];

/** What is stored together: some days, or the imports of a domain. */
export interface DayGroup {
  name: string;
  /** Same text, same entries, as long as the environment is written by one actor after the other. */
  stamp: string;
  /** Where its entries are. */
  ranges: KeyRange[];
}

/**
 * Kinds of keys that go on with a domain and a day: b, h, s and t (`segment/disk/packed-blocks.ts`), and
 * what was dropped, l (`usage/drop-store.ts`).
 */
const DAY_KINDS = ['b', 'h', 'l', 's', 't'] as const;
/** Those whose values say whether anything of the day has changed. */
const STAMP_KINDS = ['h', 'l'] as const;
/**
 * Everything else: what lies between them, without what anybody can count again, c
 * (`segment/disk/day-counts.ts`, `day-sums.ts`), and without the sums of imports, i
 * (`segment/disk/imported-sums.ts`), which have groups of their own.
 */
const REST: readonly KeyRange[] = [
  [[''], ['b']],
  [['d'], ['h']],
  [['j'], ['l']],
  [['m'], ['n']],
  [['o'], ['q']],
  [['u'], ['~']],
];

/** What waits to be told, and the last attempts (`outbox/outbox-store.ts`). */
const OUTBOX: readonly KeyRange[] = [
  [['n'], ['o']],
  [['q'], ['s']],
];
/** An entry whose digest begins with so many zero bits may end a part: of a thousand, one. */
const OUTBOX_CUT_BITS = 10;

/** The groups of days in an environment. */
export function dayGroups(snapshot: StateSnapshot): DayGroup[] {
  const days: { domainId: DomainId; day: number; kind: string; value: Uint8Array }[] = [];
  let newest = Number.NEGATIVE_INFINITY;
  for (const kind of STAMP_KINDS) {
    for (const { key, value } of snapshot.range([kind], [`${kind}!`])) {
      const [, domainId, day] = key as [string, DomainId, number];
      newest = Math.max(newest, day);
      days.push({ domainId, day, kind, value });
    }
  }
  const groups = new Map<string, { segments: Map<string, [DomainId, number]>; hash: Hash }>();
  for (const { domainId, day, kind, value } of days) {
    const name = groupOf(day, newest);
    const group = groups.get(name) ?? { segments: new Map(), hash: createHash('sha256') };
    groups.set(name, group);
    group.segments.set(`${domainId} ${day}`, [domainId, day]);
    group.hash.update(`${kind} ${domainId} ${day} ${value.length} `).update(value);
  }
  const ofDays = [...groups].map(([name, { segments, hash }]) => {
    const ranges = [...segments.values()].flatMap(([domainId, day]) =>
      DAY_KINDS.map(
        (kind): KeyRange => [
          [kind, domainId, day],
          [kind, domainId, day + 1],
        ],
      ),
    );
    return { name, stamp: hash.digest('hex'), ranges };
  });
  return [...ofDays, ...importGroups(snapshot)];
}

/** The sums of imports, by domain: they change with what is said of them as a whole. */
function importGroups(snapshot: StateSnapshot): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const { key, value } of snapshot.range(['g'], ['g!'])) {
    const domainId = String(key[1]);
    const stamp = createHash('sha256').update(value).digest('hex');
    groups.push({
      ...{ name: `imports ${domainId}`, stamp },
      ranges: [
        [
          ['i', domainId, 0],
          ['i', domainId, Number.MAX_SAFE_INTEGER],
        ],
      ],
    });
  }
  return groups;
}

/** Reads a group and cuts it. @returns parts by name. */
export function partsOfGroup(snapshot: StateSnapshot, group: DayGroup): Map<string, PartEntry[]> {
  const entries: PartEntry[] = [];
  let bytes = 0;
  for (const [start, end] of group.ranges) {
    for (const { key, value } of snapshot.range(start, end)) {
      entries.push([key, value]);
      bytes += value.length;
    }
  }
  if (bytes <= PART_BYTES_MAX) return new Map([[group.name, entries]]);
  const count = 2 ** Math.ceil(Math.log2((bytes * 2) / PART_BYTES_MAX));
  const parts = new Map<string, PartEntry[]>();
  for (const entry of entries) {
    const name = `${group.name} ${placeOf(entry[0], count)}/${count}`;
    const part = parts.get(name);
    if (part === undefined) parts.set(name, [entry]);
    else part.push(entry);
  }
  return parts;
}

/** What belongs to no day: positions, counters, idempotency keys. */
export function otherEntries(snapshot: StateSnapshot): PartEntry[] {
  return REST.flatMap(([start, end]) =>
    [...snapshot.range(start, end)].map(({ key, value }): PartEntry => [key, value]),
  );
}

/**
 * The outbox, part by part. Where one ends follows from the keys around: entries that come or go change
 * the parts that they are in, and the others are those that are stored.
 */
export function* outboxParts(snapshot: StateSnapshot): Generator<PartEntry[]> {
  let part: PartEntry[] = [];
  let bytes = 0;
  for (const [start, end] of OUTBOX) {
    for (const { key, value } of snapshot.range(start, end)) {
      part.push([key, value]);
      bytes += value.length;
      const digest = createHash('sha256').update(key.join(' ')).digest().readUInt32BE(0);
      if (digest >>> (32 - OUTBOX_CUT_BITS) !== 0 && bytes < PART_BYTES_MAX) continue;
      yield part;
      part = [];
      bytes = 0;
    }
  }
  if (part.length > 0) yield part;
}

function groupOf(day: number, newest: number): string {
  return day > newest - SINGLE_DAYS
    ? `day ${day}`
    : `days ${Math.floor(day / GROUPED_DAYS) * GROUPED_DAYS}`;
}

function placeOf(key: StateKey, count: number): number {
  const together = key[0] === 's' ? PACKS_TOGETHER : BLOCKS_TOGETHER;
  const block = Math.floor(Number(key.at(-1)) / together);
  const digest = createHash('sha256')
    .update([...key.slice(0, -1), block].join(' '))
    .digest();
  return digest.readUInt32LE(0) % count;
}
