/**
 * Goal: an import writes the days that it may, in the site's own zone, and leaves no other (P-3, S-98);
 *   cancelled while it writes, nothing of it stays; a dry run is bounded as an import is.
 * Method: a real service; GoatCounter's and Plausible's tables over HTTP, a command for the dry run.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../support/clients/client.ts';
import { openSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { Importing } from '../../support/importing.ts';
import {
  makeTemporaryDirectory,
  type RunningService,
  runCommand,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { zipOf } from '../../support/zip.ts';

const WITHIN_MS = 90_000;
const JANUARY = { from: '2024-01-01', to: '2024-01-31' };
const HITS =
  '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date';
const DAYS = '"date","visitors","pageviews","bounces","visits","visit_duration"';
const FOLDER = makeTemporaryDirectory();

let running: RunningService;
/** Half a day away from UTC, so that a day of the one is never a day of the other. */
let site: TestSite;

beforeAll(async () => {
  running = await startService({ env: { FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '1' } });
  site = await openSite(running, { timezone: 'Pacific/Auckland', count: 8 });
}, WITHIN_MS);

afterAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  await running?.dispose();
});

interface Opened {
  readonly domain: TestDomain;
  readonly client: ApiClient;
  readonly importing: Importing;
}

async function opened(): Promise<Opened> {
  const domain = await site.next();
  const client = await site.readerOf(domain);
  return { domain, client, importing: new Importing(client, domain.id) };
}

/** A view each, of a visitor each. */
function hitsCsv(times: readonly string[]): Buffer {
  const rows = times.map(
    (at, index) => `/page,Title,false,,Firefox 120,Linux,s${index},0,,,"1920,1080,1",DE,true,${at}`,
  );
  return Buffer.from(`${[HITS, ...rows].join('\n')}\n`);
}

/** So many visitors on each of these days of January 2024. */
function daysZip(days: readonly number[], visitors: number): Buffer {
  const rows = days.map((day) => {
    return `"2024-01-${String(day).padStart(2, '0')}",${visitors},${visitors},0,${visitors},0`;
  });
  return zipOf({ 'imported_visitors.csv': [DAYS, ...rows].join('\n') });
}

/** Views by day of the site's zone, days without any left out. */
async function viewsByDay({ client, domain }: Opened): Promise<Record<string, number>> {
  const asked = { id: domain.id, ...JANUARY };
  const rows = (await client.statistics('visitor', asked)) as { day: string; views: number }[];
  const seen = rows.filter(({ views }) => views > 0);
  return Object.fromEntries(seen.map(({ day, views }) => [day.slice(0, 10), views]));
}

test('hits belong to the days of the zone, and from and to are such days (S-98)', async () => {
  const at = await opened();
  // Auckland is 13 hours ahead in January: its 10th begins at 11:00 UTC on the 9th.
  const times = [
    ...['2024-01-09T10:59:59Z', '2024-01-09T11:00:00Z', '2024-01-10T10:59:59Z'],
    '2024-01-10T11:00:00Z',
  ];
  expect(await at.importing.whole('a.csv', hitsCsv(times))).toMatchObject({ rows_imported: 4 });
  const whole = { '2024-01-09': 1, '2024-01-10': 2, '2024-01-11': 1 };
  expect(await viewsByDay(at)).toEqual(whole);
  await at.importing.cancel();
  await until(async () => Object.keys(await viewsByDay(at)).length === 0, WITHIN_MS);
  const day = { from: '2024-01-10', to: '2024-01-10' };
  expect(await at.importing.whole('a.csv', hitsCsv(times), day)).toMatchObject({
    ...{ state: 'done', rows_read: 4, rows_imported: 2, rows_skipped: 2 },
  });
  expect(await viewsByDay(at)).toEqual({ '2024-01-10': 2 });
});

test('a second import of overlapping days replaces these, and leaves the others (P-3)', async () => {
  const hits = await opened();
  const noon = (days: readonly number[], each: number) =>
    hitsCsv(
      days.flatMap((day) => {
        return Array<string>(each).fill(`2024-01-${String(day).padStart(2, '0')}T00:00:00Z`);
      }),
    );
  const first = { '2024-01-02': 1, '2024-01-03': 1, '2024-01-04': 1 };
  const replaced = { '2024-01-02': 1, '2024-01-03': 2, '2024-01-04': 2, '2024-01-05': 2 };
  await hits.importing.whole('first.csv', noon([2, 3, 4], 1));
  expect(await viewsByDay(hits)).toEqual(first);
  await hits.importing.whole('second.csv', noon([3, 4, 5], 2));
  expect(await viewsByDay(hits)).toEqual(replaced);
  // Taken back, newest first: what it replaced does not come again.
  await hits.importing.cancel();
  await until(async () => (await viewsByDay(hits))['2024-01-05'] === undefined, WITHIN_MS);
  expect(await viewsByDay(hits)).toEqual({ '2024-01-02': 1 });
  const sums = await opened();
  await sums.importing.whole('first.zip', daysZip([2, 3, 4], 1));
  expect(await viewsByDay(sums)).toEqual(first);
  await sums.importing.whole('second.zip', daysZip([3, 4, 5], 2));
  expect(await viewsByDay(sums)).toEqual(replaced);
});

test("days from the site's own first one on are left out, whatever brings them (S-98)", async () => {
  const at = await opened();
  await site.writerOf(at.domain).collect('hit/batch', [
    {
      ...{ time: '2024-01-05T00:00:00Z', ip: '203.0.113.9', url: 'https://example.org/own' },
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    },
  ]);
  await until(async () => (await viewsByDay(at))['2024-01-05'] === 1, WITHIN_MS);
  const kept = { state: 'done', rows_read: 4, rows_imported: 2, rows_skipped: 2 };
  expect(await at.importing.whole('days.zip', daysZip([3, 4, 5, 6], 7))).toMatchObject(kept);
  const wanted = { '2024-01-03': 7, '2024-01-04': 7, '2024-01-05': 1 };
  expect(await viewsByDay(at)).toEqual(wanted);
  expect(await at.client.request('GET', `/api/v1/domain?id=${at.domain.id}`)).toMatchObject({
    body: { imported_statistics: true },
  });
});

test('cancelled while it writes, nothing stays of it, and it can be imported again (P-3)', {
  timeout: 240_000,
}, async () => {
  const at = await opened();
  const times = Array.from({ length: 200_000 }, (_, index) =>
    new Date(Date.UTC(2024, 0, 2 + (index % 20), 3)).toISOString(),
  );
  const csv = hitsCsv(times);
  const id = await at.importing.upload('many.csv', csv);
  await at.importing.start(id);
  // Statistics tell earlier than the job that it writes.
  await until(async () => Object.keys(await viewsByDay(at)).length > 0, WITHIN_MS);
  expect(await at.importing.job()).toMatchObject({ state: 'running' });
  await at.importing.cancel();
  await until(async () => (await jobOf(at)).taken_back, WITHIN_MS);
  expect(await at.importing.job()).toMatchObject({ state: 'cancelled' });
  await until(async () => Object.keys(await viewsByDay(at)).length === 0, WITHIN_MS);
  // Neither the upload, which may tell who somebody was, nor what was made of it (P-22).
  await until(() => !existsSync(join(running.dataDir, 'imports', id)));
  expect(await at.importing.uploads()).toEqual([]);
  const again = await at.importing.whole('many.csv', csv);
  expect(again).toMatchObject({ state: 'done', rows_imported: times.length, rows_skipped: 0 });
  const views = Object.values(await viewsByDay(at)).reduce((sum, one) => sum + one);
  expect(views).toBe(times.length);
});

async function jobOf({ client, domain }: Opened): Promise<{ taken_back: boolean }> {
  const path = `/api/v1/external/import/job?domain_id=${domain.id}`;
  return (await client.request('GET', path)).body as { taken_back: boolean };
}

/** `footfall import --dry-run` of a file. */
function dryRun(domain: TestDomain, name: string, content: string | Buffer): Promise<unknown> {
  const file = join(FOLDER, name);
  writeFileSync(file, content);
  const site = ['--data-dir', running.dataDir, '--id', domain.id];
  return runCommand(['import', ...site, '--file', file, '--dry-run'], {
    FOOTFALL_MEMORY: String(512 * 1_024 ** 2),
  });
}

test('a dry run says what a file is, stores nothing, and takes no more memory than an import (P-2)', {
  timeout: 240_000,
}, async () => {
  const { domain, importing } = await opened();
  expect(await dryRun(domain, 'a.csv', hitsCsv(['2024-01-02T00:00:00Z']))).toEqual({
    ...{ format: 'goatcounter', gives: 'hits', files: 1, rows: 1 },
  });
  await expect(dryRun(domain, 'b.csv', `${HITS}\n/page,x\n`)).rejects.toThrow('b.csv, line 2');
  // One visit, not longer than an entry may be: five million lists need more than the heap.
  const lists = `[${'[],'.repeat(5_000_000)}[]]`;
  const visit = `[{"idVisit":"1","visitorId":"a","actionDetails":${lists}}]`;
  await expect(dryRun(domain, 'visits.json', visit)).rejects.toThrow(
    'reading it takes more than the 256 MiB that an import may have',
  );
  expect(await importing.uploads()).toEqual([]);
  expect(await importing.job()).toBeNull();
});
