/**
 * Hands mails to a mail server (only here: nodemailer), one connection each, and says what it answered.
 *
 * Nothing waits for ever: connecting, the greeting and every silence have a bound, and so has the whole
 * hand-over, because a server may answer a byte at a time.
 *
 * TLS: where it was asked for, or a password is sent, the server has to prove its name. Where
 * STARTTLS is only offered it keeps listeners out and proves nothing (RFC 7435): half of the servers
 * of a private network have no certificate that could.
 */
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailSender, SmtpTarget } from '../../settings/mail-settings.ts';
import { composeMail, type OutgoingMail } from './message.ts';

/** What became of a mail, with the server's words, or with what kept it from any. */
export interface MailOutcome {
  /** `refused`: for good; `later`: it may be tried again. */
  readonly kind: 'sent' | 'refused' | 'later';
  readonly answer: string;
}

/** How long a hand-over may take. */
export interface SmtpTimes {
  /** For each of connecting, the greeting, and any silence after it. */
  readonly silenceMs: number;
  readonly wholeMs: number;
}

const TIMES: SmtpTimes = { silenceMs: 10_000, wholeMs: 60_000 };

/** Answers are told in logs and by a command: a line of them is enough. */
const ANSWER_LENGTH_MAX = 500;
/** A server says no more than this at once. */
const RESPONSE_BYTES_MAX = 65_536;
/** Commands whose refusal is about this mail; any other is about the server or the settings. */
const OF_THE_MAIL: readonly string[] = ['MAIL FROM', 'RCPT TO', 'DATA'];
/** To MAIL FROM: a password is wanted. That is not the mail's fault. */
const AUTHENTICATION_REQUIRED = 530;

/** A mail server as the settings name it. */
export class SmtpSender {
  readonly #target: SmtpTarget;
  readonly #sender: MailSender;
  readonly #times: SmtpTimes;

  constructor(target: SmtpTarget, sender: MailSender, times: SmtpTimes = TIMES) {
    this.#target = target;
    this.#sender = sender;
    this.#times = times;
  }

  /** Hands one over; never rejects. */
  async send(outgoing: OutgoingMail): Promise<MailOutcome> {
    const composed = await composeMail(outgoing, this.#sender);
    if (composed === null) return { kind: 'refused', answer: 'the address is none' };
    const connection = new SMTPConnection(this.#options());
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<MailOutcome>((resolve) => {
        timer = setTimeout(() => {
          resolve({ kind: 'later', answer: 'the server took too long' });
        }, this.#times.wholeMs);
        connection.once('error', (error) => resolve(outcomeOf(error)));
        connection.once('end', () => resolve({ kind: 'later', answer: 'the server hung up' }));
        this.#handOver(connection, composed, resolve);
      });
    } finally {
      clearTimeout(timer);
      // Late errors of a connection that nobody waits for are nobody's.
      connection.on('error', () => {});
      connection.close();
    }
  }

  #handOver(
    connection: SMTPConnection,
    { from, to, bytes }: { from: string; to: string; bytes: Buffer },
    tell: (outcome: MailOutcome) => void,
  ): void {
    const { login } = this.#target;
    const send = (): void => {
      connection.send({ from, to: [to], size: bytes.length }, bytes, (error, info) => {
        if (error) return tell(outcomeOf(error));
        tell({ kind: 'sent', answer: lineOf(info?.response ?? '') });
        connection.quit();
      });
    };
    connection.connect((error) => {
      if (error) return tell(outcomeOf(error));
      const takesUnicode = /[ -]SMTPUTF8\b/i.test(String(connection.lastServerResponse));
      if (/[^\0-\x7f]/.test(to) && !takesUnicode) {
        return tell({ kind: 'refused', answer: 'the server takes ASCII addresses only' });
      }
      if (login === null) return send();
      const { user, password } = login;
      connection.login({ user, pass: password }, (refusal) => {
        if (refusal) tell(outcomeOf(refusal));
        else send();
      });
    });
  }

  #options() {
    const { host, port, isSecure, requiresTls, login } = this.#target;
    const { silenceMs } = this.#times;
    return {
      ...{ host, port, secure: isSecure, requireTLS: requiresTls },
      ...{ connectionTimeout: silenceMs, greetingTimeout: silenceMs, socketTimeout: silenceMs },
      ...{ dnsTimeout: silenceMs, socketCloseTimeout: 0, maxResponseSize: RESPONSE_BYTES_MAX },
      tls: {
        rejectUnauthorized: isSecure || requiresTls || login !== null,
        minVersion: 'TLSv1.2',
      },
    } as const;
  }
}

type Refusal = Parameters<Parameters<SMTPConnection['login']>[1]>[0] & Error;

/** By the reply to this mail; of what is no reply nobody knows whether it holds tomorrow. */
function outcomeOf(error: Refusal): MailOutcome {
  const { permanent, command = '', responseCode } = error;
  const isRefused =
    permanent === true && OF_THE_MAIL.includes(command) && responseCode !== AUTHENTICATION_REQUIRED;
  return { kind: isRefused ? 'refused' : 'later', answer: lineOf(error.message) };
}

function lineOf(answer: string): string {
  return answer
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_LENGTH_MAX);
}
