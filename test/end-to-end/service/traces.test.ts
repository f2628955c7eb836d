// Goal: a sampled request is one trace over all threads that work on it, and says nothing of its sender;
// what the collector does never touches a request (P-32).
// Method: a real service, and a collector that the test plays and takes away.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { freePort } from '../../support/ports.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const VIEW = { url: 'https://example.org/secret-path', ip: '81.2.69.142', user_agent: AGENT };
const PARENT = 'b7ad6b7169203331';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

let running: RunningService;
let collector: Server;
let accessKey = '';
let reader: ApiClient;
let writer: ApiClient;
let domainId = '';
const texts: string[] = [];
const heard: { url?: string; token: unknown; service: string }[] = [];

const spans = (): Span[] =>
  texts.flatMap((text) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans as Span[]);
const ofTrace = (traceId: string): Span[] => spans().filter((span) => span.traceId === traceId);
const attribute = (span: Span | undefined, name: string) =>
  span?.attributes.find(({ key }) => key === name)?.value;

async function sendHit(traceparent: string): Promise<number> {
  const options = { body: VIEW, headers: { traceparent } };
  return (await writer.request('POST', '/api/v1/hit', options)).status;
}

beforeAll(async () => {
  const port = await freePort();
  collector = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
    request.on('end', () => {
      texts.push(text);
      const service = JSON.parse(text).resourceSpans[0].resource.attributes[0].value.stringValue;
      heard.push({ url: request.url ?? '', token: request.headers['x-token'], service });
      response.end('{}');
    });
  }).listen(port, '127.0.0.1');
  await once(collector, 'listening');
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b',
    OTEL_SERVICE_NAME: 'numbers',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
    FOOTFALL_EDGES: '1',
    FOOTFALL_ACTORS: '1',
  };
  running = await startService({ env });
  const { email } = await running.createAccount();
  const domain = await running.createDomain({ email, hostname: 'example.org' });
  ({ access_key: accessKey, id: domainId } = domain);
  const { client_id: id, client_secret: secret } = domain;
  writer = new ApiClient(running.baseUrl, accessKey);
  reader = await ApiClient.whenKnown(running.baseUrl, id, secret);
});
afterAll(async () => {
  collector?.close();
  collector?.closeAllConnections();
  await running?.dispose();
});

test('a hit is one trace from its request to its count, over three threads (P-32)', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  expect(await sendHit(`00-${traceId}-${PARENT}-01`)).toBe(200);
  await until(() => ofTrace(traceId).length >= 5);
  const found = ofTrace(traceId);
  const by = (name: string) => found.find((span) => span.name === name);
  const request = by('POST /api/v1/hit');
  expect(found.map(({ name }) => name).toSorted()).toEqual(
    ['POST /api/v1/hit', 'append', 'apply', 'commit', 'handle'].toSorted(),
  );
  expect(request).toMatchObject({ parentSpanId: PARENT, kind: 2 });
  expect(attribute(request, 'http.response.status_code')).toEqual({ intValue: 200 });
  for (const name of ['handle', 'append']) expect(by(name)?.parentSpanId).toBe(request?.spanId);
  for (const name of ['commit', 'apply']) {
    expect(by(name)?.parentSpanId).toBe(by('append')?.spanId);
  }
  const threads = ['append', 'commit', 'apply'].map(
    (name) => attribute(by(name), 'thread.name')?.stringValue,
  );
  expect(threads).toEqual(['edge-0', 'log-0', 'actor-0']);
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of found) {
    expect(BigInt(end)).toBeGreaterThanOrEqual(BigInt(start));
    expect(Math.abs(Number(BigInt(start) / 1_000_000n) - Date.now())).toBeLessThan(120_000);
  }
  expect(heard[0]).toEqual({ url: '/v1/traces', token: 'a b', service: 'numbers' });
});

test('a question is one, too, up to the query thread', async () => {
  const traceId = '1af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-${PARENT}-01` };
  const today = new Date().toISOString().slice(0, 10);
  const asked = new URLSearchParams({ id: domainId, from: today, to: today });
  const path = `/api/v1/statistics/page?${asked}`;
  expect((await reader.request('GET', path, { headers })).status).toBe(200);
  await until(() => ofTrace(traceId).length >= 5);
  const found = ofTrace(traceId);
  const request = found.find(({ kind }) => kind === 2);
  expect(request?.name).toBe('GET /api/v1/statistics/page');
  const parts = found.filter((span) => span !== request);
  expect(parts.map(({ name }) => name).toSorted()).toEqual(['catch up', 'handle', 'scan', 'wait']);
  for (const { parentSpanId } of parts) expect(parentSpanId).toBe(request?.spanId);
  const scan = found.find(({ name }) => name === 'scan');
  expect(attribute(scan, 'thread.name')).toEqual({ stringValue: 'scan' });
});

test('what is not sampled, and what is no trace, leaves none; nothing of a sender is in any', async () => {
  const traceId = '2af7651916cd43dd8448eb211c80319c';
  const before = texts.length;
  for (const header of [
    `00-${traceId}-${PARENT}-00`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `01-${traceId}-${PARENT}-01`,
    'x'.repeat(5_000),
    '',
  ]) {
    expect(await sendHit(header)).toBe(200);
  }
  // One that is follows them, and comes after whatever they would have left.
  const last = '3af7651916cd43dd8448eb211c80319c';
  expect(await sendHit(`00-${last}-${PARENT}-01`)).toBe(200);
  await until(() => ofTrace(last).length >= 5);
  const later = texts.slice(before).flatMap((text) => text.match(/[0-9a-f]{32}/g) ?? []);
  expect(new Set(later)).toEqual(new Set([last]));
  const all = texts.join('');
  for (const told of ['81.2.69', 'Mozilla', 'secret-path', accessKey]) {
    expect(all).not.toContain(told);
  }
});

test('a collector that is away, or refuses, is no matter to requests', async () => {
  collector.close();
  collector.closeAllConnections();
  const traceId = '4af7651916cd43dd8448eb211c80319c';
  for (let hit = 0; hit < 20; hit++) {
    expect(await sendHit(`00-${traceId}-${PARENT}-01`)).toBe(200);
  }
  expect(await running.stop()).toBe(0);
});
