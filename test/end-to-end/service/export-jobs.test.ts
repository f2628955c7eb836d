/**
 * Goal: what is stored of a domain is exported by a job, listed, fetched and offered for a while (P-10).
 * Method: a real service; jobs are looked at over HTTP until they end, files are fetched as by a client.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changed as change } from '../../../src/control/descriptor/draft.ts';
import { Registry } from '../../../src/control/registry/registry.ts';
import { type ExportJob, exportJob } from '../../../src/control/resources/export-job.ts';
import { DAY_MS } from '../../../src/model/limits.ts';
import type { ApiClient } from '../../support/clients/client.ts';
import { openSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { Exporting } from '../../support/exporting.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let running: RunningService;
let site: TestSite;

beforeAll(async () => {
  running = await startService({ env: { FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2' } });
  site = await openSite(running, { timezone: 'Europe/Berlin', count: 12 });
});
afterAll(() => running?.dispose());

interface Opened {
  domain: TestDomain;
  client: ApiClient;
  exporting: Exporting;
}

async function opened(): Promise<Opened> {
  const domain = await site.next();
  const client = await site.readerOf(domain);
  return { domain, client, exporting: new Exporting(client, running.baseUrl, domain.id) };
}

interface Sent {
  /** Which visitor. */
  readonly at: number;
  readonly path: string;
  readonly atMs: number;
}

function hitOf({ hostname }: TestDomain, { at, path, atMs }: Sent) {
  const ip = `81.2.${Math.floor(at / 250)}.${at % 250}`;
  return { url: `https://${hostname}${path}`, user_agent: FIREFOX, ip, time: timeOf(atMs) };
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Sends a view of each of so many visitors. */
async function visited(
  { domain }: Opened,
  visitors: number,
  path = '/a',
  atMs = Date.now(),
): Promise<void> {
  const hits = Array.from({ length: visitors }, (_, at) => hitOf(domain, { at, path, atMs }));
  await site.writerOf(domain).collect('hit/batch', hits);
}

function folderOf(id: string): string {
  return join(running.dataDir, 'exports', id);
}

test('an export has everything acknowledged before it was asked for; its files are fetched by their names (P-10)', async () => {
  const at = await opened();
  await visited(at, 20);
  const asked = await at.exporting.start({ format: 'ndjson', what: 'all' });
  expect(asked).toMatchObject({
    ...{ domain_id: at.domain.id, state: 'waiting', rows: 0, files: [], from: null, to: null },
    ...{ what: 'all', format: 'ndjson', expires: null, error: null },
  });
  const done = await at.exporting.ended(asked.id);
  expect(done).toMatchObject({ id: asked.id, state: 'done', rows: 40, error: null });
  const month = new Date().toISOString().slice(0, 7);
  expect(done.files.map(({ name }) => name)).toEqual([
    `sessions-${month}.ndjson`,
    `views-${month}.ndjson`,
    'manifest.json',
  ]);
  const dayMs = Date.parse(String(done.expires)) - Date.now();
  expect(dayMs).toBeGreaterThan(23 * 3_600_000);
  expect(dayMs).toBeLessThanOrEqual(24 * 3_600_000);
  const folder = await at.exporting.download(done);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ rows: 40, domain: { id: at.domain.id } });
  const response = await at.exporting.fetch(done.files[1]?.url ?? '');
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="views-${month}.ndjson"`,
  );
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(await response.text()).toContain('"path":"/a"');
});

/** What a domain's rows come to, by several statistics. */
async function statisticsOf({ client, domain }: Opened): Promise<unknown[]> {
  const [fromMs, toMs] = [Date.now() - 4 * DAY_MS, Date.now()];
  const range = { id: domain.id, from: dateOf(fromMs), to: dateOf(toMs) };
  const names = [
    'total',
    'visitor',
    'page',
    'page/entry',
    'event/page',
    'browser',
    'os',
    'country',
  ];
  return Promise.all(names.map((name) => client.statistics(name, range)));
}

function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

test('what is fetched and imported into an empty domain says the same; a client that leaves harms nobody (P-10)', {
  timeout: 240_000,
}, async () => {
  const [from, to] = [await opened(), await opened()];
  const atMs = Date.now() - 2 * DAY_MS;
  await visited(from, 300, '/old', atMs);
  await visited(from, 120, '/next', atMs + 60_000);
  const event = { event_name: 'Order', event_meta: { plan: '=1+1' }, time: timeOf(atMs) };
  await site
    .writerOf(from.domain)
    .collect('event/batch', [
      { ...event, ...hitOf(from.domain, { at: 7, path: '/old', atMs: atMs + 90_000 }) },
    ]);
  const done = await from.exporting.whole({ format: 'parquet' });
  expect(done).toMatchObject({ state: 'done', error: null });
  // Some leave after the first bytes, or ask for nothing but the head.
  for (const { url } of done.files) {
    const left = new AbortController();
    const response = await from.exporting.fetch(url, { signal: left.signal });
    await response.body?.getReader().read();
    left.abort();
  }
  const head = await from.exporting.fetch(done.files[0]?.url ?? '', { method: 'HEAD' });
  expect(Number(head.headers.get('content-length'))).toBe(done.files[0]?.bytes);
  const folder = await from.exporting.download(done);
  await running.command(['import', '--id', to.domain.id, '--file', folder]);
  const wanted = await statisticsOf(from);
  expect(JSON.stringify(wanted)).toContain('/next');
  await until(async () => {
    const found = await statisticsOf(to);
    return (
      JSON.stringify(found).includes('/next') && JSON.stringify(found) === JSON.stringify(wanted)
    );
  }, 120_000);
});

test('one that waits is cancelled, one that has ended is removed with its files, and there are so many only (P-10)', async () => {
  const at = await opened();
  await visited(at, 3);
  const done = await at.exporting.whole();
  expect(done.state).toBe('done');
  expect(existsSync(folderOf(done.id))).toBe(true);
  const url = done.files[0]?.url ?? '';
  expect(await at.exporting.remove(done.id)).toBe(200);
  expect((await at.exporting.fetch(url)).status).toBe(404);
  await until(() => !existsSync(folderOf(done.id)), 30_000);
  const open = [await at.exporting.start(), await at.exporting.start(), await at.exporting.start()];
  await expect(at.exporting.start()).rejects.toThrow('3 exports that are not done yet');
  const last = open[2]?.id ?? '';
  expect(await at.exporting.remove(last)).toBe(200);
  expect(await at.exporting.one(last)).toMatchObject({ state: 'cancelled', files: [] });
  for (const { id } of open.slice(0, 2)) expect((await at.exporting.ended(id)).state).toBe('done');
  expect(await at.exporting.one(last)).toMatchObject({ state: 'cancelled' });
  await expect(at.exporting.start({ format: 'xlsx' })).rejects.toThrow('must be one of csv');
});

test('of another domain nothing is seen, fetched or ended (M-4, P-10)', async () => {
  const [own, other] = [await opened(), await opened()];
  await visited(own, 1);
  const { id, files } = await own.exporting.whole({ what: 'views' });
  const foreign = new Exporting(other.client, running.baseUrl, own.domain.id);
  expect((await foreign.fetch(files[0]?.url ?? '')).status).toBe(404);
  expect(await foreign.remove(id)).toBe(404);
  expect((await other.client.request('GET', `/api/v1/export?id=${own.domain.id}`)).status).toBe(
    404,
  );
  await expect(foreign.start()).rejects.toThrow('404');
  expect((await own.exporting.fetch(`/api/v1/export/file?id=${id}&name=../job.json`)).status).toBe(
    404,
  );
  expect((await own.exporting.one(id))?.state).toBe('done');
});

test('what is deleted of the statistics ends what was exported of it, and nothing else (A-81, P-10)', async () => {
  const at = await opened();
  await visited(at, 2);
  const [today, before] = [dateOf(Date.now() + 2 * DAY_MS), dateOf(Date.now() - 30 * DAY_MS)];
  const all = await at.exporting.whole();
  const old = await at.exporting.whole({ to: before });
  const range = `id=${at.domain.id}&from=${dateOf(Date.now() - 3 * DAY_MS)}&to=${today}`;
  expect((await at.client.request('DELETE', `/api/v1/statistics?${range}`)).status).toBe(200);
  expect((await at.exporting.fetch(all.files[0]?.url ?? '')).status).toBe(404);
  expect(await at.exporting.one(all.id)).toMatchObject({
    ...{ state: 'failed', files: [] },
    error: 'statistics in it were deleted after it was written: export again',
  });
  await until(() => !existsSync(folderOf(all.id)), 30_000);
  expect(await at.exporting.one(old.id)).toMatchObject({ state: 'done' });
  expect(await at.exporting.whole()).toMatchObject({ state: 'done', rows: 0 });
});

test('after a kill it is begun anew, what is half written goes, and one that never ends has failed; a day later it is gone (P-10)', {
  timeout: 240_000,
}, async () => {
  const at = await opened();
  await visited(at, 30);
  const done = await at.exporting.whole();
  const [half, hopeless] = [await at.exporting.whole(), await at.exporting.whole()];
  await running.kill();
  // As a kill in the middle leaves it, the second time for the fourth time.
  await changed((job) => {
    const broken = { ...job, state: 'running', files: [], rows: 7, expiresMs: null } as const;
    if (job.id === half.id) return { ...broken, attempts: 1 };
    if (job.id === hopeless.id) return { ...broken, attempts: 4 };
    return job.id === done.id ? { ...job, expiresMs: Date.now() - 1 } : null;
  });
  rmSync(join(folderOf(half.id), 'manifest.json'));
  writeFileSync(join(folderOf(half.id), 'views-1999-01.csv'), 'half');
  await running.start();
  expect(await at.exporting.ended(half.id)).toMatchObject({ state: 'done', rows: 60 });
  expect(readdirSync(folderOf(half.id))).not.toContain('views-1999-01.csv');
  expect(await at.exporting.ended(hopeless.id)).toMatchObject({
    ...{ state: 'failed', error: 'the service ended each time while it was written' },
  });
  await until(async () => (await at.exporting.one(done.id)) === undefined, 30_000);
  await until(() => !existsSync(folderOf(done.id)) && !existsSync(folderOf(hopeless.id)), 30_000);
  rmSync(folderOf(half.id), { recursive: true });
  await until(async () => (await at.exporting.one(half.id))?.state === 'failed', 30_000);
});

/** Changes records as a process that was killed, or a clock that went on, leaves them. */
async function changed(next: (job: ExportJob) => ExportJob | null): Promise<void> {
  const registry = Registry.open(running.dataDir, Date.now());
  try {
    await registry.change({ nowMs: Date.now(), by: { kind: 'cli', id: '' } }, (view) =>
      [...view.all(exportJob)].flatMap((job) => {
        const after = next(job);
        return after === null ? [] : [change(exportJob, after)];
      }),
    );
  } finally {
    await registry.close();
  }
}
