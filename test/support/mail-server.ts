/**
 * A mail server for tests, real SMTP over a real socket: what it was handed, and how it is made to
 * refuse.
 *
 * The certificate in `tls/` is for nobody else: its key stands beside it.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** Of `localhost` and 127.0.0.1; programs trust it by NODE_EXTRA_CA_CERTS. */
export const CERTIFICATE = new URL('./tls/localhost.crt', import.meta.url).pathname;

/** One mail as the server took it. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Whether it came over TLS. */
  readonly isSecure: boolean;
  readonly user: string;
  /** As it came, bytes as Latin-1. */
  readonly raw: string;
  readonly parsed: Email;
}

/** How a server behaves; default: it takes everything, without TLS. */
export interface MailServerOptions extends SMTPServerOptions {
  /** Called before a mail is taken; what it throws is the answer. */
  readonly onMail?: () => void | Promise<void>;
  readonly port?: number;
}

/** Thrown by `onMail`: an answer with this code. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** A running server. */
export class MailServer {
  readonly taken: TakenMail[] = [];
  /** How many began to hand one over. */
  tries = 0;
  readonly #server: SMTPServer;

  private constructor({ onMail, port: _, ...options }: MailServerOptions) {
    this.#server = new SMTPServer({
      ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false, closeTimeout: 50 },
      key: readFileSync(new URL('./tls/localhost.key', import.meta.url)),
      cert: readFileSync(CERTIFICATE),
      onAuth: ({ username, password }, _session, done) =>
        password === 'right' ? done(null, { user: username }) : done(new Error('wrong password')),
      ...options,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          this.tries++;
          try {
            await onMail?.();
          } catch (error) {
            done(error as Error);
            return;
          }
          const bytes = Buffer.concat(chunks);
          const { mailFrom, rcptTo } = session.envelope;
          this.taken.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            isSecure: session.secure,
            user: String(session.user ?? ''),
            raw: bytes.toString('latin1'),
            parsed: await PostalMime.parse(bytes),
          });
          done(null, '2.0.0 taken');
        });
      },
    });
    this.#server.on('error', () => {});
  }

  /** Starts one on a free port of this machine. */
  static async start(options: MailServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    await new Promise<void>((resolve) => {
      server.#server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** Ends it with every connection. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(resolve);
    });
  }
}
