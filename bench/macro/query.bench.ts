/**
 * Statistics over HTTP: a million page views over thirty days of one domain, sent through the batch
 * endpoint, then every statistic, without a filter and with two.
 *
 * Control plane. Warm: each question is asked a few times before its clock starts. One client, one
 * connection, one question after the other; latency is the client's, parsing of the answer included.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../src/base/assert.ts';
import { Seeded } from '../../src/cli/demo/simulator/seeded.ts';
import type { Figure } from '../harness/figures.ts';
import { macro } from '../harness/macro.ts';
import { POOL_HOSTNAME, pooledHits, VISIT_VIEWS, visitAddress } from '../harness/pool.ts';
import { residentBytes } from '../harness/process-cpu.ts';
import { percentile, spreadOf } from '../harness/samples.ts';
import { type BenchService, startService } from '../harness/service.ts';

const DAY_MS = 86_400_000;
const SIZE = {
  smoke: { visitsPerDay: 100, days: 3, pool: 200, asked: 1, warmUps: 0 },
  full: { visitsPerDay: 11_112, days: 30, pool: 4_000, asked: 100, warmUps: 3 },
} as const;
const BATCH_ITEMS = 2_000;
const EVENT_SHARE = 0.05;
const TARGET_MS = { 'no filter': 100, 'two filters': 150 } as const;

/** Every statistic of issue 2, by the name of its line. */
const QUESTIONS: readonly (readonly [name: string, query: string])[] = [
  ['total', 'total'],
  ['visitor by day', 'visitor?scale=day'],
  ['visitor by week', 'visitor?scale=week'],
  ['visitor by month', 'visitor?scale=month'],
  ['visitor by year', 'visitor?scale=year'],
  ['page', 'page'],
  ['page with time on page', 'page?include_avg_time_on_page=true'],
  ['page/entry', 'page/entry'],
  ['page/exit', 'page/exit'],
  ['referrer', 'referrer'],
  ['country', 'country'],
  ['browser', 'browser'],
  ['os', 'os'],
  ['language', 'language'],
  ['platform', 'platform'],
  ['screen', 'screen'],
  ['events', 'events'],
  ['active (10 minutes)', 'active?start=600'],
];

interface Item {
  timeMs: number;
  /** Which hit of the pool. */
  pooled: number;
  address: string;
}

macro('macro/query', async (context) => {
  const size = context.isSmoke ? SIZE.smoke : SIZE.full;
  const service = await startService({ hostnames: [POOL_HOSTNAME] });
  const domain = service.domains[0] as (typeof service.domains)[number];
  const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const startMs = performance.now();
  const views = await fill(service, { size, todayMs, seed: context.seed });
  const seconds = (performance.now() - startMs) / 1_000;
  context.tell(`  ${views} page views sent in ${seconds.toFixed(1)} s`);
  const range = `id=${domain.id}&from=${isoDate(todayMs - size.days * DAY_MS)}&to=${isoDate(todayMs)}`;
  const total = (await service.ask(`/statistics/total?${range}`)) as { views: number };
  assert(total.views === views, `${views} page views were sent and the total is ${total.views}`);
  const filters = {
    'no filter': '',
    'two filters': await twoFilters(service, range),
  } as const;
  const figures: Figure[] = [];
  for (const [filterName, filter] of Object.entries(filters)) {
    const group = `Statistics over ${views.toLocaleString('en-US')} page views, ${size.days} days, ${filterName}`;
    const atMost = TARGET_MS[filterName as keyof typeof TARGET_MS];
    for (const [name, question] of QUESTIONS) {
      const path = `/statistics/${question}${question.includes('?') ? '&' : '?'}${range}${filter}`;
      const latencies = await askRepeatedly(service, path, size);
      const p99 = percentile(latencies, 0.99);
      figures.push({
        group,
        name,
        unit: 'ms',
        value: spreadOf(latencies),
        p99,
        target: { of: 'p99', atMost },
      });
      context.tell(
        `  ${filterName} ${name}: p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      );
    }
  }
  figures.push(...footprint(service, { views, seconds }));
  await service.end();
  return figures;
});

/** Sends all visits in order of time, and today's last ten minutes for the active visitors. */
async function fill(
  service: BenchService,
  options: { size: (typeof SIZE)['smoke' | 'full']; todayMs: number; seed: number },
): Promise<number> {
  const { size, todayMs, seed } = options;
  const random = new Seeded(seed);
  const templates = pooledHits({ seed, visits: size.pool }).map(({ ip: _, ...hit }) => {
    return JSON.stringify(hit).slice(1);
  });
  let visitOrdinal = 0;
  let views = 0;
  const sendSpan = async (fromMs: number, spanMs: number, visits: number) => {
    const items: Item[] = [];
    for (let visit = 0; visit < visits; visit++) {
      let timeMs = Math.floor(fromMs + random.next() * (spanMs - 300_000));
      const pooled = random.below(size.pool) * VISIT_VIEWS;
      const address = visitAddress(visitOrdinal++);
      for (let view = 0; view < VISIT_VIEWS; view++) {
        items.push({ timeMs, pooled: pooled + view, address });
        timeMs += 5_000 + random.below(90_000);
      }
    }
    items.sort((left, right) => left.timeMs - right.timeMs);
    await send(
      service,
      'hit',
      items.map((item) => bodyOf(item, templates)),
    );
    const withEvents = items.filter(() => random.happens(EVENT_SHARE / VISIT_VIEWS));
    await send(
      service,
      'event',
      withEvents.map((item) => bodyOf(item, templates, random)),
    );
    views += items.length;
  };
  for (let day = size.days; day > 0; day--) {
    await sendSpan(todayMs - day * DAY_MS, DAY_MS, size.visitsPerDay);
  }
  await sendSpan(Date.now() - 600_000, 600_000, Math.ceil(size.visitsPerDay / 10));
  return views;
}

function bodyOf(item: Item, templates: readonly string[], random?: Seeded): string {
  const time = new Date(item.timeMs).toISOString();
  const event =
    random === undefined
      ? ''
      : `"event_name":"Event ${random.below(12)}","event_meta":{"plan":"p${random.below(5)}"},`;
  return `{"ip":"${item.address}","time":"${time}",${event}${templates[item.pooled]}`;
}

async function send(
  service: BenchService,
  kind: 'hit' | 'event',
  items: readonly string[],
): Promise<void> {
  const token = service.domains[0]?.accessKey ?? '';
  for (let first = 0; first < items.length; first += BATCH_ITEMS) {
    const body = `[${items.slice(first, first + BATCH_ITEMS).join(',')}]`;
    await service.ask(`/${kind}/batch`, { token, body });
  }
}

/** The most frequent known country and browser: filters that leave a good part. */
async function twoFilters(service: BenchService, range: string): Promise<string> {
  const countries = (await service.ask(`/statistics/country?${range}`)) as { country: string }[];
  const browsers = (await service.ask(`/statistics/browser?${range}`)) as { browser: string }[];
  const country = countries.find((row) => row.country !== '')?.country ?? '';
  const browser = browsers.find((row) => row.browser !== '')?.browser ?? '';
  if (country === '' || browser === '')
    throw new Error('the statistics know no country or browser');
  return `&country=${country}&browser=${encodeURIComponent(browser)}`;
}

async function askRepeatedly(
  service: BenchService,
  path: string,
  { asked, warmUps }: { asked: number; warmUps: number },
): Promise<number[]> {
  const latencies: number[] = [];
  for (let turn = -warmUps; turn < asked; turn++) {
    const startMs = performance.now();
    await service.ask(path);
    if (turn >= 0) latencies.push(performance.now() - startMs);
  }
  return latencies;
}

function footprint(service: BenchService, run: { views: number; seconds: number }): Figure[] {
  const group = 'A month in one domain';
  const figure = (name: string, unit: string, value: number): Figure => ({
    group,
    name,
    unit,
    value: spreadOf([value]),
  });
  return [
    figure('sent in batches of 2,000 on one connection', 'hits/s', run.views / run.seconds),
    figure('data directory per page view', 'bytes', folderBytes(service.dataDir) / run.views),
    figure('resident memory after the questions', 'MB', residentBytes(service.pid) / 1e6),
  ];
}

/** Bytes that the files of a folder take on disk; sparse files count what they hold. */
function folderBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).blocks * 512;
  }
  return bytes;
}

function isoDate(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}
