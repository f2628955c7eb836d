// Goal: what a person is mailed comes to them from a real service over real SMTP, also when the service
// is killed while a mail is handed over, and the command that tries the server says what it answered.
// Method: the built service and a mail server of this process; a SIGKILL while that server waits.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CERTIFICATE, MailServer, refusal } from '../../support/mail-server.ts';
import { cleanEnvironment, ENTRY_POINT, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const EMAIL = 'admin@example.org';
const PASSWORD = 'correct horse battery';
const WAIT_MS = 30_000;

let server: MailServer;
let service: Awaited<ReturnType<typeof startService>>;
/** What the server does before it takes a mail. */
let onMail: () => void | Promise<void> = () => {};

beforeAll(async () => {
  server = await MailServer.start({ onMail: () => onMail(), disabledCommands: [] });
  const env = {
    ...{ FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '1', FOOTFALL_SHARDS: '2' },
    FOOTFALL_SMTP_URL: `smtp://localhost:${server.port}?tls=require`,
    ...{ FOOTFALL_MAIL_FROM: 'Footfall <stats@example.org>', NODE_EXTRA_CA_CERTS: CERTIFICATE },
  };
  service = await startService({ env });
});
afterAll(async () => {
  await service.dispose();
  await server.stop();
});

async function post(path: string, body: object): Promise<number> {
  const headers = { connection: 'close', origin: service.baseUrl };
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  return (await fetch(`${service.baseUrl}/api/v1/${path}`, sent)).status;
}

const taken = (count: number) => until(async () => server.taken.length >= count, WAIT_MS);

test('a forgotten password is mailed over TLS, and its link sets a new one (O-20, O-22, M-81)', async () => {
  expect(await post('password/forgot', { email: EMAIL })).toBe(200);
  await taken(1);
  const [mail] = server.taken;
  expect(mail).toMatchObject({ isSecure: true, from: 'stats@example.org', to: [EMAIL] });
  const link = /http\S+\/reset\?token=\w{32}/.exec(mail?.parsed.text ?? '')?.[0] ?? '';
  expect(mail?.parsed.html).toContain(link);
  expect(service.output).not.toContain(link.slice(-32));
  const token = link.slice(-32);
  expect(await post('password/reset', { token, password: PASSWORD })).toBe(200);
  expect(await post('login', { email: EMAIL, password: PASSWORD })).toBe(200);
});

test('a mail that is being handed over when the service is killed comes again, as the same (O-22)', async () => {
  const before = server.tries;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  onMail = () => held;
  expect(await post('password/forgot', { email: EMAIL })).toBe(200);
  await until(async () => server.tries > before, WAIT_MS);
  await service.kill();
  onMail = () => {};
  release();
  await service.start();
  // The one that was held has been taken, too: nobody told the service.
  await taken(3);
  const [, first, second] = server.taken;
  expect(first?.parsed.messageId).toBe(second?.parsed.messageId);
  for (const mail of [first, second]) {
    expect(mail?.parsed.subject).toBe('Set a new password');
  }
  const token = /token=(\w{32})/.exec(first?.parsed.text ?? '')?.[1];
  expect(await post('password/reset', { token, password: PASSWORD })).toBe(200);
});

test('footfall mail test prints what the server answered (O-20)', async () => {
  const run = (port: number, more: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [ENTRY_POINT, 'mail', 'test', '--to', EMAIL], {
      env: cleanEnvironment({
        FOOTFALL_SMTP_URL: `smtp://localhost:${port}?tls=require`,
        ...{ FOOTFALL_MAIL_FROM: 'stats@example.org', NODE_EXTRA_CA_CERTS: CERTIFICATE, ...more },
      }),
    });
  expect((await run(server.port)).stdout).toContain('250 2.0.0 taken');
  expect(server.taken.at(-1)?.parsed.subject).toBe('Footfall can send mails');
  onMail = () => {
    throw refusal(550, 'no such user');
  };
  await expect(run(server.port)).rejects.toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('550 no such user') },
  });
  // Nobody vouches for the certificate now.
  await expect(run(server.port, { NODE_EXTRA_CA_CERTS: '' })).rejects.toMatchObject({
    stderr: expect.stringMatching(/certificate/),
  });
  await expect(run(server.port, { FOOTFALL_MAIL_FROM: '' })).rejects.toMatchObject({
    stderr: expect.stringContaining('set FOOTFALL_MAIL_FROM'),
  });
  // A password with a slip in it is a password.
  const url = 'smtp:/ada:geheim@mail';
  await expect(run(server.port, { FOOTFALL_SMTP_URL: url })).rejects.toMatchObject({
    stderr: expect.stringMatching(/^(?!.*geheim).*FOOTFALL_SMTP_URL must be/s),
  });
});
