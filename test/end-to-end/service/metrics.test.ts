// Goal: what an operator reads at /metrics is what the service did, on every thread, exactly.
// Method: a real service with several threads is sent known traffic; a strict reader reads the page.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type Family,
  readPrometheusText,
  sampleSum,
} from '../../support/clients/prometheus-text.ts';
import { freePort } from '../../support/ports.ts';
import { promtoolFaults } from '../../support/promtool.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const VIEW = { url: 'https://example.org/', ip: '81.2.69.142', user_agent: FIREFOX };
const EVENT = { ...VIEW, event_name: 'order' };
const BOT = { ...VIEW, user_agent: 'examplebot/1.0 (+https://example.com/bot)' };

const TOKEN = 'a token of twenty two'.replaceAll(' ', '-');

interface Ledger {
  readonly received: number;
  readonly stored: unknown;
  readonly dropped: unknown;
  readonly duplicates: number;
}

let running: RunningService;
let page = '';
let reader: ApiClient;
let writer: ApiClient;
let domainId = '';

async function read(): Promise<Map<string, Family>> {
  return readPrometheusText(await textAt(page));
}

async function textAt(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
}

const sum = async (name: string, labels = {}) =>
  sampleSum(await read(), `footfall_${name}`, labels);

beforeAll(async () => {
  const port = await freePort();
  page = `http://127.0.0.1:${port}`;
  const threads = { FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2' };
  const env = {
    ...{ FOOTFALL_METRICS_PORT: String(port), FOOTFALL_METRICS_TOKEN: TOKEN },
    ...threads,
  };
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
  const withEvents = ['main-0', 'actor-0', 'edge-0'];
  // Each thread tells by a clock of its own.
  for (const thread of withEvents) {
    await until(async () => (await sum('event_loop_delay_seconds_count', { thread })) > 0);
  }
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
  expect(sampleSum(found, 'footfall_event_loop_delay_seconds_count', { thread: 'log-0' })).toBe(0);
});

test('promtool finds nothing wrong with it, at its port and among the endpoints (P-30)', async () => {
  for (const url of [page, running.baseUrl]) {
    expect(promtoolFaults(['check', 'metrics'], await textAt(url))).toBe('');
  }
});

test('files, room, memory and jobs are told', async () => {
  await until(
    async () => (await sum('job_turns_total', { task: 'erasures', outcome: 'done' })) > 0,
  );
  const found = await read();
  const of = (name: string, labels = {}) => sampleSum(found, `footfall_${name}`, labels);
  for (const part of ['log', 'state', 'registry']) {
    expect(of('data_bytes', { part })).toBeGreaterThan(1_000);
  }
  expect(of('disk_free_bytes')).toBeGreaterThan(1_000_000);
  expect(of('resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(Math.abs(of('start_time_seconds') - Date.now() / 1_000)).toBeLessThan(600);
  expect([of('shards', { state: 'open' }), of('shards', { state: 'ownerless' })]).toEqual([64, 0]);
  expect([of('write_fault'), of('log_away'), of('cluster_known')]).toEqual([0, 0, 1]);
  expect(of('job_last_success_timestamp_seconds', { task: 'erasures' })).toBeGreaterThan(1e9);
});

/** The ledger as the three tell it: the page, the interface, the command. */
async function ledgers() {
  const today = new Date().toISOString().slice(0, 10);
  const asked = `/api/v1/ledger?${new URLSearchParams({ id: domainId, from: today, to: today })}`;
  const [day] = (await reader.request('GET', asked)).body as Record<string, unknown>[];
  const { received, stored, dropped, duplicates } = day as unknown as Ledger;
  const found = await read();
  const of = (name: string, labels = {}) => sampleSum(found, `footfall_ledger_${name}`, labels);
  const kinds = ['page_view', 'event', 'keep_alive'].map((kind) => of('stored_items', { kind }));
  const shown = { page_views: kinds[0], events: kinds[1], keep_alives: kinds[2] };
  const reasons = Object.fromEntries(
    found
      .get('footfall_ledger_dropped_items')!
      .samples.filter(({ labels, value }) => value > 0 && labels.reason !== 'duplicate')
      .map(({ labels, value }) => [labels.reason, value]),
  );
  return {
    api: { received, stored, dropped, duplicates },
    page: {
      ...{ received: of('received_items'), stored: shown, dropped: reasons },
      duplicates: of('dropped_items', { reason: 'duplicate' }),
    },
    refused: of('refused_requests'),
  };
}

test('the ledger is that of the interface and of the command, over kills and restarts (P-30, P-31)', async () => {
  await writer.collect('hit', VIEW, 'once');
  await writer.collect('hit', VIEW, 'once');
  const agree = async () => {
    await until(async () => {
      const { api, page: shown } = await ledgers();
      return JSON.stringify(api) === JSON.stringify(shown);
    });
    return ledgers();
  };
  const first = await agree();
  expect(first.api).toMatchObject({
    ...{ received: 129, dropped: { 'ua-keyword': 1 }, duplicates: 1 },
    stored: { events: 5 },
  });
  expect(first.refused).toBe(2);
  // A kill may take what was refused in the last second with it.
  await until(async () => refusedOnDisk() === first.refused);
  // Nothing of the rest may have been saved yet, or all: it is the same.
  for (const end of ['kill', 'kill', 'stop'] as const) {
    await writer.collect('hit', VIEW);
    await writer.collect('hit', BOT);
    await running[end]();
    const { received, stored, dropped, duplicates } = await running.command<Ledger>(['ledger']);
    await running.start();
    const { api, refused } = await agree();
    expect({ received, stored, dropped, duplicates }).toEqual(api);
    expect(refused).toBe(2);
  }
  expect((await ledgers()).api).toMatchObject({ received: 135, dropped: { 'ua-keyword': 4 } });
});

/** Requests refused, as a kill leaves their count. */
function refusedOnDisk(): number {
  const folder = join(running.dataDir, 'refused');
  const texts = existsSync(folder)
    ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    : [];
  const counts = texts.flatMap((text) => [...text.matchAll(/":(\d+)/g)]);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

test('the page is only that, and only read, by who has the token', async () => {
  expect((await fetch(`${page}/`)).status).toBe(404);
  expect((await fetch(`${page}/metrics`, { method: 'POST' })).status).toBe(405);
  const headers = { authorization: `bearer  ${TOKEN}` };
  for (const url of [page, running.baseUrl]) {
    const head = await fetch(`${url}/metrics?x=1`, { method: 'HEAD', headers });
    expect(head.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(head.headers.get('cache-control')).toBe('no-store');
    for (const authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
      const refused = await fetch(`${url}/metrics`, { headers: { authorization } });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await refused.text()).toContain('FOOTFALL_METRICS_TOKEN');
    }
  }
});

test('a start begins at zero, and the page is gone with the service', async () => {
  await running.restart();
  expect(await sum('hits_total')).toBe(0);
  await running.stop();
  await expect(fetch(`${page}/metrics`)).rejects.toThrow();
});
