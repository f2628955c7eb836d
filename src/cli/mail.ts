/**
 * `footfall mail test`: sends one mail by the settings and tells what the server answered (O-20).
 *
 * Control plane. Needs neither a running service nor a data directory.
 */
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { randomAlphanumeric } from '../base/random.ts';
import { errors } from '../model/errors.ts';
import { ENTITY_ID_LENGTH } from '../model/limits.ts';
import { publicUrl } from '../settings/public-url.ts';
import { givenSettings } from './given-settings.ts';
import { writeResult } from './output.ts';

interface Flags {
  readonly to: string;
  readonly json?: boolean;
}

/** Adds the command to the program. */
export function registerMail(program: Command): void {
  const mail = program.command('mail').description('mails');
  mail
    .command('test')
    .description("send one mail and print the mail server's answer")
    .requiredOption('--to <email>', 'whom it goes to')
    .option('--json', 'print one JSON object on standard output')
    .action(sendOne);
}

/** @throws MAIL_NOT_SET_UP, MAIL_NOT_SENT. */
async function sendOne({ to, json }: Flags): Promise<void> {
  const settings = givenSettings({});
  // Loaded here: the other commands need none of it.
  const { smtpSenderOf } = await import('../delivery/mail/mail-door.ts');
  const { testLetter } = await import('../delivery/mail/letters/people.ts');
  const { renderLetter } = await import('../delivery/mail/letter/render.ts');
  const server = smtpSenderOf(settings);
  if (server === null) {
    const missing = settings.smtpUrl === null ? 'FOOTFALL_SMTP_URL' : 'FOOTFALL_MAIL_FROM';
    throw errors.MAIL_NOT_SET_UP({ missing });
  }
  const { host } = new URL(publicUrl(settings));
  const { kind, answer } = await server.send({
    ...{ id: randomAlphanumeric(ENTITY_ID_LENGTH), kind: 'test', to, atMs: systemClock() },
    ...{ mail: renderLetter(testLetter({ language: settings.mailLanguage, host })), endLink: null },
  });
  if (kind !== 'sent') throw errors.MAIL_NOT_SENT({ to, answer });
  writeResult({ to, answer }, { json: json === true, note: 'The server has taken it.' });
}
