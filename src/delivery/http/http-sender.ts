/**
 * Requests to addresses that customers name: the only way out by HTTP (O-11, O-12).
 *
 * Control plane. One attempt is one request: no redirect is followed, and what came of it is data, never
 * an exception. Connections are kept for the next request to the same host, since the address behind one
 * was checked when it was made.
 */
import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as plain,
  type RequestOptions,
} from 'node:http';
import { request as secure } from 'node:https';
import { monotonicMs, systemClock } from '../../base/clock.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { AttemptOutcome } from '../../model/outbox.ts';
import { WEBHOOK_ANSWER_BYTES_MAX, WEBHOOK_TIME_MS_MAX } from '../../model/outgoing-limits.ts';
import { type Agents, agentsOf } from './agents.ts';
import { AttemptFault, guardedLookup, literalFault, type Resolve } from './guarded-lookup.ts';
import { resolveByServers } from './resolve.ts';

/** Of an answer so much is read and thrown away, so that its connection can be used again. */
const DRAINED_BYTES_MAX = 65_536;
/** After the head of an answer its rest has this long: no more is wanted of it than its first words. */
const REST_MS_MAX = SECOND_MS;
/** A connection that nobody uses is closed after this long. */
const IDLE_MS = 30 * SECOND_MS;
/** Answers that are none (1xx) before the one that counts: a receiver may send them without end. */
const INTERIM_COUNT_MAX = 16;
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
  /** Default: by the DNS servers of the system. */
  readonly resolve?: Resolve;
  /** Default: that of O-11. */
  readonly timeMsMax?: number;
}

/** Sends requests. One per thread. */
export class HttpSender {
  readonly #options: HttpSenderOptions;
  readonly #kept: Agents;
  /** For a second try: what it opens is new for sure. */
  readonly #fresh: Agents;
  readonly #open = new Set<ClientRequest>();

  constructor(options: HttpSenderOptions) {
    this.#options = options;
    const { allowsPrivate, resolve = resolveByServers() } = options;
    const guard = allowsPrivate ? {} : { lookup: guardedLookup(resolve) };
    this.#kept = agentsOf({ ...guard, keepAlive: true, timeout: IDLE_MS });
    this.#fresh = agentsOf({ ...guard, keepAlive: false });
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
    for (const { http, https } of [this.#kept, this.#fresh]) {
      http.destroy();
      https.destroy();
    }
  }

  async #attempt(outgoing: Outgoing): Promise<Came> {
    const url = new URL(outgoing.url);
    const fault = this.#options.allowsPrivate ? '' : literalFault(url.hostname);
    if (fault !== '') throw new AttemptFault(fault);
    const endMs = monotonicMs() + (this.#options.timeMsMax ?? WEBHOOK_TIME_MS_MAX);
    try {
      return await this.#once(url, outgoing, { agents: this.#kept, endMs });
    } catch (error) {
      // Its other end closed a kept connection while this was on its way.
      if (!(error instanceof StaleConnection)) throw error;
      return await this.#once(url, outgoing, { agents: this.#fresh, endMs });
    }
  }

  #once(
    url: URL,
    { headers, body }: Outgoing,
    { agents, endMs }: { agents: Agents; endMs: number },
  ): Promise<Came> {
    return new Promise((resolve, reject) => {
      const request = begin(url, agents, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      });
      this.#open.add(request);
      const giveUp = () => {
        request.destroy(new AttemptFault(`no answer within ${WEBHOOK_TIME_MS_MAX / SECOND_MS} s`));
      };
      let timer = setTimeout(giveUp, endMs - monotonicMs());
      let isAnswered = false;
      const fail = (error: NodeJS.ErrnoException) => {
        // With the head of an answer it is answered, whatever becomes of the rest.
        if (isAnswered) return;
        clearTimeout(timer);
        this.#open.delete(request);
        const isStale = request.reusedSocket && error.code === 'ECONNRESET';
        reject(isStale ? new StaleConnection() : error);
      };
      request.on('error', fail);
      // Without an error: such as after 101, which nobody asked for.
      request.once('close', () => fail(new AttemptFault('the connection ended without an answer')));
      let interim = 0;
      request.on('information', () => {
        interim++;
        if (interim > INTERIM_COUNT_MAX) request.destroy(new AttemptFault('no answer but 1xx'));
      });
      request.once('response', (response) => {
        isAnswered = true;
        clearTimeout(timer);
        timer = setTimeout(() => response.destroy(), Math.min(REST_MS_MAX, endMs - monotonicMs()));
        void readAnswer(response).then((came) => {
          clearTimeout(timer);
          this.#open.delete(request);
          if (!response.complete) request.destroy();
          resolve(came);
        });
      });
      request.end(body);
    });
  }
}

function begin(url: URL, { http, https }: Agents, options: RequestOptions): ClientRequest {
  const isSecure = url.protocol === 'https:';
  const agent: Agent = isSecure ? https : http;
  return (isSecure ? secure : plain)(url, { ...options, agent });
}

type Came = Pick<AttemptOutcome, 'status' | 'error' | 'response'>;

/** A kept connection turned out to be closed: nobody has read the request. */
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
  // Never empty: that would be an attempt that was taken.
  if (!(at instanceof Error)) return String(at);
  return at.message || (at as NodeJS.ErrnoException).code || at.name;
}
