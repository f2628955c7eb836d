/**
 * Where mails go as long as nothing sends them: a line of the log without the link (O-20), and whole
 * into a file where the operator asks for one (`FOOTFALL_MAIL_FILE`).
 *
 * Control plane. The file is for tests and for trying the service out: a JSON object per line, for
 * the owner's eyes only, since its links set passwords.
 */
import { appendFileSync } from 'node:fs';
import type { MailPort } from '../../api/ports.ts';
import type { Log } from '../../base/log.ts';
import type { Mail } from '../../model/mail.ts';

const OWNER_ONLY = 0o600;

/** @param file its path; null: mails are in the log only. */
export function mailLog(log: Log, file: string | null): MailPort {
  return {
    send(mail) {
      const { kind, to, subject } = mail;
      log.info({ mail: kind, to, subject }, 'nothing sends mails: this one was not sent');
      if (file !== null) keep(mail, file, log);
    },
  };
}

/** A mail that cannot be written down is no reason to refuse what it tells of. */
function keep(mail: Mail, file: string, log: Log): void {
  try {
    appendFileSync(file, `${JSON.stringify(mail)}\n`, { mode: OWNER_ONLY });
  } catch (error) {
    log.error({ err: error, mail: mail.kind, to: mail.to }, 'a mail was not written to the file');
  }
}
