// Goal: what a mail server is handed is the mail, whole and with its headers, and each of its answers
// is one of sent, refused for good and to be tried again.
// Method: real SMTP over sockets (smtp-server); mails read by another's parser (postal-mime); servers
// without TLS, with it, that refuse, hang, hang up and answer a byte at a time.
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { OutgoingMail } from '../../../src/delivery/mail/message.ts';
import { SmtpSender } from '../../../src/delivery/mail/smtp-sender.ts';
import { type SmtpTarget, smtpTarget } from '../../../src/settings/mail-settings.ts';
import { MailServer, type MailServerOptions, refusal } from '../../support/mail-server.ts';

const SENDER = { name: 'Footfall, "Stats"', address: 'stats@example.org' };
const MAIL: OutgoingMail = {
  ...{ id: 'aB3dE6gH9jK2mN5pQ8sT', kind: 'report', to: 'ada@example.org' },
  atMs: Date.UTC(2026, 10, 16, 6, 0, 1),
  mail: {
    subject: 'shop.example: 12,431 visitors – größer als je',
    text: `Zeile eins\n\n${'█'.repeat(30)} 12\n.\nFrom here\n`,
    html: `<!doctype html><html><body><p>Straße &amp; <b>${'x'.repeat(3_000)}</b></p></body></html>`,
  },
  endLink: `https://stats.example.org/api/v1/unsubscribe?token=${'aB3_-'.repeat(24)}`,
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serverWith(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await MailServer.start(options);
  closing.push(() => server.stop());
  return server;
}

function target(port: number, more: Partial<SmtpTarget> = {}): SmtpTarget {
  const plain = { isSecure: false, requiresTls: false, login: null };
  return { host: '127.0.0.1', port, ...plain, ...more };
}

function send(
  server: MailServer,
  mail: Partial<OutgoingMail> = {},
  more: Partial<SmtpTarget> = {},
) {
  return new SmtpSender(target(server.port, more), SENDER).send({ ...MAIL, ...mail });
}

describe('a mail that is sent', () => {
  test('has both parts, its headers, and the Message-ID of its entry (O-21)', async () => {
    const server = await serverWith();
    expect(await send(server)).toEqual({ kind: 'sent', answer: '250 2.0.0 taken' });
    const [{ from, to, raw, parsed }] = server.taken as [(typeof server.taken)[0]];
    expect([from, ...to]).toEqual(['stats@example.org', 'ada@example.org']);
    expect(parsed.from).toEqual({ ...SENDER });
    expect(parsed.to).toEqual([{ name: '', address: 'ada@example.org' }]);
    expect(parsed.subject).toBe(MAIL.mail.subject);
    expect(parsed.text).toBe(MAIL.mail.text);
    expect(parsed.html?.trim()).toBe(MAIL.mail.html);
    expect(parsed.messageId).toBe('<aB3dE6gH9jK2mN5pQ8sT@example.org>');
    expect(Date.parse(parsed.date ?? '')).toBe(MAIL.atMs);
    const [head = ''] = raw.split('\r\n\r\n');
    expect(head).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(head).toContain(`List-Unsubscribe: <${MAIL.endLink}>\r\n`);
    expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
    expect(head).toContain('Auto-Submitted: auto-generated');
    expect(parsed.attachments).toEqual([]);
    // Lines of SMTP have at most 998 bytes.
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThan(998);
  });

  test('is the same when it is sent again, and has no end where there is none (O-21)', async () => {
    const server = await serverWith();
    await send(server, { endLink: null });
    await send(server, { endLink: null });
    const [first, second] = server.taken.map(({ parsed }) => parsed);
    expect(first?.messageId).toBe(second?.messageId);
    expect(first?.date).toBe(second?.date);
    expect(first?.headers.some(({ key }) => key.startsWith('list-'))).toBe(false);
  });

  test.each([
    'ada@example.org\r\nBcc: eve@evil.test',
    'ada@example.org>\r\nRCPT TO:<eve@evil.test',
    'ada@example.org, eve@evil.test',
    'eve@evil.test@example.org',
    'Ada <ada@example.org>',
    'ada',
    '',
  ])('goes to nobody where the address is %j', async (to) => {
    const server = await serverWith();
    expect(await send(server, { to })).toMatchObject({ kind: 'refused' });
    expect(server.taken).toEqual([]);
  });

  test('has no header that a subject or a name made', async () => {
    const server = await serverWith();
    const subject = 'Report\r\nBcc: eve@evil.test\r\n\r\n<script>';
    const sender = { name: 'A\r\nX-Evil: 1', address: 'a@example.org' };
    await new SmtpSender(target(server.port), sender).send({
      ...MAIL,
      mail: { ...MAIL.mail, subject },
    });
    const [{ parsed, to }] = server.taken as [(typeof server.taken)[0]];
    expect(to).toEqual(['ada@example.org']);
    expect(parsed.headers.map(({ key }) => key)).not.toContain('x-evil');
    expect(parsed.bcc).toBeUndefined();
    expect(parsed.subject).toContain('Bcc: eve@evil.test');
  });

  test('reaches hosts and names that are not ASCII (SMTPUTF8)', async () => {
    const server = await serverWith();
    expect((await send(server, { to: 'ada@bücher.example' })).kind).toBe('sent');
    expect(server.taken[0]?.raw).toContain('To: ada@xn--bcher-kva.example\r\n');
    expect((await send(server, { to: 'jörg@bücher.example' })).kind).toBe('sent');
    expect(server.taken[1]?.to[0]).toMatch(/^jörg@/);
    const ascii = await serverWith({ hideSMTPUTF8: true });
    expect(await send(ascii, { to: 'jörg@example.org' })).toMatchObject({
      ...{ kind: 'refused', answer: 'the server takes ASCII addresses only' },
    });
    expect(ascii.taken).toEqual([]);
  });
});

describe('TLS (O-20)', () => {
  const offered = { disabledCommands: [] };

  test('is used where STARTTLS is offered', async () => {
    const server = await serverWith(offered);
    expect((await send(server)).kind).toBe('sent');
    expect(server.taken[0]?.isSecure).toBe(true);
  });

  test('is missing where it is not offered, and then nothing is sent if it is required', async () => {
    const server = await serverWith();
    expect((await send(server)).kind).toBe('sent');
    expect(server.taken[0]?.isSecure).toBe(false);
    expect((await send(server, {}, { requiresTls: true })).kind).toBe('later');
    expect(server.taken).toHaveLength(1);
  });

  test('that somebody in between takes out of the offer is missed before anything is said', async () => {
    // As the network of a stranger does it: everything else is as before.
    const logins: unknown[] = [];
    const server = await serverWith({
      ...{ ...offered, hideSTARTTLS: true, allowInsecureAuth: true },
      onAuth: ({ username }, _session, done) => {
        logins.push(username);
        done(null, { user: username });
      },
    });
    const login = { user: 'ada', password: 'right' };
    const outcome = await send(server, {}, { requiresTls: true, login });
    expect(outcome.kind).toBe('later');
    expect(outcome.answer).not.toBe('');
    expect([server.tries, server.taken]).toEqual([0, []]);
    expect(logins).toEqual([]);
  });

  test.each([
    ['required', { requiresTls: true }],
    ['from the first byte', { isSecure: true }],
    ['what a password goes over', { login: { user: 'ada', password: 'right' } }],
  ])('that is %s wants a certificate that proves the name', async (_, more) => {
    const server = await serverWith({ ...offered, secure: 'isSecure' in more });
    const outcome = await send(server, {}, more);
    expect(outcome.kind).toBe('later');
    expect(outcome.answer).toMatch(/certificate/i);
    expect(server.taken).toEqual([]);
  });
});

describe('an answer', () => {
  test.each([
    [421, 'later'],
    [451, 'later'],
    [452, 'later'],
    [550, 'refused'],
    [552, 'refused'],
    [554, 'refused'],
  ])('of %d to the mail is %s (O-21)', async (code, kind) => {
    const server = await serverWith({
      onMail: () => {
        throw refusal(code, 'not this one');
      },
    });
    expect(await send(server)).toMatchObject({
      kind,
      answer: expect.stringContaining('not this one'),
    });
    expect(server.tries).toBe(1);
  });

  test.each([
    ['onRcptTo', 550, 'refused'],
    ['onRcptTo', 450, 'later'],
    ['onMailFrom', 553, 'refused'],
    ['onMailFrom', 530, 'later'],
    ['onConnect', 554, 'later'],
  ] as const)('at %s of %d is %s', async (at, code, kind) => {
    const refuse = (...given: unknown[]) =>
      (given.at(-1) as (error: Error) => void)(refusal(code, 'no'));
    expect((await send(await serverWith({ [at]: refuse }))).kind).toBe(kind);
  });

  test('to a wrong password is about the settings: the mail is tried again', async () => {
    const server = await serverWith({ allowInsecureAuth: true });
    const wrong = { login: { user: 'ada', password: 'wrong' } };
    expect(await send(server, {}, wrong)).toMatchObject({ kind: 'later' });
    const right = { login: { user: 'ada', password: 'right' } };
    expect((await send(server, {}, right)).kind).toBe('sent');
    expect(server.taken[0]?.user).toBe('ada');
  });
});

describe('a server that does not answer', () => {
  const TIMES = { silenceMs: 100, wholeMs: 400 };

  async function raw(onSocket: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      // What is not read keeps a socket from being closed.
      socket.resume().on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
      onSocket(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      // None is left open by who gave up.
      await expect.poll(() => sockets.size, { timeout: 30_000 }).toBe(0);
      server.close();
    });
    return (server.address() as { port: number }).port;
  }

  test.each([
    ['says nothing', () => {}],
    ['hangs up', (socket: Socket) => socket.destroy()],
    ['speaks another language', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['greets and is silent', (socket: Socket) => socket.write('220 here\r\n')],
    [
      'says a byte at a time',
      (socket: Socket) => {
        const timer = setInterval(() => socket.write('2'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('but %s is left, and the mail tried again', async (_, onSocket) => {
    const port = await raw(onSocket);
    const outcome = await new SmtpSender(target(port), SENDER, TIMES).send(MAIL);
    expect(outcome.kind).toBe('later');
    expect(outcome.answer).not.toBe('');
  });

  // What a server has taken and not confirmed comes again, under the same Message-ID (O-1, O-21).
  test.each([
    ['hangs up', (socket: Socket) => socket.destroy()],
    ['is silent', () => {}],
    ['says something else', (socket: Socket) => socket.write('hello\r\n')],
  ])('once it has the mail, but %s: the mail is tried again', async (_, afterData) => {
    let read = '';
    const port = await raw((socket) => {
      socket.write('220 here\r\n');
      let isData = false;
      socket.on('data', (bytes: Buffer) => {
        const text = bytes.toString('latin1');
        if (isData) {
          read += text;
          if (read.endsWith('\r\n.\r\n')) afterData(socket);
          return;
        }
        isData = /^DATA/i.test(text);
        socket.write(isData ? '354 go on\r\n' : '250 fine\r\n');
      });
    });
    const times = { silenceMs: 1_000, wholeMs: 30_000 };
    const outcome = await new SmtpSender(target(port), SENDER, times).send(MAIL);
    expect(outcome.kind).toBe('later');
    expect(read).toContain('Message-ID: <aB3dE6gH9jK2mN5pQ8sT@example.org>\r\n');
    expect(read.endsWith('\r\n.\r\n')).toBe(true);
  });

  test('or is not there: the mail is tried again', async () => {
    const server = await MailServer.start();
    const { port } = server;
    await server.stop();
    const outcome = await new SmtpSender(target(port), SENDER, TIMES).send(MAIL);
    expect(outcome).toMatchObject({
      kind: 'later',
      answer: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

test.each([
  ['smtp://mail.example.org', { port: 587, isSecure: false, requiresTls: false, login: null }],
  ['smtps://mail.example.org/?tls=require', { port: 465, isSecure: true, requiresTls: true }],
  ['smtp://a%40b:p%3Aw@h:25', { port: 25, login: { user: 'a@b', password: 'p:w' } }],
  ['smtp://[::1]:2525', { host: '::1', port: 2_525 }],
])('the setting %s is read (O-20)', (given, expected) => {
  expect(smtpTarget(given)).toMatchObject(expected);
});

test.each([
  ...['mail.example.org', 'http://mail.example.org', 'smtp://', 'smtp://h?tls=no', 'smtp://h/path'],
  ...['smtp://h?x=1', 'smtp://:password@h', 'smtp://a%zz@h'],
])('the setting %s is refused (O-20)', (given) => {
  expect(smtpTarget(given)).toBeUndefined();
});
