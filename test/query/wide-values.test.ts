/**
 * Goal: no value of a dimension is lost or mixed up with another where a day has hundreds of them, so
 * that their ids cross the widths of columns and blocks.
 * Method: sessions with random values out of many in every dimension, through a shard that saves,
 * forgets and reads again, in one piece and after a deletion; every value's visitors are counted here
 * by a map, and asked for page by page, each way, and by a filter.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeErasure, encodeGroups } from '../../src/bus/record/codec.ts';
import type { Hit } from '../../src/model/hit.ts';
import { asDomainId, asEpoch, asSequence, asShardId } from '../../src/model/ids.ts';
import { DAY_MS, MINUTE_MS } from '../../src/model/limits.ts';
import { spanOf } from '../../src/query/question/request.ts';
import { SegmentReader } from '../../src/segment/disk/segment-reader.ts';
import { checkpoint } from '../../src/shard/save/checkpoint.ts';
import { eraseNextDay } from '../../src/shard/state/erasure.ts';
import { Sessionizer } from '../../src/shard/state/sessionizer.ts';
import { Shard } from '../../src/shard/state/shard.ts';
import { hit, MONDAY_MS } from '../shard/hit-builder.ts';
import { seededRandom } from '../support/clients/load-client.ts';
import { OWNER_ONLY, readQuery, runEveryWay } from '../support/judge/engine-bench.ts';

const DOMAIN = asDomainId('wide');
const SITE = { hostname: 'example.org', timezone: 'UTC', id: DOMAIN };
const NOON = MONDAY_MS + DAY_MS / 2;
const SESSIONS = 2_400;
const VALUES = 700;
const PAGE_ROWS = 100;
/** Sessions of a record, and records between two looks at the disk. */
const LOT = 60;
const SAVE_EVERY = 3;

/** Statistic, the field of a row that names the value, the field of a hit, and the filter's name. */
const LISTS = [
  { name: 'page', row: 'path', field: 'path', filter: 'path' },
  { name: 'page/entry', row: 'path', field: 'path', filter: 'entry_path' },
  { name: 'page/exit', row: 'path', field: 'path', filter: 'exit_path' },
  { name: 'city', row: 'city', field: 'city', filter: 'city' },
  { name: 'region', row: 'region', field: 'region', filter: 'region' },
  { name: 'browser', row: 'browser', field: 'browser', filter: 'browser' },
  {
    name: 'browser/version',
    row: 'browser_version',
    field: 'browserVersion',
    filter: 'browser_version',
  },
  { name: 'os', row: 'os', field: 'os', filter: 'os' },
  { name: 'os/version', row: 'os_version', field: 'osVersion', filter: 'os_version' },
  { name: 'device', row: 'device', field: 'device', filter: 'device' },
  { name: 'utm/source', row: 'utm_source', field: 'utmSource', filter: 'utm_source' },
  { name: 'utm/medium', row: 'utm_medium', field: 'utmMedium', filter: 'utm_medium' },
  { name: 'utm/campaign', row: 'utm_campaign', field: 'utmCampaign', filter: 'utm_campaign' },
  { name: 'utm/content', row: 'utm_content', field: 'utmContent', filter: 'utm_content' },
  { name: 'utm/term', row: 'utm_term', field: 'utmTerm', filter: 'utm_term' },
  { name: 'hostname', row: 'hostname', field: 'hostname', filter: 'hostname' },
  { name: 'referrer', row: 'referrer_name', field: 'referrerName', filter: 'referrer_name' },
] as const;
type Field = (typeof LISTS)[number]['field'] | 'tag';

const random = seededRandom(20_240_506);

/** One session of one visitor, with the values it was sent. */
interface Sent {
  readonly hit: Hit;
  readonly values: Readonly<Record<Field, string>>;
}

/** Parents go with their parts, since lists tell a city from one of the same name elsewhere. */
function drawSession(person: number): Sent {
  const draw = () => Math.floor(random() * VALUES);
  const [city, browser, os] = [draw(), draw(), draw()];
  const values = {
    ...{ path: `/p${draw()}`, city: `c${city}`, region: `r${city % 400}` },
    ...{ browser: `b${browser % 300}`, browserVersion: `bv${browser}` },
    ...{ os: `o${os % 300}`, osVersion: `ov${os}`, hostname: `h${draw()}` },
    ...{ utmSource: `s${draw()}`, utmMedium: `m${draw()}`, utmCampaign: `k${draw()}` },
    ...{ utmContent: `n${draw()}`, utmTerm: `t${draw()}`, referrerName: `n${draw()}` },
    tag: `g${draw()}`,
    device: `d${draw()}`,
  };
  const { tag, ...fields } = values;
  const atMs = NOON + person * 10;
  return { values, hit: hit(person, atMs, { ...fields, country: 'de', pairs: [tag, 'x'] }) };
}

/** Visitors by value. */
function countsOf(sent: readonly Sent[], field: Field): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { values } of sent) counts.set(values[field], (counts.get(values[field]) ?? 0) + 1);
  return counts;
}

class Asked {
  private readonly reader: SegmentReader;

  constructor(directory: string) {
    this.reader = new SegmentReader(directory, 1e9);
  }

  ask(name: string, parameters: Record<string, string>): unknown {
    const day = { from: '2024-05-06', to: '2024-05-06' };
    const query = readQuery(name, { ...day, ...parameters }, SITE, OWNER_ONLY);
    const request = { shard: asShardId(0), epoch: asEpoch(1), domainId: DOMAIN, ...spanOf(query) };
    return runEveryWay(query, { segments: this.reader.read(request), imported: null });
  }

  /** All pages of a list: `count` of every value. */
  listed(name: string, row: string, count: string): Map<string, number> {
    const found = new Map<string, number>();
    for (let offset = 0; ; offset += PAGE_ROWS) {
      const page = { limit: String(PAGE_ROWS), offset: String(offset) };
      const rows = this.ask(name, page) as Record<string, unknown>[];
      for (const row_ of rows) {
        const value = String(row_[row]);
        found.set(value, (found.get(value) ?? 0) + Number(row_[count]));
      }
      if (rows.length < PAGE_ROWS) return found;
    }
  }

  close(): Promise<void> {
    return this.reader.close();
  }
}

function expectAll(asked: Asked, sent: readonly Sent[]): void {
  for (const { name, row, field, filter } of LISTS) {
    const counts = countsOf(sent, field);
    const counted = name === 'page/entry' ? 'entries' : name === 'page/exit' ? 'exits' : 'visitors';
    expect(asked.listed(name, row, counted), name).toEqual(counts);
    // The first that came, the last, and those around the 256th.
    const known = [...new Set(sent.map(({ values }) => values[field]))];
    for (const value of [known[0], known[254], known[255], known[256], known.at(-1)]) {
      if (value === undefined || filter === null) continue;
      const total = asked.ask('total', { [filter]: value }) as { visitors: number };
      expect(total.visitors, `${filter}=${value}`).toBe(counts.get(value));
    }
  }
  expect(asked.listed('tags', 'key', 'visitors'), 'tags').toEqual(countsOf(sent, 'tag'));
}

test('every value of a day with hundreds in each dimension has its visitors (S-50, S-51, S-64, A-81)', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-wide-'));
  let shard = new Shard(directory, asShardId(0), new Sessionizer());
  const asked = new Asked(directory);
  let sequence = 0;
  const append = (payload: Uint8Array): void => {
    sequence++;
    shard.apply({ shard: asShardId(0), sequence: asSequence(sequence), payload }, NOON);
  };
  const save = (): void => checkpoint(shard, [...shard.unsaved]);
  try {
    const sent = Array.from({ length: SESSIONS }, (_, at) => drawSession(at + 1));
    for (let first = 0, record = 1; first < SESSIONS; first += LOT, record++) {
      const hits = sent.slice(first, first + LOT).map(({ hit: made }) => made);
      const head = { domainId: DOMAIN, receivedMs: NOON, idempotencyHash: '', dropped: null };
      append(encodeGroups([{ ...head, hits }]));
      if (record % SAVE_EVERY !== 0) continue;
      save();
      if (record % 2 === 0) continue;
      await shard.close();
      shard = new Shard(directory, asShardId(0), new Sessionizer());
    }
    save();
    expectAll(asked, sent);

    // The first third goes: the others' values get other ids.
    const endMs = NOON + (SESSIONS / 3) * 10;
    append(encodeErasure({ domainId: DOMAIN, kind: 'all', startMs: NOON - MINUTE_MS, endMs }));
    const domain = shard.existingDomain(DOMAIN, NOON);
    while (domain !== null && domain.pendingErasures.size > 0) eraseNextDay(domain);
    if (domain !== null) checkpoint(shard, [domain]);
    expectAll(
      asked,
      sent.filter(({ hit: { timeMs } }) => timeMs >= endMs),
    );
  } finally {
    await asked.close();
    await shard.close();
    rmSync(directory, { recursive: true });
  }
}, 240_000);
