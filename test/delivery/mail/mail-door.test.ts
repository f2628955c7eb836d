// Goal: without a mail server nothing is sent and nothing else suffers: the log says what would have
// been, and never a link, which only the file of the operator has (O-20).
// Method: the door of a node by settings, and a log that is read.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mailDoor } from '../../../src/delivery/mail/mail-door.ts';
import type { Log } from '../../../src/model/log.ts';
import { LOG_EVENTS } from '../../../src/model/log-events.ts';

const directory = mkdtempSync(join(tmpdir(), 'footfall-mails-'));
afterAll(() => rmSync(directory, { recursive: true }));

const LINK = 'https://stats.example.org/reset?token=geheim';
const NOWHERE = { smtpUrl: null, mailFrom: null, mailFile: null };
const MAIL = {
  ...{ id: 'a'.repeat(20), kind: 'password-reset', to: 'ada@example.org', atMs: 0, endLink: null },
  mail: { subject: 'Set a new password', text: LINK, html: `<a href="${LINK}">` },
};

/** Every line, with how severe it is. */
function reader() {
  const lines: string[] = [];
  const tell: Log['tell'] = (event, ...fields) => {
    const { level, text } = LOG_EVENTS[event];
    lines.push(`${level} ${JSON.stringify(fields)} ${text}`);
  };
  return { lines, log: { tell } as unknown as Log };
}

test('O-20: what would have been sent is in the log by subject and recipient, without its link', async () => {
  const { lines, log } = reader();
  const door = mailDoor(NOWHERE, log);
  // Nobody would see them: no one-time link is made.
  expect(door.needsLinks).toBe(false);
  expect(await door.send(MAIL, LINK)).toEqual({ kind: 'sent', answer: '' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^info .*ada@example\.org.*Set a new password/);
  expect(lines[0]).not.toContain('geheim');
});

test('O-20: a file that is asked for has them with their links, for its owner alone', async () => {
  const { lines, log } = reader();
  const mailFile = join(directory, 'mails.ndjson');
  const door = mailDoor({ ...NOWHERE, mailFile }, log);
  expect(door.needsLinks).toBe(true);
  await door.send(MAIL, LINK);
  await door.send({ ...MAIL, mail: { ...MAIL.mail, subject: 'two\nlines' } }, null);
  const told = readFileSync(mailFile, 'utf8').trimEnd().split('\n');
  expect(told.map((line) => JSON.parse(line))).toEqual([
    { kind: 'password-reset', to: 'ada@example.org', subject: 'Set a new password', link: LINK },
    { kind: 'password-reset', to: 'ada@example.org', subject: 'two\nlines', link: null },
  ]);
  expect(statSync(mailFile).mode & 0o777).toBe(0o600);
  expect(lines.join()).not.toContain('geheim');
});

test('O-20: a file that cannot be written keeps no mail from being sent, and is told', async () => {
  const { lines, log } = reader();
  const door = mailDoor({ ...NOWHERE, mailFile: join(directory, 'no', 'where') }, log);
  expect((await door.send(MAIL, LINK)).kind).toBe('sent');
  expect(lines.filter((line) => line.startsWith('error'))).toHaveLength(1);
});

test('O-20: a server without anybody whom mails are from sends none, and says so', async () => {
  const { lines, log } = reader();
  const door = mailDoor({ ...NOWHERE, smtpUrl: 'smtp://127.0.0.1:1' }, log);
  expect(lines[0]).toMatch(/^warn .*FOOTFALL_MAIL_FROM/);
  expect((await door.send(MAIL, LINK)).kind).toBe('sent');
  expect(lines).toHaveLength(2);
});
