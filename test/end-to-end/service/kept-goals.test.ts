// Goal: what goals have of days at rest is on disk after the first question, and a service that was
//   killed and started again answers with it what it answered before (S-63).
// Method: a directory full of visits, a started service, goals over HTTP; the state is looked at
//   beside it.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  describeFilled,
  type FilledDirectory,
  fillDirectory,
} from '../../../bench/harness/data/filled-directory.ts';
import { asShardId } from '../../../src/model/ids.ts';
import { shardStatePath } from '../../../src/store/state-directories.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';
import { ApiClient } from '../../support/clients/client.ts';
import {
  makeTemporaryDirectory,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const DAYS = 3;
const GOALS = [
  { name: 'blog', path_pattern: '^/blog/' },
  { name: 'none', path_pattern: '^/there-is-no-such-page' },
];

let directory = '';
let filled: FilledDirectory;
let service: RunningService;

beforeAll(async () => {
  directory = makeTemporaryDirectory();
  const dataDir = `${directory}/data`;
  const lastDay = Math.floor(Date.now() / DAY_MS) - 2;
  await fillDirectory(dataDir, { seed: 11, views: 3_000, days: DAYS, lastDay });
  filled = describeFilled(dataDir);
  service = await startService({ dataDir, env: { FOOTFALL_EDGES: '1' } });
}, 120_000);

afterAll(async () => {
  await service.dispose();
  rmSync(directory, { recursive: true, force: true });
});

test('goals of days at rest are kept on disk, and are the same after a kill (S-63)', {
  timeout: 120_000,
}, async () => {
  const before = await client();
  for (const goal of GOALS) await before.create('goal', { domain_id: filled.domainId, ...goal });
  const first = await goals(before);
  expect(first.map(({ stats }) => stats.views > 0).sort()).toEqual([false, true]);
  await until(async () => (await keptDays()) === DAYS, 30_000);
  await service.kill();
  await service.start();
  expect(await goals(await client())).toEqual(first);
  expect(await keptDays()).toBe(DAYS);
});

function client(): Promise<ApiClient> {
  return ApiClient.withSecret(service.baseUrl, filled.clientId, filled.clientSecret);
}

async function goals(asker: ApiClient): Promise<{ stats: { views: number } }[]> {
  const { domainId: id, from, to } = filled;
  return (await asker.statistics('goals', { id, from, to })) as { stats: { views: number } }[];
}

/** Days of which counts are on disk. */
async function keptDays(): Promise<number> {
  const path = shardStatePath(service.dataDir, asShardId(filled.shard));
  const environment = new StateEnvironment(path);
  try {
    return [...environment.range(['c'], ['d'])].length;
  } finally {
    await environment.close();
  }
}
