// Goal: what an operator reads at /metrics is what the service did, on every thread, exactly.
// Method: a real service with several threads is sent known traffic; a strict reader reads the page.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type Family,
  readPrometheusText,
  sampleSum,
} from '../../support/clients/prometheus-text.ts';
import { freePort } from '../../support/ports.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const VIEW = { url: 'https://example.org/', ip: '81.2.69.142', user_agent: FIREFOX };
const EVENT = { ...VIEW, event_name: 'order' };
const BOT = { ...VIEW, user_agent: 'examplebot/1.0 (+https://example.com/bot)' };

let running: RunningService;
let page = '';
let reader: ApiClient;
let writer: ApiClient;
let domainId = '';

async function read(): Promise<Map<string, Family>> {
  return readPrometheusText(await (await fetch(`${page}/metrics`)).text());
}

const sum = async (name: string, labels = {}) =>
  sampleSum(await read(), `footfall_${name}`, labels);

beforeAll(async () => {
  const port = await freePort();
  page = `http://127.0.0.1:${port}`;
  const env = { FOOTFALL_METRICS_PORT: String(port), FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2' };
  running = await startService({ env });
  const { email } = await running.createAccount();
  const domain = await running.createDomain({ email, hostname: 'example.org' });
  domainId = domain.id;
  const { baseUrl } = running;
  reader = await ApiClient.whenKnown(baseUrl, domain.client_id, domain.client_secret);
  writer = new ApiClient(baseUrl, domain.access_key);
});
afterAll(() => running?.dispose());

test('hits are counted by kind and outcome over all threads, and once', async () => {
  const before = await sum('hits_total');
  for (let index = 0; index < 20; index++) await writer.collect('hit', VIEW);
  const time = new Date().toISOString();
  await writer.collect(
    'hit/batch',
    Array.from({ length: 100 }, () => ({ ...VIEW, time })),
  );
  for (let index = 0; index < 5; index++) await writer.collect('event', EVENT);
  await writer.collect('session', VIEW);
  await writer.collect('hit', BOT);
  const found = await read();
  const hits = (kind: string, outcome: string) =>
    sampleSum(found, 'footfall_hits_total', { kind, outcome });
  expect(before).toBe(0);
  expect(hits('page_view', 'acknowledged')).toBe(120);
  expect(hits('event', 'acknowledged')).toBe(5);
  expect(hits('keep_alive', 'acknowledged')).toBe(1);
  expect(sampleSum(found, 'footfall_hits_total', { outcome: 'refused' })).toBe(0);
  const answers = (area: string) =>
    sampleSum(found, 'footfall_http_answers_total', { area, class: '2xx' });
  expect([answers('single'), answers('batch')]).toEqual([27, 1]);
  expect(sampleSum(found, 'footfall_http_answer_seconds_count', { area: 'single' })).toBe(27);
  expect(
    sampleSum(found, 'footfall_http_request_body_bytes_total', { area: 'batch' }),
  ).toBeGreaterThan(100 * JSON.stringify(VIEW).length);
});

test('what is acknowledged is written, applied and saved, and the counts of each agree', async () => {
  const today = new Date().toISOString().slice(0, 10);
  await reader.statistics('total', { id: domainId, from: today, to: today });
  await until(async () => (await sum('applied_hits_total')) >= 126);
  const found = await read();
  const of = (name: string) => sampleSum(found, `footfall_${name}`);
  expect(of('applied_hits_total')).toBe(126);
  expect(of('log_append_seconds_count')).toBe(of('log_append_bytes_count'));
  expect(of('log_commit_seconds_count')).toBeGreaterThan(0);
  expect(of('log_commit_seconds_count')).toBeLessThanOrEqual(of('log_append_seconds_count'));
  expect(of('log_commit_bytes_sum')).toBeGreaterThan(0);
  expect(of('checkpoint_seconds_count')).toBeGreaterThan(0);
  expect(of('checkpoint_bytes_sum')).toBeGreaterThan(1_000);
  expect([of('pending_hits'), of('pending_bytes'), of('waiting_queries')]).toEqual([0, 0, 0]);
  await until(async () => (await sum('backlog_bytes')) === 0);
  expect(sampleSum(found, 'footfall_query_seconds_count', { kind: 'rollups' })).toBe(1);
});

test('refusals are counted by their code, and what a rule drops by its reason', async () => {
  await writer.request('POST', '/api/v1/hit', { body: {} });
  await new ApiClient(running.baseUrl, 'pa_nobody').request('POST', '/api/v1/hit', { body: VIEW });
  const found = await read();
  const refused = (code: string) =>
    sampleSum(found, 'footfall_collect_refused_requests_total', { code });
  expect([refused('VALIDATION_FAILED'), refused('TOKEN_INVALID')]).toEqual([1, 1]);
  expect(sampleSum(found, 'footfall_collect_refused_requests_total')).toBe(2);
  await until(async () => (await sum('dropped_hits_total', { reason: 'ua-keyword' })) === 1);
});

test('every thread has its processor time, and those with events tell how long they wait', async () => {
  await until(async () => (await sum('event_loop_delay_seconds_count')) >= 10);
  const found = await read();
  const threads = (name: string) =>
    new Set(found.get(`footfall_${name}`)!.samples.map(({ labels }) => labels.thread));
  const alive = ['main-0', 'log-0', 'actor-0', 'actor-1', 'edge-0', 'edge-1'];
  for (const thread of alive) expect(threads('thread_cpu_seconds_total')).toContain(thread);
  expect([...threads('thread_cpu_seconds_total')].some((name) => /^scan-\d+$/.test(name!))).toBe(
    true,
  );
  const seconds = found.get('footfall_thread_cpu_seconds_total')!.samples;
  for (const { value } of seconds) expect(value).toBeGreaterThan(0.001);
  const delays = (thread: string) =>
    sampleSum(found, 'footfall_event_loop_delay_seconds_count', { thread });
  for (const thread of ['main-0', 'actor-0', 'edge-0']) expect(delays(thread)).toBeGreaterThan(0);
  expect(delays('log-0')).toBe(0);
});

test('the page is only that, and only read', async () => {
  expect((await fetch(`${page}/`)).status).toBe(404);
  expect((await fetch(`${page}/metrics`, { method: 'POST' })).status).toBe(405);
  const head = await fetch(`${page}/metrics?x=1`, { method: 'HEAD' });
  expect(head.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  // Where hits and statistics are asked for, nobody learns what the service does.
  expect((await fetch(`${running.baseUrl}/metrics`)).status).toBe(404);
});

test('a start begins at zero, and the page is gone with the service', async () => {
  await running.restart();
  expect(await sum('hits_total')).toBe(0);
  await running.stop();
  await expect(fetch(`${page}/metrics`)).rejects.toThrow();
});
