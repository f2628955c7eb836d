/**
 * A rendered mail with its headers, as the bytes that a mail server takes (O-21).
 *
 * Headers are made by nodemailer from fields, never by joining texts; what comes from people is checked
 * here once more, because a line break in an address would be a header of its own.
 */
import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailSender } from '../../settings/mail-settings.ts';
import type { RenderedMail } from './letter/letter.ts';
import { oneLine } from './plain.ts';

/** One mail to one address. */
export interface OutgoingMail {
  /** Of the entry that it was written down as: the same mail sent again has the same. */
  readonly id: string;
  /** `report`, `activation`: what the log calls it. */
  readonly kind: string;
  readonly to: string;
  /** When its cause was. */
  readonly atMs: number;
  readonly mail: RenderedMail;
  /** Ends mails of this kind by one POST (RFC 8058); null: there is nothing to end. */
  readonly endLink: string | null;
}

/** What is said to the server, and what is handed over then. */
export interface ComposedMail {
  readonly from: string;
  readonly to: string;
  readonly bytes: Buffer;
}

/** What no address holds that is one. */
const UNFIT = /[\s\p{Cc}\p{Cs}<>(),;:"\\]/u;

/**
 * The bytes of a mail.
 *
 * @returns null when the recipient's address is none: nobody can be asked to deliver it.
 */
export async function composeMail(
  { id, to, atMs, mail, endLink }: OutgoingMail,
  sender: MailSender,
): Promise<ComposedMail | null> {
  const address = deliverable(to);
  if (address === null) return null;
  const composer = new MailComposer({
    from: { name: sender.name, address: sender.address },
    to: { name: '', address },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: messageId(id, sender),
    date: new Date(atMs),
    newline: '\r\n',
    headers: { ...HEADERS, ...(endLink === null ? {} : endHeaders(endLink)) },
    // Nothing that a text holds makes this process read a file or an address.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  return { from: sender.address, to: address, bytes: await composer.compile().build() };
}

/** Nobody's holiday answers it. */
const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

function endHeaders(link: string) {
  return {
    // As it is: folding would break the address.
    'List-Unsubscribe': { prepared: true, value: `<${link}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** `<id@host of the sender>`: made of nothing but the entry, so that a repetition is known as one. */
export function messageId(entryId: string, { address }: MailSender): string {
  return `<${entryId}@${address.slice(address.lastIndexOf('@') + 1)}>`;
}

/** An address as servers know it: the host in ASCII, the name before it as it is; null: it is none. */
export function deliverable(address: string): string | null {
  const at = address.lastIndexOf('@');
  const [local, host] = [address.slice(0, at), address.slice(at + 1)];
  const ascii = domainToASCII(host);
  const isAddress = at > 0 && ascii !== '' && !UNFIT.test(local) && !local.includes('@');
  return isAddress && !UNFIT.test(host) ? `${local}@${ascii}` : null;
}
