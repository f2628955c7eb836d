/**
 * Goal: what other products counted is exported, imported elsewhere and taken back with the sessions
 * beside it (P-3, P-10, S-98).
 * Method: a real service; the command exports beside it and after a stop, the files are uploaded.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/model/limits.ts';
import type { ApiClient } from '../../support/clients/client.ts';
import { openSite, type TestSite } from '../../support/domains.ts';
import { Importing } from '../../support/importing.ts';
import {
  makeTemporaryDirectory,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { zipOf } from '../../support/zip.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NAMES = ['total', 'visitor', 'page', 'page/entry', 'browser', 'country'];
const TABLES = {
  'imported_visitors_20240101_20240102.csv': [
    '"date","visitors","pageviews","bounces","visits","visit_duration"',
    ...['"2024-01-01",10,30,2,12,100', '"2024-01-02",1,3,0,1,10'],
  ],
  'imported_browsers_20240101_20240102.csv': [
    '"date","browser","browser_version","visitors","visits","visit_duration","bounces","pageviews"',
    '"2024-01-01","Firefox","",10,12,100,2,30',
  ],
};

let running: RunningService;
let site: TestSite;

beforeAll(async () => {
  running = await startService({ env: { FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '2' } });
  site = await openSite(running, { timezone: 'Europe/Berlin', count: 2 });
});
afterAll(() => running?.dispose());

async function statisticsOf(client: ApiClient, id: string): Promise<string> {
  const range = { id, from: '2024-01-01', to: new Date().toISOString().slice(0, 10) };
  return JSON.stringify(await Promise.all(NAMES.map((name) => client.statistics(name, range))));
}

/** The folder of an export that the command makes. */
async function exported(id: string, format: string): Promise<string> {
  const out = join(makeTemporaryDirectory(), 'out');
  await running.command(['export', '--id', id, '--out', out, '--format', format]);
  return out;
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== 'manifest.json');
  const read = (name: string) => [name, readFileSync(join(folder, name), 'utf8')];
  return Object.fromEntries(names.map(read)) as Record<string, string>;
}

test('imported sums are exported and imported elsewhere beside sessions, and taken back with them (P-10, S-98)', {
  timeout: 240_000,
}, async () => {
  const [from, to] = [await site.next(), await site.next()];
  const [here, there] = [await site.readerOf(from), await site.readerOf(to)];
  const empty = await statisticsOf(there, to.id);
  const own = { url: `https://${from.hostname}/own`, ip: '81.2.69.1', user_agent: FIREFOX };
  const time = new Date(Date.now() - 2 * DAY_MS).toISOString();
  await site.writerOf(from).collect('hit/batch', [{ ...own, time }]);
  const tables = Object.entries(TABLES).map(([name, lines]) => [name, lines.join('\n')]);
  const zip = zipOf(Object.fromEntries(tables) as Record<string, string>);
  const job = await new Importing(here, from.id).whole('plausible.zip', zip);
  expect(job).toMatchObject({ state: 'done', rows_imported: 3 });

  const folder = await exported(from.id, 'csv');
  const files = filesIn(folder);
  expect(files['imported_sums-2024-01.csv']?.split('\r\n')).toContain(
    '2024-01-01,browser,Firefox,,10,30,12,2,100',
  );
  await running.stop();
  // What the log had of them is on disk by now.
  expect(filesIn(await exported(from.id, 'csv'))).toEqual(files);
  await running.start();

  const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
  const importing = new Importing(there, to.id);
  const whole = await importing.whole('own.zip', zipOf({ ...files, 'manifest.json': manifest }));
  expect(whole).toMatchObject({ state: 'done', format: 'footfall', rows_imported: 4, error: null });
  const wanted = await statisticsOf(here, from.id);
  expect(wanted).toContain('/own');
  await until(async () => (await statisticsOf(there, to.id)) === wanted, 60_000);
  await importing.cancel();
  await until(async () => (await statisticsOf(there, to.id)) === empty, 60_000);
});
