/**
 * Requests to addresses that customers name: the only way out by HTTP (O-11, O-12).
 *
 * Control plane. One attempt is one request: no redirect is followed, and what came of it is data, never
 * an exception. Connections are kept for the next request to the same host, since the address behind one
 * was checked when it was made.
 */
import { lookup } from 'node:dns/promises';
import { Agent, type ClientRequest, type IncomingMessage, request as plain } from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { monotonicMs, systemClock } from '../../base/clock.ts';
import {
  OUTBOUND_CONNECTION_COUNT_MAX,
  SECOND_MS,
  WEBHOOK_ANSWER_BYTES_MAX,
  WEBHOOK_TIME_MS_MAX,
} from '../../model/limits.ts';
import type { AttemptOutcome } from '../../model/outbox.ts';
import { AttemptFault, guardedLookup, literalFault, type Resolve } from './guarded-lookup.ts';

/** Of an answer so much is read and thrown away, so that its connection can be used again. */
const DRAINED_BYTES_MAX = 65_536;
/** A connection that nobody uses is closed after this long. */
const IDLE_MS = 30 * SECOND_MS;
const MULTIPLE_CHOICES = 300;
const OK = 200;
const BAD_REQUEST = 400;
/** How deep causes lie within causes. */
const CAUSE_COUNT_MAX = 4;

/** What is sent. */
export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How it is sent. */
export interface HttpSenderOptions {
  /** Private addresses may be reached: the operator says so. */
  readonly allowsPrivate: boolean;
  /** Default: as the system resolves names. */
  readonly resolve?: Resolve;
  /** Default: that of O-11. */
  readonly timeMsMax?: number;
}

/** Sends requests. One per thread. */
export class HttpSender {
  readonly #options: HttpSenderOptions;
  readonly #agents: { readonly http: Agent; readonly https: SecureAgent };
  readonly #open = new Set<ClientRequest>();

  constructor(options: HttpSenderOptions) {
    this.#options = options;
    const { allowsPrivate, resolve = resolveAll } = options;
    const kept = {
      keepAlive: true,
      maxFreeSockets: OUTBOUND_CONNECTION_COUNT_MAX,
      timeout: IDLE_MS,
    };
    const guard = allowsPrivate ? {} : { lookup: guardedLookup(resolve) };
    this.#agents = {
      http: new Agent({ ...kept, ...guard }),
      https: new SecureAgent({ ...kept, ...guard }),
    };
  }

  /** Sends one request. Never rejects. */
  async post(outgoing: Outgoing): Promise<AttemptOutcome> {
    const timeMs = systemClock();
    const startMs = monotonicMs();
    const came = await this.#attempt(outgoing).catch((error: unknown) => ({
      ...{ status: null, response: '', error: wordsOf(error) },
    }));
    return { timeMs, durationMs: Math.round(monotonicMs() - startMs), ...came };
  }

  /** Ends what is under way; each is answered as failed. */
  close(): void {
    for (const request of this.#open) request.destroy(new AttemptFault('the service stops'));
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  async #attempt(outgoing: Outgoing): Promise<Came> {
    const url = new URL(outgoing.url);
    const fault = this.#options.allowsPrivate ? '' : literalFault(url.hostname);
    if (fault !== '') throw new AttemptFault(fault);
    const endMs = monotonicMs() + (this.#options.timeMsMax ?? WEBHOOK_TIME_MS_MAX);
    try {
      return await this.#once(url, outgoing, endMs);
    } catch (error) {
      // Its other end closed a kept connection while this was on its way.
      if (!(error instanceof StaleConnection)) throw error;
      return await this.#once(url, outgoing, endMs);
    }
  }

  #once(url: URL, { headers, body }: Outgoing, endMs: number): Promise<Came> {
    return new Promise((resolve, reject) => {
      const isSecure = url.protocol === 'https:';
      const options = {
        method: 'POST',
        headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      };
      const request = isSecure
        ? secure(url, { ...options, agent: this.#agents.https })
        : plain(url, { ...options, agent: this.#agents.http });
      this.#open.add(request);
      const timer = setTimeout(() => {
        request.destroy(new AttemptFault(`no answer within ${WEBHOOK_TIME_MS_MAX / SECOND_MS} s`));
      }, endMs - monotonicMs());
      let isAnswered = false;
      const end = () => {
        clearTimeout(timer);
        this.#open.delete(request);
      };
      request.on('error', (error: NodeJS.ErrnoException) => {
        // With the head of an answer it is answered, whatever becomes of the rest.
        if (isAnswered) return;
        end();
        const isStale = request.reusedSocket && error.code === 'ECONNRESET';
        reject(isStale ? new StaleConnection() : error);
      });
      request.once('response', (response) => {
        isAnswered = true;
        void readAnswer(response).then((came) => {
          end();
          if (!response.complete) request.destroy();
          resolve(came);
        });
      });
      request.end(body);
    });
  }
}

type Came = Pick<AttemptOutcome, 'status' | 'error' | 'response'>;

class StaleConnection extends Error {}

/** What an answer says; its end is waited for, but not needed. */
function readAnswer(response: IncomingMessage): Promise<Came> {
  const { statusCode: status = 0 } = response;
  const parts: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const end = () => {
      const kept = Buffer.concat(parts).subarray(0, WEBHOOK_ANSWER_BYTES_MAX);
      resolve({ status, error: faultOf(status), response: kept.toString() });
    };
    response.on('data', (part: Buffer) => {
      if (bytes < WEBHOOK_ANSWER_BYTES_MAX) parts.push(part);
      bytes += part.length;
      if (bytes > DRAINED_BYTES_MAX) end();
    });
    response.once('end', end);
    response.once('close', end);
    response.on('error', end);
  });
}

/** What is wrong with a status; '' is nothing (O-11). */
function faultOf(status: number): string {
  if (status >= OK && status < MULTIPLE_CHOICES) return '';
  const isRedirect = status >= MULTIPLE_CHOICES && status < BAD_REQUEST;
  return isRedirect ? `answered ${status}: redirects are not followed` : `answered ${status}`;
}

/** What an error says, in one line; of several tries to connect the first. */
function wordsOf(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < CAUSE_COUNT_MAX && at instanceof AggregateError; depth++) {
    [at] = at.errors;
  }
  return at instanceof Error ? at.message : String(at);
}

function resolveAll(hostname: string) {
  return lookup(hostname, { all: true });
}
