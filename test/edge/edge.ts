/** An edge in this process over fake ports, and a client for it. */
import { afterEach, beforeEach } from 'vitest';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { type EdgeHandle, type EdgeOptions, startEdge } from '../../src/edge/server.ts';
import { checkAnswer } from '../support/clients/answer-check.ts';
import { AGENT, BEARERS, type FakePorts, fakePorts } from '../support/fake-ports.ts';

/** What came back. */
export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect
  json: any;
}

/** A running edge for the test at hand. */
export interface TestEdge {
  baseUrl: string;
  fake: FakePorts;
  handle: EdgeHandle;
  get(path: string, bearer?: string): Promise<Reply>;
  post(path: string, body: unknown, options?: PostOptions): Promise<Reply>;
}

export interface PostOptions {
  bearer?: string;
  headers?: Record<string, string>;
}

/** Starts an edge before each test and stops it after. @param more what it is told beside. */
export function useEdge(
  endpoints?: readonly Endpoint[],
  more: Pick<EdgeOptions, 'trustedProxies'> = {},
): TestEdge {
  const edge = {} as TestEdge;
  beforeEach(async () => {
    edge.fake = fakePorts();
    const { ports } = edge.fake;
    const where = { ...more, host: '127.0.0.1', port: 0, ports };
    edge.handle = await startEdge(endpoints === undefined ? where : { ...where, endpoints });
    edge.baseUrl = `http://127.0.0.1:${edge.handle.port}`;
  });
  afterEach(() => edge.handle.stop(0));
  edge.get = (path, bearer = BEARERS.domain) =>
    send(edge.baseUrl + path, { headers: auth(bearer) });
  edge.post = (path, body, { bearer = BEARERS.domain, headers = {} } = {}) =>
    send(edge.baseUrl + path, {
      method: 'POST',
      headers: { ...auth(bearer), ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  return edge;
}

function auth(bearer: string): Record<string, string> {
  return bearer === '' ? {} : { authorization: `Bearer ${bearer}` };
}

async function send(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  const json = text === '' ? null : JSON.parse(text);
  // The fake's statistics are whatever a test wants them to be.
  const isFaked = url.includes('/statistics/') && response.status === 200;
  if (text !== '' && !isFaked) checkAnswer(init.method ?? 'GET', url, response.status, json);
  return { status: response.status, headers: response.headers, json };
}

/** A page view of the domain `example.org`. */
export function pageView(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { url: 'https://example.org/', ip: '81.2.69.142', user_agent: AGENT, ...fields };
}

/** The same as a batch item; `time` is a time of day of 2026-11-20. */
export function item(time: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return pageView({ time: `2026-11-20T${time}Z`, ...fields });
}

/** A request as bytes. */
export function rawRequest(path: string, body: string, headers: readonly string[] = []): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: edge',
    `Authorization: Bearer ${BEARERS.domain}`,
    ...headers,
  ];
  const length = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))
    ? []
    : [`Content-Length: ${Buffer.byteLength(body)}`];
  return `${[...lines, ...length].join('\r\n')}\r\n\r\n${body}`;
}
