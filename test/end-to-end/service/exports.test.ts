// Goal: an operator and an Admin get everything that was acknowledged as files, whether or not the
// service runs, and after a kill (P-10).
// Method: a real service is sent known hits; the command is run as an operator would.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type DomainCredentials,
  makeTemporaryDirectory,
  type RunningService,
  startService,
} from '../../support/service.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let running: RunningService;
let domain: DomainCredentials;

beforeAll(async () => {
  running = await startService({ env: { FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '2' } });
  const { email } = await running.createAccount();
  domain = await running.createDomain({ email, hostname: 'own.example' });
  await ApiClient.whenKnown(running.baseUrl, domain.client_id, domain.client_secret);
});
afterAll(() => running?.dispose());

async function view(path: string, ip: string): Promise<void> {
  const writer = new ApiClient(running.baseUrl, domain.access_key);
  await writer.collect('hit', { url: `https://own.example${path}`, ip, user_agent: FIREFOX });
}

interface Exported {
  rows: number;
  files: number;
}

/** Exports into a new directory. @returns what the command says, and the paths of the views. */
async function exported(...flags: readonly string[]): Promise<{ told: Exported; paths: string[] }> {
  const out = join(makeTemporaryDirectory(), 'out');
  const asked = ['export', '--id', domain.id, '--out', out, '--format', 'ndjson'];
  const told = await running.command<Exported>([...asked, ...flags]);
  const { files } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as {
    files: { name: string; table: string }[];
  };
  const paths = files
    .filter(({ table }) => table === 'views')
    .flatMap(({ name }) => readFileSync(join(out, name), 'utf8').trimEnd().split('\n'))
    .map((line) => (JSON.parse(line) as { path: string }).path);
  return { told, paths };
}

test('beside the service, after a kill and after a stop an export has all that was acknowledged (P-10)', async () => {
  expect((await exported()).told).toMatchObject({ rows: 0, files: 0 });
  await view('/first', '81.2.69.1');
  expect(await exported()).toMatchObject({ told: { rows: 2, files: 2 }, paths: ['/first'] });
  await view('/second', '81.2.69.1');
  await view('/other', '81.2.69.2');
  const all = { told: { rows: 5, files: 2 }, paths: ['/first', '/second', '/other'] };
  expect(await exported()).toMatchObject(all);
  await running.kill();
  expect(await exported()).toMatchObject(all);
  await running.start();
  await running.stop();
  expect(await exported()).toMatchObject(all);
  await running.start();
  const onlyViews = await exported('--what', 'views', '--from', '2024-01-01', '--to', '2024-01-02');
  expect(onlyViews.told).toMatchObject({ rows: 0, files: 0 });
});

test('what cannot be exported is refused in a line, and leaves nothing behind (P-10)', async () => {
  const out = join(makeTemporaryDirectory(), 'out');
  const refused = (line: string, ...flags: string[]) =>
    expect(running.command(['export', '--out', out, ...flags])).rejects.toThrow(line);
  const own = ['--id', domain.id];
  await refused('--format must be one of csv, ndjson, parquet', ...own, '--format', 'xls');
  await refused('--what must be one of sessions', ...own, '--what', 'hits');
  await refused('--from must be a date like', ...own, '--from', 'yesterday');
  await refused("'nobody'", '--id', 'nobody');
  expect(existsSync(out)).toBe(false);
  const into = running.command(['export', ...own, '--out', running.dataDir]);
  await expect(into).rejects.toThrow('--out has to be an empty directory');
});
