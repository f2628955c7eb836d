/** How the settings of mail are read: the server's address, and who mails are from (O-20). Control plane. */
import { domainToASCII } from 'node:url';

/** Where mails are handed over. */
export interface SmtpTarget {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly isSecure: boolean;
  /** Without STARTTLS nothing is sent; else it is used where it is offered. */
  readonly requiresTls: boolean;
  /** null: the server asks for nobody. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** Who mails are from. */
export interface MailSender {
  /** '' none. */
  readonly name: string;
  readonly address: string;
}

/** By scheme: the port that is asked where none is named. */
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** What `FOOTFALL_SMTP_URL` says; undefined: it is no such address. */
export function smtpTarget(given: string): SmtpTarget | undefined {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  const port = PORTS[url.protocol];
  const keys = [...url.searchParams.keys()];
  const tls = url.searchParams.get('tls');
  const isWhole =
    port !== undefined &&
    url.hostname !== '' &&
    ['', '/'].includes(url.pathname) &&
    url.hash === '' &&
    keys.every((key) => key === 'tls') &&
    (tls === null || tls === 'require');
  if (!isWhole) return undefined;
  const user = decoded(url.username);
  const password = decoded(url.password);
  if (user === undefined || password === undefined || (user === '' && password !== '')) {
    return undefined;
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? port : Number(url.port),
    isSecure: url.protocol === 'smtps:',
    requiresTls: tls === 'require',
    login: user === '' ? null : { user, password },
  };
}

/** What `FOOTFALL_MAIL_FROM` says: an address, or a name and an address; undefined: neither. */
export function mailSender(given: string): MailSender | undefined {
  if (/[\p{Cc}\p{Cs}]/u.test(given)) return undefined;
  const parts = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>"\s]+))$/u.exec(given.trim());
  if (parts === null) return undefined;
  const address = parts[2] ?? parts[3] ?? '';
  const [, local, host] = /^([^\s@<>(),;:"\\]+)@([^\s@<>(),;:"\\]+)$/u.exec(address) ?? [];
  const ascii = host === undefined ? '' : domainToASCII(host);
  return local === undefined || ascii === ''
    ? undefined
    : { name: parts[1]?.trim() ?? '', address: `${local}@${ascii}` };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
