/**
 * Goal: a deletion of statistics ends also when the service is killed in the middle of it (A-81, I-78).
 * Method: SIGKILL while some thousand days are being deleted; days on disk and statistics afterwards.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { asDomainId, asEpoch } from '../../../src/model/ids.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { shardOf } from '../../../src/shard/state/placement.ts';
import { queryString } from '../../support/clients/query-string.ts';
import { openSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { agentNamed } from '../../support/traffic/known.ts';
import { until } from '../../support/until.ts';

const SHARDS = 8;
const DAY_MS = 86_400_000;
const DAY_COUNT = 1_500;
const FIRST_MS = Date.UTC(2018, 0, 1, 12);
/** What A-81 allows a deletion. */
const ENDS_WITHIN_MS = 60_000;

let running: RunningService;
let site: TestSite;

beforeAll(async () => {
  running = await startService({
    env: { FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2', FOOTFALL_SHARDS: String(SHARDS) },
  });
  site = await openSite(running, { timezone: 'Europe/Berlin', count: 2 });
});

afterAll(() => running?.dispose());

async function send(domain: TestDomain, views: readonly object[]): Promise<void> {
  const same = { user_agent: agentNamed('chrome').userAgent, url: `https://${domain.hostname}/` };
  const items = views.map((view) => ({ ...same, ...view }));
  await site.writerOf(domain).collect('hit/batch', items);
}

function day(index: number): string {
  return new Date(FIRST_MS + index * DAY_MS).toISOString().slice(0, 10);
}

async function daysOnDisk(domain: TestDomain): Promise<number> {
  const segments = new SegmentReader(running.dataDir, 1_000_000_000);
  const shard = shardOf(asDomainId(domain.id), SHARDS);
  try {
    const always = { startMs: 0, endMs: Date.now() };
    return segments.read({ shard, epoch: asEpoch(1), domainId: asDomainId(domain.id), ...always })
      .length;
  } finally {
    await segments.close();
  }
}

test('a deletion that is killed in the middle goes on after the start (A-81, I-78)', {
  timeout: 300_000,
}, async () => {
  const [domain, other] = [await site.next(), await site.next()];
  const views = Array.from({ length: DAY_COUNT * 6 }, (_, index) => ({
    url: `https://${domain.hostname}/${index % 40}`,
    ip: `10.1.0.${index % 6}`,
    time: new Date(FIRST_MS + Math.floor(index / 6) * DAY_MS).toISOString(),
  }));
  await send(domain, views);
  await send(other, views.slice(0, 60));
  const viewsOn = async (index: number): Promise<number> => {
    const asked = { id: domain.id, from: day(index), to: day(index) };
    return ((await site.reader.statistics('total', asked)) as { views: number }).views;
  };
  expect(await viewsOn(DAY_COUNT - 1)).toBe(6);
  // All but the last day.
  const range = queryString({ id: domain.id, from: day(0), to: day(DAY_COUNT - 2) });
  expect((await site.reader.request('DELETE', `/api/v1/statistics${range}`)).status).toBe(200);
  await until(async () => (await viewsOn(0)) === 0, ENDS_WITHIN_MS);
  await running.kill();
  const left = await daysOnDisk(domain);
  expect(left).toBeGreaterThan(1);
  expect(left).toBeLessThan(DAY_COUNT);
  await running.start();
  await send(domain, [{ ip: '10.2.0.1', time: `${day(DAY_COUNT - 2)}T13:00:00Z` }]);
  await until(async () => (await viewsOn(DAY_COUNT - 3)) === 0, ENDS_WITHIN_MS);
  const counts = [0, 1, 750, DAY_COUNT - 3, DAY_COUNT - 2, DAY_COUNT - 1].map(viewsOn);
  expect(await Promise.all(counts)).toEqual([0, 0, 0, 0, 1, 6]);
  const asked = { id: other.id, from: day(0), to: day(9) };
  expect(await site.reader.statistics('total', asked)).toMatchObject({ views: 60 });
  await running.kill();
  expect(await daysOnDisk(domain)).toBe(2);
  await running.start();
});
