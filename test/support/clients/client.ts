/**
 * A very small HTTP client of the contract, for end-to-end tests.
 *
 *   const reader = await ApiClient.withSecret(baseUrl, domain.client_id, domain.client_secret);
 *   const writer = new ApiClient(baseUrl, domain.access_key);
 *   await writer.collect('hit/batch', [{ url, ip, user_agent, time }]);
 *   await reader.statistics('page', { id: domain.id, from: '2024-05-06', to: '2024-05-06' });
 *
 * It retries nothing and hides nothing: `request` gives status, headers and body of any answer, once
 * the body is what the OpenAPI document says (`answer-check.ts`).
 */

import { checkAnswer } from './answer-check.ts';
import { type Parameters, queryString } from './query-string.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; the text as it is if it is no JSON. */
  body: unknown;
}

/** What batch endpoints answer. */
export interface BatchAnswer {
  accepted: number;
  rejected: { index: number; error: string }[];
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export class ApiClient {
  readonly baseUrl: string;
  /** An access token or an access key; '' sends no Authorization header. */
  bearer: string;

  constructor(baseUrl: string, bearer = '') {
    this.baseUrl = baseUrl;
    this.bearer = bearer;
  }

  /** Exchanges a client's id and secret for an access token. */
  static async withSecret(
    baseUrl: string,
    clientId: string,
    clientSecret: string,
  ): Promise<ApiClient> {
    const client = new ApiClient(baseUrl);
    const body = { client_id: clientId, client_secret: clientSecret };
    const answer = await client.request('POST', '/api/v1/token', { body });
    if (answer.status !== 200) throw unexpected('POST /api/v1/token', answer);
    client.bearer = (answer.body as { access_token: string }).access_token;
    return client;
  }

  /** As `withSecret`, for credentials made a moment ago: a running service learns them within 1 s. */
  static async whenKnown(
    baseUrl: string,
    clientId: string,
    clientSecret: string,
  ): Promise<ApiClient> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ApiClient.withSecret(baseUrl, clientId, clientSecret);
      } catch (error) {
        if (attempt === 60) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** Any request. `body` is sent as JSON, strings and bytes as they are. */
  async request(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer> {
    const headers: Record<string, string> = { ...options.headers };
    if (this.bearer !== '') headers.Authorization = `Bearer ${this.bearer}`;
    const init: RequestInit = { method, headers };
    if (options.body !== undefined) {
      const { body } = options;
      const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
      init.body = isRaw ? body : JSON.stringify(body);
      const isBytes = Buffer.isBuffer(body);
      headers['Content-Type'] ??= isBytes ? 'application/octet-stream' : 'application/json';
    }
    const response = await fetch(this.baseUrl + path, init);
    const { status } = response;
    const answer = parseBody(await response.text());
    // HEAD has no body, and what is no JSON is no answer of the service.
    if (method !== 'HEAD' && typeof answer !== 'string') checkAnswer(method, path, status, answer);
    return { status, headers: response.headers, body: answer };
  }

  /** Sends hits to a collection endpoint such as `hit` or `event/batch` and wants a 200. */
  async collect(endpoint: string, body: unknown, idempotencyKey = ''): Promise<unknown> {
    const headers: Record<string, string> =
      idempotencyKey === '' ? {} : { 'Idempotency-Key': idempotencyKey };
    const answer = await this.request('POST', `/api/v1/${endpoint}`, { body, headers });
    if (answer.status !== 200) throw unexpected(`POST ${endpoint}`, answer);
    return answer.body;
  }

  /** Makes an object such as a `goal` and wants a 200. */
  async create(endpoint: string, body: unknown): Promise<Record<string, unknown> & { id: string }> {
    const answer = await this.request('POST', `/api/v1/${endpoint}`, { body });
    if (answer.status !== 200) throw unexpected(`POST ${endpoint}`, answer);
    return answer.body as { id: string };
  }

  /** Reads a statistic such as `page/entry` and wants a 200. */
  async statistics(name: string, parameters: Parameters): Promise<unknown> {
    const path = `/api/v1/statistics/${name}${queryString(parameters)}`;
    const answer = await this.request('GET', path);
    if (answer.status !== 200) throw unexpected(`GET ${path}`, answer);
    return answer.body;
  }
}

function unexpected(what: string, answer: Answer): Error {
  return new Error(`${what} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
