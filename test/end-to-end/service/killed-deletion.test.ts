// Goal: the statistics of a deleted domain are erased within 60 s, whatever is killed when (M-11).
// Method: SIGKILL right after the deletion's answer, and again while days are erased; what is on disk.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Registry } from '../../../src/control/registry/registry.ts';
import { erasure } from '../../../src/control/resources/erasure.ts';
import { asDomainId, asEpoch } from '../../../src/model/ids.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { shardOf } from '../../../src/shard/state/placement.ts';
import { openSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { agentNamed } from '../../support/traffic/known.ts';
import { until } from '../../support/until.ts';

const SHARDS = 8;
const DAY_MS = 86_400_000;
const DAY_COUNT = 1_000;
const FIRST_MS = Date.UTC(2019, 0, 1, 12);
/** What M-11 allows an erasure; starts are not counted. */
const ENDS_WITHIN_MS = 60_000;

let running: RunningService;
let site: TestSite;

beforeAll(async () => {
  running = await startService({
    env: { FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2', FOOTFALL_SHARDS: String(SHARDS) },
  });
  site = await openSite(running, { count: 3 });
});

afterAll(() => running?.dispose());

/** Page views on as many days. */
async function fill(domain: TestDomain, days: number): Promise<void> {
  const { userAgent } = agentNamed('chrome');
  const items = Array.from({ length: days * 4 }, (_, index) => ({
    ...{ url: `https://${domain.hostname}/${index % 40}`, user_agent: userAgent },
    ...{ ip: `10.1.0.${index % 4}` },
    time: new Date(FIRST_MS + Math.floor(index / 4) * DAY_MS).toISOString(),
  }));
  await site.writerOf(domain).collect('hit/batch', items);
}

/** Days that are stored. */
async function daysOnDisk(domain: TestDomain): Promise<number> {
  const segments = new SegmentReader(running.dataDir, 1_000_000_000);
  const shard = shardOf(asDomainId(domain.id), SHARDS);
  const always = { startMs: 0, endMs: Date.now() };
  try {
    return segments.read({ shard, epoch: asEpoch(1), domainId: asDomainId(domain.id), ...always })
      .length;
  } finally {
    await segments.close();
  }
}

/** What is still to be erased, as it stands on disk. */
async function pending(): Promise<string[]> {
  const registry = Registry.open(running.dataDir, Date.now());
  try {
    return [...registry.view.all(erasure)].map(({ id }) => id);
  } finally {
    await registry.close();
  }
}

async function viewsOf(domain: TestDomain, days: number): Promise<unknown> {
  const to = new Date(FIRST_MS + (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return await site.reader.statistics('total', { id: domain.id, from: '2019-01-01', to });
}

test('deletions are carried out after kills, also those of the command line (M-11, A-81)', {
  timeout: 300_000,
}, async () => {
  const [gone, other, offline] = [await site.next(), await site.next(), await site.next()];
  await fill(gone, DAY_COUNT);
  await fill(other, 15);
  await fill(offline, 10);
  expect(await viewsOf(gone, DAY_COUNT)).toMatchObject({ views: DAY_COUNT * 4 });
  expect(await viewsOf(other, 15)).toMatchObject({ views: 60 });
  expect(await viewsOf(offline, 10)).toMatchObject({ views: 40 });
  const { status } = await site.reader.request('DELETE', `/api/v1/domain?id=${gone.id}`);
  expect(status).toBe(200);
  await running.kill();
  expect(await pending()).toEqual([gone.id]);
  expect(await daysOnDisk(gone)).toBe(DAY_COUNT);
  // Nobody serves meanwhile.
  await running.command(['domain', 'delete', '--id', offline.id]);

  await running.start();
  const hit = {
    url: 'https://example.org/',
    ip: '10.1.0.9',
    user_agent: agentNamed('chrome').userAgent,
  };
  const refused = await site.writerOf(gone).request('POST', '/api/v1/hit', { body: hit });
  expect(refused.status).toBe(401);
  // In the middle of it.
  await until(async () => (await daysOnDisk(gone)) < DAY_COUNT, ENDS_WITHIN_MS);
  await running.kill();
  const left = await daysOnDisk(gone);

  await running.start();
  const startMs = performance.now();
  await until(async () => (await daysOnDisk(gone)) === 0, ENDS_WITHIN_MS);
  await until(async () => (await daysOnDisk(offline)) === 0, ENDS_WITHIN_MS);
  await until(async () => (await pending()).length === 0, ENDS_WITHIN_MS);
  expect(performance.now() - startMs).toBeLessThan(ENDS_WITHIN_MS);
  // Else the second kill was none in the middle of it.
  expect(left).toBeGreaterThan(0);
  expect(await viewsOf(other, 15)).toMatchObject({ views: 60 });
  expect(await daysOnDisk(other)).toBe(15);
  expect(await daysOnDisk(offline)).toBe(0);
  const after = await site.reader.request('GET', `/api/v1/domain?id=${gone.id}`);
  expect(after.status).toBe(404);
});
