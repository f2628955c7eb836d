/**
 * Mails to people: what each kind is about, and the link that its reader follows.
 *
 * Plain data, made by endpoints after the change that causes a mail is stored, handed to `MailPort`.
 */

/** What the service writes to people about. */
export type MailKind = 'activation' | 'password-reset' | 'invitation';

/** One mail to one person. */
export interface Mail {
  readonly kind: MailKind;
  /** The recipient's address. */
  readonly to: string;
  readonly subject: string;
  /** A full address. Whoever has it may use it: it appears in the mail and nowhere else. */
  readonly link: string;
}

/** To a new account: its reader sets the first password. */
export function activationMail(to: string, link: string): Mail {
  return { kind: 'activation', to, subject: 'Activate your account', link };
}

/** To somebody who forgot the password. */
export function passwordResetMail(to: string, link: string): Mail {
  return { kind: 'password-reset', to, subject: 'Set a new password', link };
}

/** @param place what the person is invited to, as people call it: `example.org`. */
export function invitationMail(to: string, place: string, link: string): Mail {
  return { kind: 'invitation', to, subject: `You are invited to ${place}`, link };
}
