// Goal: the service serves HTTPS by itself; a renewed certificate is shown to whoever connects next, and
// nobody notices but by that (P-41).
// Method: a started service with pairs that openssl has just made. While hits are sent over connections
// that are kept and over new ones, the files are replaced again and again, by signal and without; every
// hit is answered and counted.
import { execFile } from 'node:child_process';
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../support/runs.ts';
import {
  cleanEnvironment,
  type DomainCredentials,
  ENTRY_POINT,
  makeTemporaryDirectory,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { makePair, shownName } from '../../support/tls/pair.ts';
import { until } from '../../support/until.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const DAY_MS = 86_400_000;
/** A batch of this size takes several packets of the network and records of TLS. */
const BATCH_SIZE = 5_000;

const DIRECTORY = makeTemporaryDirectory();
const CERT = join(DIRECTORY, 'used.crt');
const KEY = join(DIRECTORY, 'used.key');

let running: RunningService;
let domain: DomainCredentials;
let port = 0;
let sent = 0;

beforeAll(async () => {
  for (const name of ['first', 'second']) makePair(made(name, 'crt'), made(name, 'key'), name);
  use('first');
  const env = { FOOTFALL_TLS_CERT: CERT, FOOTFALL_TLS_KEY: KEY, FOOTFALL_EDGES: '2' };
  running = await startService({ env });
  port = Number(new URL(running.baseUrl).port);
  const account = await running.createAccount();
  domain = await running.createDomain({ email: account.email, hostname: 'example.org' });
  await until(async () => (await post('hit/batch', '[]')).status !== 401, 30_000);
});

afterAll(async () => {
  await running?.dispose();
  rmSync(DIRECTORY, { recursive: true, force: true, maxRetries: 3 });
});

test('P-41: it listens on https, and its links lead there', async () => {
  expect(running.baseUrl).toBe(`https://127.0.0.1:${port}`);
  expect(await shownName(port)).toBe('first');
  const { link } = await running.command<{ link: string }>([
    ...['account', 'password', '--email', 'owner@example.org'],
  ]);
  expect(link).toMatch(/^https:/);
  // Nothing is answered without TLS.
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
});

test('P-41: files that change are taken by themselves, and a signal has them taken at once', async () => {
  use('second');
  await until(async () => (await shownName(port)) === 'second', 30_000);
  use('first');
  running.signal('SIGHUP');
  await until(async () => (await shownName(port)) === 'first', 30_000);
});

test('P-41: a pair that does not fit is named, and the one before stays', async () => {
  copyFileSync(made('second', 'crt'), CERT);
  await until(() => running.output.includes('certificate.stays'), 30_000);
  expect(running.output).toContain(`HTTPS cannot be served with ${KEY}: it is not the key of`);
  expect(await shownName(port)).toBe('first');
  expect((await post('hit', hit(sent++))).status).toBe(200);
  copyFileSync(made('second', 'key'), KEY);
  await until(async () => (await shownName(port)) === 'second', 30_000);
});

test('P-41: no request fails while certificates are renewed, and every hit is counted', async () => {
  const kept = new Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false });
  let isOver = false;
  const failures: unknown[] = [];
  const clients = Array.from({ length: 8 }, async (_, index) => {
    while (!isOver) {
      const agent = index % 2 === 0 ? kept : undefined;
      await post('hit', hit(sent++), agent).then(
        ({ status }) => status === 200 || failures.push(status),
        (error: unknown) => failures.push(error),
      );
    }
  });
  for (let round = 0; round < runs(40); round++) {
    const name = round % 2 === 0 ? 'first' : 'second';
    use(name);
    running.signal('SIGHUP');
    await until(async () => (await shownName(port)) === name, 30_000);
  }
  isOver = true;
  await Promise.all(clients);
  kept.destroy();
  expect(failures).toEqual([]);
  // What takes many packets comes whole over a connection that was handed on.
  const items = Array.from({ length: BATCH_SIZE }, () => ({
    ...JSON.parse(hit(sent++)),
    time: new Date().toISOString(),
  }));
  expect(await post('hit/batch', JSON.stringify(items))).toMatchObject({
    status: 200,
    body: { accepted: BATCH_SIZE, rejected: [] },
  });
  expect(await views()).toBe(sent);
});

test('P-41: it does not start with a pair that does not fit, and says so in one sentence', async () => {
  const start = (env: Record<string, string>, index: number) =>
    promisify(execFile)(
      process.execPath,
      [ENTRY_POINT, 'serve', '--data-dir', join(DIRECTORY, `refused-${index}`)],
      { env: cleanEnvironment(env) },
    ).then(
      () => 'it started',
      ({ stderr }: { stderr: string }) => stderr,
    );
  const cert = made('first', 'crt');
  const key = made('second', 'key');
  const noPem = join(DIRECTORY, 'none.pem');
  writeFileSync(noPem, 'no certificate');
  const envs = [
    { FOOTFALL_TLS_CERT: cert, FOOTFALL_TLS_KEY: key },
    { FOOTFALL_TLS_CERT: noPem, FOOTFALL_TLS_KEY: key },
    { FOOTFALL_TLS_CERT: cert, FOOTFALL_TLS_KEY: join(DIRECTORY, 'missing.key') },
    { FOOTFALL_TLS_CERT: cert },
  ];
  const said = await Promise.all(envs.map(start));
  expect(said).toEqual([
    `footfall: HTTPS cannot be served with ${key}: it is not the key of the certificate in ${cert}\n`,
    `footfall: HTTPS cannot be served with ${noPem}: it has no certificate in PEM\n`,
    expect.stringMatching(/^footfall: HTTPS cannot be served with .*missing\.key: ENOENT.*\n$/),
    expect.stringMatching(/^footfall: FOOTFALL_TLS_KEY must be the path of a PEM file, .*\n$/),
  ]);
});

function made(name: string, ending: string): string {
  return join(DIRECTORY, `${name}.${ending}`);
}

/** Replaces both files, as a renewal does: each at one stroke. */
function use(name: string): void {
  for (const [ending, file] of Object.entries({ crt: CERT, key: KEY })) {
    copyFileSync(made(name, ending), `${file}.draft`);
    renameSync(`${file}.draft`, file);
  }
}

function hit(index: number): string {
  const ip = `198.51.${index >> 8}.${index & 255}`;
  return JSON.stringify({ url: 'https://example.org/', ip, user_agent: AGENT });
}

function post(path: string, body: string, agent: Agent | false = false) {
  return asked('POST', `/api/v1/${path}`, { body, agent, bearer: domain.access_key });
}

async function views(): Promise<number> {
  const { client_id, client_secret, id } = domain;
  const login = JSON.stringify({ client_id, client_secret });
  const token = await asked('POST', '/api/v1/token', { body: login, agent: false, bearer: '' });
  const bearer = (token.body as { access_token: string }).access_token;
  const [from, to] = [Date.now() - DAY_MS, Date.now()].map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  );
  const path = `/api/v1/statistics/total?id=${id}&from=${from}&to=${to}`;
  const total = await asked('GET', path, { body: '', agent: false, bearer });
  return (total.body as { views: number }).views;
}

/** @returns status and JSON of the answer. */
function asked(
  method: string,
  path: string,
  { body, agent, bearer }: { body: string; agent: Agent | false; bearer: string },
): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const authorization = bearer === '' ? {} : { authorization: `Bearer ${bearer}` };
    const headers = { ...authorization, 'content-type': 'application/json' };
    const options = { host: '127.0.0.1', port, path, method, headers, agent };
    const call = request({ ...options, rejectUnauthorized: false }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, body: JSON.parse(text) });
    });
    call.once('error', reject);
    call.end(body);
  });
}
