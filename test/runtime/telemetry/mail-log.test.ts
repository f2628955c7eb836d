// Goal: a mail that nothing sends is told in the log without its link, and whole in the file asked for.
// Method: mails of every kind through the driver, over a log that keeps its lines.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Log } from '../../../src/base/log.ts';
import { activationMail, invitationMail, passwordResetMail } from '../../../src/model/mail.ts';
import { mailLog } from '../../../src/runtime/telemetry/mail-log.ts';

const SECRET = 'token=once';
const MAILS = [
  activationMail('ada@example.org', `https://stats.test/activate?${SECRET}`),
  passwordResetMail('bob@example.org', `https://stats.test/reset?${SECRET}`),
  invitationMail('eve@example.org', 'example.org', `https://stats.test/invitations?${SECRET}`),
];

let directory: string;
let lines: [level: string, fields: object, text: string][];
const keep = (level: string) => (fields: object, text: string) => lines.push([level, fields, text]);
const log = { info: keep('info'), error: keep('error') } as unknown as Log;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-mail-'));
  lines = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

test('the log names recipient and subject of a mail that was not sent, never its link', () => {
  for (const mail of MAILS) mailLog(log, null).send(mail);
  expect(lines.map(([level]) => level)).toEqual(['info', 'info', 'info']);
  expect(lines.map(([, fields]) => (fields as { to: string }).to)).toEqual(MAILS.map((m) => m.to));
  expect(JSON.stringify(lines)).toContain('You are invited to example.org');
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

test('the file has every mail with its link, one per line, for its owner only', () => {
  const file = join(directory, 'mails.jsonl');
  for (const mail of MAILS) mailLog(log, file).send(mail);
  const written = readFileSync(file, 'utf8').trim().split('\n');
  expect(written.map((line) => JSON.parse(line))).toEqual(MAILS);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file that cannot be written is told in the log, and the mail refuses nothing', () => {
  const file = join(directory, 'missing', 'mails.jsonl');
  mailLog(log, file).send(MAILS[0]!);
  expect(existsSync(file)).toBe(false);
  expect(lines.map(([level]) => level)).toEqual(['info', 'error']);
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});
