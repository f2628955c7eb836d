// Goal: the npm package is whole, and has nothing that is not the user's: it runs in an empty folder
// without a compiler and without install scripts (P-40).
// Method: the tarball is made as `npm pack` makes it, and read; unpacked beside the packages that it
// asks for, it serves and counts a hit. The long run installs it by npm and starts it by npx.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { type Packed, packBuild, unpackBeside } from '../../support/package.ts';
import { freePort } from '../../support/ports.ts';
import { IS_LONG } from '../../support/runs.ts';
import {
  cleanEnvironment,
  makeTemporaryDirectory,
  PROJECT_ROOT,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const BYTES_MAX = 2_500_000;
const UNPACKED_BYTES_MAX = 8_000_000;
const DIRECTORY = makeTemporaryDirectory();

let packed: Packed;
let entryPoint: string;

beforeAll(() => {
  packed = packBuild(DIRECTORY);
  entryPoint = unpackBeside(join(DIRECTORY, packed.filename), join(DIRECTORY, 'unpacked'));
});

afterAll(() => {
  rmSync(DIRECTORY, { recursive: true, force: true, maxRetries: 3 });
});

test('it holds the build and what goes with it, and nothing else (P-40)', () => {
  const files = packed.files.map(({ path }) => path);
  const odd = files.filter(
    (path) =>
      !/^dist\/(src\/main|workers\/\w+|parts\/[\w-]+|src\/script\/[\w-]+)\.js$/.test(path) &&
      !/^dist\/src\/(client\/[\w./-]+\.(js|d\.ts)|pages\/\w+\/page\.html)$/.test(path) &&
      !/^dist\/dashboard\/(assets\/[\w.-]+|\w+\.html(\.br|\.gz)?|packages\.json)$/.test(path) &&
      !/^config\/(default\.json|systemd\/[\w.-]+)$/.test(path) &&
      !['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'].includes(path) &&
      path !== 'dist/THIRD-PARTY.txt',
  );
  expect(odd).toEqual([]);
  expect(
    files.filter((path) => /\.test\.|^dist\/test\/|\.map$|(^|\/)\.|\.(pem|key|crt)$/.test(path)),
  ).toEqual([]);
  expect(packed.size).toBeLessThan(BYTES_MAX);
  expect(packed.unpackedSize).toBeLessThan(UNPACKED_BYTES_MAX);
});

test('its program is executable, no script runs when it is installed, nothing points elsewhere', () => {
  expect(packed.files.find(({ path }) => path === 'dist/src/main.js')?.mode).toBe(0o755);
  const home = join(DIRECTORY, 'unpacked/node_modules/footfall');
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
  for (const place of Object.values(manifest.exports['./client']) as string[])
    expect(existsSync(join(home, place))).toBe(true);
  expect(manifest.private).toBeUndefined();
});

test('the licences of what the dashboard is made of go with it', () => {
  const text = readFileSync(
    join(DIRECTORY, 'unpacked/node_modules/footfall/dist/THIRD-PARTY.txt'),
    'utf8',
  );
  const packages = JSON.parse(
    readFileSync(join(PROJECT_ROOT, 'dist/dashboard/packages.json'), 'utf8'),
  ) as { name: string; text: string }[];
  expect(packages.map(({ name }) => name)).toContain('preact');
  for (const { name, text: licence } of packages) {
    expect(text).toContain(`\n${name} `);
    expect(text).toContain(licence.trim());
  }
});

test('its client is known to the compiler of who uses it', () => {
  const folder = join(DIRECTORY, 'unpacked');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'program.ts'),
    `import { Footfall } from 'footfall/client';
    const footfall = new Footfall('http://127.0.0.1:1', { clientId: 'a', clientSecret: 'b' });
    const query = { id: 'd', from: '2026-11-01', to: '2026-11-30' };
    export const total = await footfall.get('/api/v1/statistics/total', query);
    export const views: number = total.views;
    // @ts-expect-error an answer without such a field
    export const odd = total.vews;
    `,
  );
  const compiler = join(PROJECT_ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--lib', 'es2023,dom'];
  const words = [...options, '--target', 'es2022', '--module', 'nodenext', 'program.ts'];
  const compiled = spawnSync(process.execPath, [compiler, ...words], { cwd: folder });
  expect(compiled.stdout.toString()).toBe('');
  expect(compiled.status).toBe(0);
});

test('it serves, shows the dashboard and counts a hit with only what it asks for', async () => {
  const running = await startService({ entryPoint });
  try {
    const account = await running.createAccount();
    const domain = await running.createDomain({ email: account.email, hostname: 'example.org' });
    const { client_id, client_secret, access_key, id } = domain;
    const reader = await ApiClient.whenKnown(running.baseUrl, client_id, client_secret);
    await hitAndCount(reader, access_key, id);
    const page = await fetch(`${running.baseUrl}/`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('/assets/');
    for (const path of ['/docs', '/js/footfall.js', '/credits'])
      expect((await fetch(`${running.baseUrl}${path}`)).status).toBe(200);
  } finally {
    await running.dispose();
  }
});

// It downloads some hundred megabytes where npm's cache is empty.
test.runIf(IS_LONG)('in an empty folder npx runs it from the tarball', async () => {
  const folder = join(DIRECTORY, 'empty');
  mkdirSync(folder);
  const port = await freePort();
  const child = spawn(
    'npx',
    [
      ...['--yes', '--prefer-offline', `file:${join(DIRECTORY, packed.filename)}`],
      ...['serve', '--json', '--port', String(port)],
    ],
    {
      cwd: folder,
      env: cleanEnvironment({
        npm_config_ignore_scripts: 'true',
        npm_config_cache: join(DIRECTORY, 'npx-cache'),
      }),
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await until(() => said.includes('\n') || child.exitCode !== null, 170_000);
    const { url, first, data_dir } = JSON.parse(said);
    expect(data_dir).toBe(join(folder, 'data'));
    const { domain_client_id, domain_client_secret, access_key, domain_id } = first;
    const reader = await ApiClient.withSecret(url, domain_client_id, domain_client_secret);
    await hitAndCount(reader, access_key, domain_id);
  } finally {
    // npx, its shell and the service are one group of processes.
    process.kill(-(child.pid as number), 'SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
});

async function hitAndCount(reader: ApiClient, accessKey: string, id: string): Promise<void> {
  const writer = new ApiClient(reader.baseUrl, accessKey);
  const user_agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const hit = { url: 'https://example.org/', ip: '203.0.113.7', user_agent };
  expect((await writer.request('POST', '/api/v1/hit', { body: hit })).status).toBe(200);
  const today = new Date().toISOString().slice(0, 10);
  const total = await reader.statistics('total', { id, from: today, to: today });
  expect(total).toMatchObject({ views: 1, visitors: 1 });
}
