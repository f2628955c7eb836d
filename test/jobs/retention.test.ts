// Goal: what is older than it is to be kept goes as whole days (P-21): never a day that is wanted in the
//   zone of the domain, at a start and then once a day, also when it fails, and it is written down once.
// Method: the job on a real registry, with clocks and answers of the test's own; the days that it keeps
//   beside those of a naive reading of the rule, in random zones; then a service over HTTP.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { changed } from '../../src/control/descriptor/draft.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { type Domain, domain } from '../../src/control/resources/domain.ts';
import { keptOf, retention } from '../../src/jobs/retention.ts';
import type { Erasure } from '../../src/model/erasure.ts';
import { asDomainId, type DomainId } from '../../src/model/ids.ts';
import { DAY_MS } from '../../src/model/limits.ts';
import { tries } from '../support/runs.ts';

const START_MS = Date.UTC(2026, 10, 23, 0, 44);
const EMAIL = 'ada@example.org';
const NODE = { kind: 'node', id: '' } as const;

let directory: string;
let registry: Registry;
let nowMs: number;
let erased: Erasure[];
/** Domains with anything from before, and those whose erasure fails. */
let older: Set<DomainId>;
let failing: Set<DomainId>;
let owned: Set<DomainId>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-retention-'));
  nowMs = START_MS;
  erased = [];
  [older, failing, owned] = [new Set(), new Set(), new Set()];
  registry = Registry.open(directory, nowMs);
  await createAccount(registry, { email: EMAIL }, nowMs);
});

afterEach(async () => {
  await registry.close();
  rmSync(directory, { recursive: true });
});

async function makeDomain(hostname: string, retentionDays?: number): Promise<DomainId> {
  const made = await createDomain(registry, { email: EMAIL, hostname, timezone: 'UTC' }, nowMs);
  const id = asDomainId(made.domain.id);
  if (retentionDays !== undefined) await keep(id, retentionDays);
  older.add(id);
  owned.add(id);
  return id;
}

async function keep(id: DomainId, retentionDays: number): Promise<void> {
  await registry.change({ nowMs, by: { kind: 'cli', id: '' } }, (view) => [
    changed(domain, { ...(view.find(domain, id) as Domain), retentionDays }),
  ]);
}

function job(retentionDays = 0): () => Promise<void> {
  return retention({
    ...{ registry, retentionDays, nowMs: () => nowMs },
    owns: (id) => owned.has(id),
    haveBefore: async (firsts) => new Set([...firsts.keys()].filter((id) => older.has(id))),
    submitErasure: (erasure, done) => {
      if (failing.has(erasure.domainId)) {
        done(new Error('full'));
        return;
      }
      erased.push(erasure);
      done(null);
    },
  });
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const ends = () => erased.map(({ domainId, endMs }) => [domainId, dateOf(endMs)]);

test('P-21: at a start, and then daily from 00:45 UTC on; without a wish nothing goes', async () => {
  const kept = await makeDomain('a.test', 10);
  await makeDomain('b.test');
  const turn = job();
  await turn();
  // Its moment is still to come, but a start is one as well.
  expect(ends()).toEqual([[kept, '2026-11-13']]);
  await turn();
  nowMs += 59_000;
  await turn();
  expect(erased).toHaveLength(1);
  nowMs += 1_000;
  await turn();
  await turn();
  expect(erased).toHaveLength(2);
  nowMs += DAY_MS - 1;
  await turn();
  expect(erased).toHaveLength(2);
  nowMs += 1;
  await turn();
  await turn();
  const days = ['2026-11-13', '2026-11-13', '2026-11-14'];
  expect(ends()).toEqual(days.map((day) => [kept, day]));
  expect(erased[0]).toMatchObject({ kind: '', startMs: 0, days: { fromDay: 0 } });
  expect((erased[0]?.days?.toDay ?? 0) * DAY_MS + DAY_MS).toBe(erased[0]?.endMs);
});

test('P-21: the stricter of the installation and the domain holds; a new wish waits for its moment', async () => {
  const few = await makeDomain('a.test', 5);
  const many = await makeDomain('b.test', 50);
  const none = await makeDomain('c.test');
  const turn = job(20);
  await turn();
  expect(Object.fromEntries(ends())).toEqual({
    [few]: '2026-11-18',
    [many]: '2026-11-03',
    [none]: '2026-11-03',
  });
  await keep(none, 1);
  await turn();
  expect(erased).toHaveLength(3);
});

test('P-21: it is in the record once, and only where there was something', async () => {
  const id = await makeDomain('a.test', 10);
  const empty = await makeDomain('b.test', 10);
  older.delete(empty);
  await job()();
  const { sequence } = registry;
  expect(registry.view.find(domain, id)).toMatchObject({ retainedFrom: '2026-11-13' });
  expect(registry.view.find(domain, empty)?.retainedFrom ?? null).toBeNull();
  // Another node, or another start, on the same day.
  await job()();
  expect(erased).toHaveLength(2);
  expect(registry.sequence).toBe(sequence);
  expect(registry.history({ kind: 'domain', id }, { offset: 0, limit: 9 })[0]?.record.by).toEqual(
    NODE,
  );
});

test('P-21: what fails is tried again, and keeps no other from going; shards may come later', async () => {
  const bad = await makeDomain('a.test', 10);
  const good = await makeDomain('b.test', 10);
  const away = await makeDomain('c.test', 10);
  failing.add(bad);
  owned.delete(away);
  const turn = job();
  await expect(turn()).rejects.toThrow('full');
  expect(erased.map(({ domainId }) => domainId)).toEqual([good]);
  failing.clear();
  owned.add(away);
  await turn();
  expect(new Set(erased.map(({ domainId }) => domainId))).toEqual(new Set([good, bad, away]));
});

test('P-21: no day that is wanted in the zone of the domain is cut, and no more than two are kept longer', () => {
  const zones = ['UTC', 'Pacific/Kiritimati', 'Pacific/Niue', 'America/St_Johns', 'Asia/Kathmandu'];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones, 'Europe/Berlin', 'Australia/Lord_Howe'),
      fc.integer({ min: 18_000 * DAY_MS, max: 24_000 * DAY_MS }),
      fc.integer({ min: 1, max: 3_000 }),
      (timezone, atMs, retentionDays) => {
        const site = { timezone, retentionDays };
        const kept = keptOf(site, { nowMs: atMs, ofInstallation: 0 })!;
        const at = DateTime.fromMillis(atMs, { zone: timezone });
        const firstMs = at.startOf('day').minus({ days: retentionDays }).toMillis();
        expect(kept.firstDay * DAY_MS).toBeLessThanOrEqual(firstMs);
        expect(kept.firstDay * DAY_MS).toBeGreaterThan(firstMs - DAY_MS);
        const first = at.startOf('day').minus({ days: retentionDays }).toISODate();
        expect(dateOf(kept.firstLocalDay * DAY_MS)).toBe(first);
      },
    ),
    tries(),
  );
});
