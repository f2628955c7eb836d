/**
 * Goal: sessions of a domain in lanes are those of the same domain in one piece (I-46), whatever comes
 * late, however many midnights a session runs over, and whenever the number of lanes changes.
 * Method: a few visitors, dense around midnights; the same log goes into a shard that is never split
 * and into a base with its lanes. Sessions, page views and events must be the same.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeErasure, encodeGroups, encodeSplit, isSplit } from '../../src/bus/codec.ts';
import type { LogRecord } from '../../src/bus/log.ts';
import { DAY_MS, MINUTE_MS } from '../../src/model/limits.ts';
import { KIND } from '../../src/segment/dictionary.ts';
import { NONE } from '../../src/segment/layout.ts';
import type { Segment } from '../../src/segment/segment.ts';
import { SegmentReader } from '../../src/segment/segment-reader.ts';
import { checkpoint, freeze } from '../../src/shard/checkpoint.ts';
import { eraseNextDay } from '../../src/shard/erasure.ts';
import { eraseFrozen, mayErase } from '../../src/shard/frozen-days.ts';
import { Sessionizer } from '../../src/shard/sessionizer.ts';
import { Shard } from '../../src/shard/shard.ts';
import { event, hit, keepAlive, MONDAY_MS } from './hit-builder.ts';

const DOMAIN = 'example';
const STEP_MS = 5 * MINUTE_MS;
const RUNS = Number(process.env['FOOTFALL_SPLIT_RUNS'] ?? 150);

type Step =
  | {
      do: 'hit';
      person: number;
      day: number;
      slot: number;
      kind: number;
      campaign: number;
      key: number;
    }
  | { do: 'split'; lanes: number }
  | { do: 'erase'; day: number; slot: number; length: number }
  | { do: 'save' | 'forget' | 'tick'; lane: number }
  | { do: 'crash' };

/** Slots of five minutes around a midnight: most within the reach of a session. */
const slots = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -8, max: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: -100, max: 180 }) },
);

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant('hit' as const),
      person: fc.integer({ min: 1, max: 4 }),
      day: fc.integer({ min: 1, max: 3 }),
      slot: slots,
      kind: fc.integer({ min: 0, max: 3 }),
      campaign: fc.constantFrom(0, 0, 0, 0, 1, 2),
      key: fc.constantFrom(0, 0, 0, 1, 2, 3),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('split' as const),
      lanes: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('erase' as const),
      day: fc.integer({ min: 1, max: 3 }),
      slot: slots,
      length: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('save' as const, 'forget' as const, 'tick' as const),
      lane: fc.nat({ max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
);

/** A log and what applies it: a base and its lanes, as an actor would (`lanes.ts`). */
class Lanes {
  readonly directory = mkdtempSync(join(tmpdir(), 'footfall-split-'));
  readonly log: LogRecord[] = [];
  lanes = [this.made(0)];

  append(payload: Uint8Array): void {
    const record = { shard: 0, sequence: this.log.length + 1, payload };
    this.log.push(record);
    this.apply(record);
  }

  apply(record: LogRecord): void {
    const base = this.lanes[0] as Shard;
    base.apply(record, 0);
    freeze(base);
    while (this.lanes.length < base.laneCount) this.lanes.push(this.made(this.lanes.length));
    for (const lane of this.lanes.slice(1)) {
      lane.apply(record, 0);
      freeze(lane);
    }
    if (isSplit(record.payload)) eraseFrozen(base, 0);
  }

  /** What an actor does in its own time. */
  erase(lane: Shard | undefined): void {
    for (const holder of lane?.erasing ?? []) {
      const domain = lane?.existingDomain(holder, 0) ?? null;
      if (lane === undefined || domain === null || !mayErase(lane, domain)) continue;
      eraseNextDay(domain);
      checkpoint(lane, [domain]);
    }
  }

  save(lane: Shard | undefined): void {
    // One that has nothing to save says how far it is (`lanes.ts`).
    const isBehind = lane !== undefined && lane.savedSequence < lane.appliedSequence;
    if (isBehind) checkpoint(lane, [...lane.unsaved]);
  }

  forget(lane: Shard | undefined): void {
    this.save(lane);
    lane?.domains.clear();
  }

  async crash(): Promise<void> {
    await this.close();
    this.lanes = [this.made(0)];
    const [base] = this.lanes as [Shard];
    while (this.lanes.length < base.laneCount) this.lanes.push(this.made(this.lanes.length));
    const first = Math.min(...this.lanes.map(({ savedSequence }) => savedSequence));
    // The loss may have come between the word of the last lane and what follows it.
    if (first >= base.splits.lastSequence) eraseFrozen(base, 0);
    for (const record of this.log.slice(first)) this.apply(record);
  }

  /** Every row as text, with all that belongs to it. */
  async rows(): Promise<string[]> {
    for (const lane of this.lanes) this.save(lane);
    while (this.lanes.some(({ erasing }) => erasing.size > 0)) {
      for (const lane of this.lanes) this.erase(lane);
    }
    const reader = new SegmentReader(this.directory, 1e9);
    const all = { shard: 0, epoch: 1, domainId: DOMAIN, startMs: 0, endMs: 4e12 };
    const rows = reader.read(all).flatMap(rowsOf).sort();
    await reader.close();
    return rows;
  }

  async close(): Promise<void> {
    for (const lane of this.lanes) await lane.close();
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.directory, { recursive: true });
  }

  private made(lane: number): Shard {
    return new Shard(this.directory, 0, new Sessionizer(), { lane });
  }
}

function rowsOf(segment: Segment): string[] {
  const { sessions, visitors, views, events, dictionary, hidden, day } = segment;
  const path = (id: number) => dictionary.texts(KIND.path)[id];
  const rows: string[] = [];
  const names: string[] = [];
  for (let row = 0; row < sessions.rowCount; row++) {
    const { columns } = sessions;
    const visitor = columns.visitor[row]!;
    if (visitor === NONE || hidden?.[row] === 1) continue;
    const campaign = dictionary.texts(KIND.utmCampaign)[columns.utmCampaign[row]!];
    names[row] = JSON.stringify([
      ...[day, visitors.columns.low[visitor], visitors.columns.high[visitor]],
      ...[columns.startMs[row], columns.lastMs[row], path(columns.entryPath[row]!)],
      ...[path(columns.exitPath[row]!), columns.pageViews[row], columns.isBounce[row]],
      ...[columns.extended[row], campaign],
    ]);
    rows.push(`session ${names[row]}`);
  }
  for (let row = 0; row < views.rowCount; row++) {
    const { timeMs, session, path: paths, timeOnPage } = views.columns;
    const name = names[session[row]!];
    if (name === undefined) continue;
    rows.push(`view ${name} ${timeMs[row]} ${path(paths[row]!)} ${timeOnPage[row]}`);
  }
  for (let row = 0; row < events.rowCount; row++) {
    const { timeMs, session, path: paths } = events.columns;
    const name = names[session[row]!];
    if (name !== undefined) rows.push(`event ${name} ${timeMs[row]} ${path(paths[row]!)}`);
  }
  return rows;
}

function payloadOf(step: Extract<Step, { do: 'hit' | 'erase' }>, number: number): Uint8Array {
  const timeMs = MONDAY_MS + step.day * DAY_MS + step.slot * STEP_MS;
  if (step.do === 'erase') {
    const endMs = timeMs + step.length * STEP_MS;
    return encodeErasure({ domainId: DOMAIN, kind: 'all', startMs: timeMs, endMs });
  }
  const fields = { path: `/${number % 7}`, utmCampaign: ['', 'a', 'b'][step.campaign] ?? '' };
  const made = [
    hit(step.person, timeMs, fields),
    hit(step.person, timeMs, fields),
    event(step.person, timeMs, fields),
    keepAlive(step.person, timeMs),
  ][step.kind];
  const idempotencyHash = step.key === 0 ? '' : `key ${step.key}`;
  const head = { domainId: DOMAIN, receivedMs: number, idempotencyHash, dropped: null };
  return encodeGroups([{ ...head, hits: made === undefined ? [] : [made] }]);
}

/** @returns rows that only one of them has. */
async function difference(history: readonly Step[]): Promise<string[]> {
  const whole = new Lanes();
  const split = new Lanes();
  const generations = [1];
  try {
    for (const [number, step] of history.entries()) {
      if (step.do === 'hit' || step.do === 'erase') {
        const payload = payloadOf(step, number);
        whole.append(payload);
        split.append(payload);
      } else if (step.do === 'split') {
        generations.push(step.lanes);
        split.append(encodeSplit({ domainId: DOMAIN, lanes: [...generations] }));
      } else if (step.do === 'crash') await split.crash();
      else if (step.do === 'save') split.save(split.lanes[step.lane]);
      else if (step.do === 'tick') split.erase(split.lanes[step.lane]);
      else split.forget(split.lanes[step.lane]);
    }
    const [expected, found] = [await whole.rows(), await split.rows()];
    if (expected.join('\n') === found.join('\n')) return [];
    return [
      ...expected.filter((row) => !found.includes(row)).map((row) => `missing ${row}`),
      ...found.filter((row) => !expected.includes(row)).map((row) => `too many ${row}`),
      `${expected.length} rows, ${found.length} in lanes`,
    ];
  } finally {
    await whole.remove();
    await split.remove();
  }
}

test('sessions in lanes are those of one piece, over midnights, late hits, changes and losses (I-46)', async () => {
  const histories = fc.array(steps, { minLength: 5, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      expect(await difference(history)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);
