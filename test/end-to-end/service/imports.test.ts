/**
 * Goal: what another product has exported is imported over HTTP, and can be taken back (P-1 to P-3).
 * Method: a real service; files are uploaded as a client would, jobs are looked at until they end.
 */
import { readdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../support/clients/client.ts';
import { openSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { Importing } from '../../support/importing.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { zipOf } from '../../support/zip.ts';

let running: RunningService;
let site: TestSite;

beforeAll(async () => {
  running = await startService({ env: { FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2' } });
  site = await openSite(running, { timezone: 'Europe/Berlin', count: 11 });
});

afterAll(() => running?.dispose());

async function opened(): Promise<{ domain: TestDomain; client: ApiClient; importing: Importing }> {
  const domain = await site.next();
  const client = await site.readerOf(domain);
  return { domain, client, importing: new Importing(client, domain.id) };
}

const VISITORS = [
  '"date","visitors","pageviews","bounces","visits","visit_duration"',
  '"2024-01-01",10,30,2,12,100',
  '"2024-01-02",1,3,0,1,10',
];

/** Plausible's archive with a table of days. */
function daysZip(lines: readonly string[]): Buffer {
  return zipOf({ 'imported_visitors_20240101_20240102.csv': lines.join('\n') });
}

test('sums are imported from an archive, and an upload can be imported as often as one likes (P-2)', async () => {
  const { importing } = await opened();
  const id = await importing.upload('größe.zip', daysZip(VISITORS));
  expect(await importing.uploads()).toEqual([{ name: 'größe.zip', id }]);
  await importing.start(id, { to: '2024-01-01' });
  expect(await importing.ended()).toMatchObject({
    ...{ state: 'done', format: 'plausible', rows_read: 2, rows_imported: 1, rows_skipped: 1 },
  });
  await importing.start(id);
  expect(await importing.ended()).toMatchObject({ state: 'done', rows_imported: 2 });
});

test('a damaged file stores nothing and says file, line and what was expected (P-3)', async () => {
  const { importing } = await opened();
  const damaged = daysZip([...VISITORS, '"2024-01-03",1,x,0,1,10']);
  expect(await importing.whole('a.zip', damaged)).toMatchObject({
    ...{ state: 'failed', rows_imported: 0 },
    error:
      'imported_visitors_20240101_20240102.csv, line 4: expected a whole number under \'pageviews\', found "x"',
  });
  const cut = daysZip(VISITORS).subarray(0, 90);
  expect((await importing.whole('a.zip', cut)).error).toContain(
    'a.zip, line 1: expected a whole zip',
  );
  const strange = await importing.whole('notes.txt', Buffer.from('hello'));
  expect(strange.error).toContain('notes.txt, line 1: expected an export of Plausible');
});

test('half an upload is removed, and an empty one refused (P-2)', async () => {
  const { importing, domain, client } = await opened();
  const folders = () => readdirSync(join(running.dataDir, 'imports'));
  const before = folders();
  const { hostname: host, port } = new URL(running.baseUrl);
  const socket = connect(Number(port), host);
  socket.write(
    `POST /api/v1/external/upload?domain_id=${domain.id} HTTP/1.1\r\nHost: ${host}\r\n` +
      `Authorization: Bearer ${client.bearer}\r\nX-Filename: a.csv\r\nContent-Length: 1000000\r\n\r\nab`,
  );
  // Those of other imports may go meanwhile.
  const added = () => folders().filter((name) => !before.includes(name));
  await until(() => added().length === 1);
  socket.destroy();
  await until(() => added().length === 0);
  await expect(importing.upload('a.csv', Buffer.alloc(0))).rejects.toThrow('is empty');
  await until(() => added().length === 0);
});

test.each([
  ['as UTF-8', Buffer.from('Größe 日本.csv').toString('latin1'), 'Größe 日本.csv'],
  ['percent-encoded', encodeURIComponent('Größe 日本.csv'), 'Größe 日本.csv'],
  ['as what is no UTF-8', 'Gr\u{f6}\u{df}e.csv', 'Größe.csv'],
])('the name of an upload is what was meant: %s (P-2)', async (_, sent, name) => {
  const { domain, client, importing } = await opened();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const url = `${running.baseUrl}/api/v1/external/upload?domain_id=${domain.id}`;
    const headers = { Authorization: `Bearer ${client.bearer}`, 'X-Filename': sent };
    request(url, { method: 'POST', headers }, resolve)
      .on('error', reject)
      .end(Buffer.from('Path,Views'));
  });
  expect(answer.statusCode).toBe(200);
  answer.resume();
  expect(await importing.uploads()).toMatchObject([{ name }]);
});

const HITS =
  '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date';

/** GoatCounter's table: so many views of every visitor, on the first days of 2024. */
function hitsCsv(visitors: number, views: number): Buffer {
  const lines = [HITS];
  for (let visitor = 0; visitor < visitors; visitor++) {
    for (let view = 0; view < views; view++) {
      const at = new Date(Date.UTC(2024, 0, 1 + (visitor % 20), 10, view)).toISOString();
      const rest = `Title,false,,Firefox 120,Linux,s${visitor},0,,,"1920,1080,1",DE,true`;
      lines.push(`/page-${view},${rest},${at.slice(0, 19)}Z`);
    }
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

test('single hits become sessions; again they replace, a kill doubles nothing, taken back nothing is left (P-1, P-3)', {
  timeout: 240_000,
}, async () => {
  const { importing, client, domain } = await opened();
  const totals = async () => {
    const asked = { id: domain.id, from: '2024-01-01', to: '2024-01-31' };
    const { views, sessions } = (await client.statistics('total', asked)) as Record<string, number>;
    return { views, sessions };
  };
  const all = { views: 24_000, sessions: 8_000 };
  const csv = hitsCsv(8_000, 3);
  await importing.start(await importing.upload('goatcounter.csv', csv));
  await until(async () => (await totals()).views !== 0, 60_000);
  await running.kill();
  await running.start();
  const rows = { rows_read: 24_000, rows_imported: 24_000, rows_skipped: 0 };
  expect(await importing.ended()).toMatchObject({ state: 'done', format: 'goatcounter', ...rows });
  expect(await totals()).toEqual(all);
  // Files that may tell who somebody was go with the end of their import: bring it again.
  await until(async () => (await importing.uploads()).length === 0);
  expect(await importing.whole('goatcounter.csv', csv)).toMatchObject({ state: 'done', ...rows });
  expect(await totals()).toEqual(all);
  await importing.cancel();
  await until(async () => (await totals()).views === 0, 60_000);
});
