/**
 * Where mails go: to the mail server of the settings, or nowhere, and then the log says what would have
 * been sent (O-20). Whole into a file where the operator asks for one (`FOOTFALL_MAIL_FILE`).
 *
 * Control plane. The log has subject and recipient, never a link: who has it may use it.
 */
import { appendFileSync } from 'node:fs';
import type { Log } from '../../model/log.ts';
import { mailSender, type SmtpTarget, smtpTarget } from '../../settings/mail-settings.ts';
import type { Settings } from '../../settings/schema.ts';
import type { OutgoingMail } from './message.ts';
import { type MailOutcome, SmtpSender } from './smtp-sender.ts';

/** Takes mails. */
export interface MailDoor {
  /** Whether anybody sees the links: else none are made. */
  readonly needsLinks: boolean;
  /** @param link the address that is in it; null: none. Never rejects. */
  send(mail: OutgoingMail, link: string | null): Promise<MailOutcome>;
}

const OWNER_ONLY = 0o600;

/** The settings that say where mails go. */
type MailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'mailFile'>;

/** The mail server of the settings; null: there is none, or nobody whom mails are from. */
export function smtpSenderOf(settings: MailSettings): SmtpSender | null {
  const { smtpUrl, mailFrom } = settings;
  const target: SmtpTarget | undefined = smtpUrl === null ? undefined : smtpTarget(smtpUrl);
  const sender = mailFrom === null ? undefined : mailSender(mailFrom);
  return target === undefined || sender === undefined ? null : new SmtpSender(target, sender);
}

/** The door of a node. */
export function mailDoor(settings: MailSettings, log: Log): MailDoor {
  const server = smtpSenderOf(settings);
  const { mailFile, smtpUrl } = settings;
  if (server === null && smtpUrl !== null) {
    log.tell('mail.no-sender');
  }
  return {
    needsLinks: server !== null || mailFile !== null,
    async send(mail, link) {
      if (mailFile !== null) keep(mail, link, { file: mailFile, log });
      const told = { mail: mail.kind, to: mail.to, subject: mail.mail.subject };
      if (server === null) {
        log.tell('mail.not-set-up', told);
        return { kind: 'sent', answer: '' };
      }
      const outcome = await server.send(mail);
      if (outcome.kind === 'sent') log.tell('mail.sent', { ...told, answer: outcome.answer });
      return outcome;
    },
  };
}

/** A mail that cannot be written down is sent all the same. */
function keep(
  { kind, to, mail }: OutgoingMail,
  link: string | null,
  { file, log }: { file: string; log: Log },
): void {
  try {
    const line = JSON.stringify({ kind, to, subject: mail.subject, link });
    appendFileSync(file, `${line}\n`, { mode: OWNER_ONLY });
  } catch (error) {
    log.tell('mail.file-failed', { err: error, mail: kind, to });
  }
}
