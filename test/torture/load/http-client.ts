/**
 * HTTP for the load and the questions: one answer or none, never an exception, never a retry.
 */
import { Agent, request } from 'node:http';

/** A request as it is sent once. */
export interface Sent {
  url: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  /** The client goes away so many milliseconds after it has sent everything. */
  hangsUpAfterMs?: number;
}

/** Status 0: no answer came; −1: nobody listened, so nothing was sent. */
export interface Answer {
  status: number;
  text: string;
}

const NONE: Answer = { status: 0, text: '' };
const NOBODY: Answer = { status: -1, text: '' };

/** Connections that live as long as the server likes. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true });

  /** Sends once. @returns the whole answer, or one of status 0 or −1. */
  send(sent: Sent): Promise<Answer> {
    const { url, method = 'GET', body = '', timeoutMs, hangsUpAfterMs } = sent;
    const headers: Record<string, string> = { ...sent.headers };
    if (method !== 'GET') {
      headers['Content-Type'] = 'application/json';
      headers['Content-Length'] = String(Buffer.byteLength(body));
    }
    return new Promise((resolve) => {
      const outgoing = request(url, { method, headers, agent: this.#agent }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', () => end(NONE));
        incoming.once('end', () => {
          if (!incoming.complete) end(NONE);
          else end({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
      });
      const timer = setTimeout(() => outgoing.destroy(), timeoutMs);
      const end = (answer: Answer): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      outgoing.once('error', ({ code }: NodeJS.ErrnoException) => {
        end(code === 'ECONNREFUSED' ? NOBODY : NONE);
      });
      outgoing.once('close', () => end(NONE));
      if (hangsUpAfterMs !== undefined) {
        outgoing.once('finish', () => setTimeout(() => outgoing.destroy(), hangsUpAfterMs));
      }
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
