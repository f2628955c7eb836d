// Goal: a person gets in by the link that the first start prints, and stays in whatever happens to the
// service; what would be mailed is in no log.
// Method: the built service with two edges, told by its output and the file of mails; requests over many
// connections, so that they meet both edges; a SIGKILL in between.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

type Service = Awaited<ReturnType<typeof startService>>;
const EMAIL = 'admin@example.org';
const PASSWORD = 'correct horse battery';
const LINK = /http:\/\/127\.0\.0\.1:\d+\/reset\?token=(\w{32})/;

let directory: string;
let service: Service;
const mailFile = () => join(directory, 'mails.jsonl');

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-sign-in-'));
  const FOOTFALL_MAIL_FILE = mailFile();
  const env = {
    FOOTFALL_EDGES: '2',
    FOOTFALL_ACTORS: '1',
    FOOTFALL_SHARDS: '2',
    FOOTFALL_MAIL_FILE,
  };
  service = await startService({ env });
});
afterAll(async () => {
  await service.dispose();
  rmSync(directory, { recursive: true });
});

/** One request over a connection of its own. */
async function send(method: string, path: string, sent: { body?: object; cookie?: string } = {}) {
  const response = await fetch(`${service.baseUrl}/api/v1/${path}`, {
    method,
    headers: {
      connection: 'close',
      origin: service.baseUrl,
      ...(sent.cookie === undefined ? {} : { cookie: sent.cookie }),
    },
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  });
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { status: response.status, json: await response.json(), cookie };
}

const signIn = (password = PASSWORD) => send('POST', 'login', { body: { email: EMAIL, password } });
const mails = (): { to: string; link: string }[] =>
  (existsSync(mailFile()) ? readFileSync(mailFile(), 'utf8') : '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('who has the printed link is in, at every edge, and after a SIGKILL (M-80, M-81)', async () => {
  const [link = '', token = ''] = LINK.exec(service.output) ?? [];
  expect(link.startsWith(service.baseUrl)).toBe(true);
  expect(
    await send('POST', 'password/reset', { body: { token, password: PASSWORD } }),
  ).toMatchObject({ status: 200, json: {} });
  const { status, cookie } = await signIn();
  expect(status).toBe(200);
  // M-5: whichever edge takes the next requests knows the session.
  const asked = await Promise.all(
    Array.from({ length: 12 }, () => send('GET', 'user', { cookie })),
  );
  expect(asked.map((reply) => reply.status)).toEqual(Array(12).fill(200));
  expect(asked[0]?.json).toMatchObject({ email: EMAIL, totp: false });

  await service.kill();
  await service.start();
  expect((await send('GET', 'user', { cookie })).status).toBe(200);
  expect(
    (await send('POST', 'password/reset', { body: { token, password: PASSWORD } })).status,
  ).toBe(400);
  expect((await send('POST', 'logout', { cookie })).status).toBe(200);
  const after = await Promise.all(Array.from({ length: 6 }, () => send('GET', 'user', { cookie })));
  expect(after.map((reply) => reply.status)).toEqual(Array(6).fill(401));
});

test('a forgotten password goes by mail, and the log never has the link (M-81)', async () => {
  const { cookie } = await signIn();
  expect((await send('POST', 'password/forgot', { body: { email: EMAIL } })).json).toEqual({});
  await until(async () => mails().length === 1, 5_000);
  const [mail] = mails();
  const token = LINK.exec(mail?.link ?? '')?.[1] ?? '';
  expect(mail?.to).toBe(EMAIL);
  await until(async () => service.output.includes('Set a new password'), 5_000);
  expect(service.output).not.toContain(token);
  const password = 'another horse battery';
  expect((await send('POST', 'password/reset', { body: { token, password } })).status).toBe(200);
  expect((await send('GET', 'user', { cookie })).status).toBe(401);
  expect((await signIn()).status).toBe(401);
  expect((await signIn(password)).status).toBe(200);
});

test('a link of the command line works at once beside the running service (M-5, M-81)', async () => {
  const words = ['account', 'password', '--email', EMAIL, '--base-url', service.baseUrl];
  const { link } = await service.command<{ link: string }>(words);
  const token = LINK.exec(link)?.[1] ?? '';
  expect(
    (await send('POST', 'password/reset', { body: { token, password: PASSWORD } })).status,
  ).toBe(200);
  expect((await signIn()).status).toBe(200);
});

test('what is asked while passwords are hashed is answered in between', async () => {
  const times: number[] = [];
  let isDone = false;
  const wrong = Promise.all(Array.from({ length: 5 }, () => signIn('wrong password'))).then(() => {
    isDone = true;
  });
  while (!isDone) {
    const startMs = performance.now();
    await fetch(`${service.baseUrl}/livez`);
    times.push(performance.now() - startMs);
  }
  await wrong;
  // Hashed at the edges, five passwords would let one or two of these through.
  expect(times.length).toBeGreaterThan(5);
});
