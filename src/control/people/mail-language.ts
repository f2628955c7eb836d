/**
 * In which language a mail is written: that of its reader (O-21).
 *
 * Control plane. A reader with an account says so there, and it counts wherever the mail comes from;
 * of any other it is the language of who set the mail up, and at last that of the service. It is
 * looked up when the mail is sent: nothing that tells mails apart depends on it.
 */
import { type Language, languageOfCode } from '../../base/languages.ts';
import type { Look } from '../descriptor/resource.ts';
import type { PersonalMail } from '../resources/mail.ts';
import { report } from '../resources/report.ts';
import { user } from '../resources/user.ts';
import type { MailEnd } from './mail-ends.ts';

/** @param fallback of the service. */
export function mailLanguage(entry: PersonalMail, view: Look, fallback: Language): Language {
  const { userId, address, reportId, inviterId } = entry;
  return (
    languageOf(userId, view) ??
    languageAt(address, view) ??
    languageOfReport(reportId, view) ??
    languageOf(inviterId, view) ??
    fallback
  );
}

/** Of whoever may end mails by a link; null: it is not known. */
export function endLanguage(end: MailEnd, view: Look): Language | null {
  if (end.kind !== 'report') return languageOf(end.userId, view);
  const address = view.find(report, end.reportId)?.email ?? '';
  return languageAt(address, view) ?? languageOfReport(end.reportId, view);
}

function languageOf(userId: string | null, view: Look): Language | null {
  return userId === null ? null : languageOfCode(view.find(user, userId)?.language);
}

function languageAt(address: string, view: Look): Language | null {
  return languageOfCode(view.by(user, 'email', address.toLowerCase())?.language);
}

function languageOfReport(reportId: string | null, view: Look): Language | null {
  return reportId === null ? null : languageOfCode(view.find(report, reportId)?.language);
}
