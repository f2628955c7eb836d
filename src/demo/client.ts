/**
 * The demo's HTTP client: what any client of the public API would be, with kept-alive connections
 * and a stopwatch.
 *
 * Control plane. An answer with any status is an answer; only a request without one rejects.
 */
import { Agent, request } from 'node:http';
import { monotonicMs } from '../base/clock.ts';
import { errors } from '../model/errors.ts';

const REQUEST_TIMEOUT_MS = 15_000;

/** What came back and how long it took. */
export interface Answer {
  status: number;
  body: string;
  latencyMs: number;
}

/** One request: a GET without a body, else a POST. */
export interface Question {
  path: string;
  token: string;
  body?: string;
  idempotencyKey?: string;
}

/** Kept-alive connections to one service. */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #agent: Agent;

  constructor(baseUrl: string, connections: number) {
    this.#baseUrl = baseUrl;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' });
  }

  /** Sends one request and reads its answer. */
  send({ path, token, body, idempotencyKey }: Question): Promise<Answer> {
    const startMs = monotonicMs();
    const headers: Record<string, string> = {};
    if (token !== '') headers['authorization'] = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    return new Promise((resolve, reject) => {
      const outgoing = request(
        this.#baseUrl + path,
        {
          method: body === undefined ? 'GET' : 'POST',
          agent: this.#agent,
          headers,
          timeout: REQUEST_TIMEOUT_MS,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const latencyMs = monotonicMs() - startMs;
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: incoming.statusCode ?? 0, body: text, latencyMs });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.on('timeout', () =>
        outgoing.destroy(errors.DEMO_FAILED({ reason: `no answer to ${path}` })),
      );
      outgoing.end(body);
    });
  }

  /** Closes the connections that are idle. */
  close(): void {
    this.#agent.destroy();
  }
}

/** Reads statistics as an oauth client, with a new token whenever the old one has ended. */
export class StatisticsReader {
  readonly #client: ApiClient;
  readonly #credentials: { clientId: string; clientSecret: string };
  #token = '';

  constructor(client: ApiClient, credentials: { clientId: string; clientSecret: string }) {
    this.#client = client;
    this.#credentials = credentials;
  }

  /**
   * One statistic.
   *
   * @param name as in the path: 'page/entry'.
   * @param parameters the query, `id` among them.
   * @throws DEMO_FAILED when the answer is not 200.
   */
  async read<T>(name: string, parameters: Record<string, string>): Promise<T> {
    const path = `/api/v1/statistics/${name}?${new URLSearchParams(parameters)}`;
    let answer = await this.#client.send({ path, token: await this.#freshToken(false) });
    if (answer.status === 401) {
      answer = await this.#client.send({ path, token: await this.#freshToken(true) });
    }
    return parsed<T>(answer, path);
  }

  /** Closes the connections that are idle. */
  close(): void {
    this.#client.close();
  }

  async #freshToken(isRenewal: boolean): Promise<string> {
    if (this.#token !== '' && !isRenewal) return this.#token;
    const { clientId, clientSecret } = this.#credentials;
    const path = '/api/v1/token';
    const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
    const answer = await this.#client.send({ path, token: '', body });
    this.#token = parsed<{ access_token: string }>(answer, path).access_token;
    return this.#token;
  }
}

function parsed<T>({ status, body }: Answer, path: string): T {
  if (status === 200) return JSON.parse(body) as T;
  throw errors.DEMO_FAILED({ reason: `${path} was answered ${status}: ${body.slice(0, 300)}` });
}
