/**
 * `node dist/bench/slow-questions.js DIRECTORY [--only REGEXP] [--top 15] [--json FILE]`
 *
 * Control plane. Asks a directory of `fill.ts` every statistic by every field it can be sorted by,
 * under every filter with a hundred values of every operator, with searches, long patterns, deep pages,
 * funnels of eight steps, and options. Each is asked in a thread of its own that knows nothing yet
 * (cold), then once more (again). Prints the slowest as Markdown, in ms of the thread's CPU.
 */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { asDomainId, asEpoch, asShardId } from '../src/model/ids.ts';
import { runStatistics } from '../src/query/answers/run.ts';
import { STATISTICS, statisticNamed } from '../src/query/answers/statistics.ts';
import { funnelQuestion } from '../src/query/question/conversions.ts';
import { parseQueryString } from '../src/query/question/parameters.ts';
import { parseStatisticsRequest, spanOf } from '../src/query/question/request.ts';
import { SegmentReader } from '../src/segment/disk/segment-reader.ts';
import { describeFilled, type FilledDirectory } from './harness/data/filled-directory.ts';

/** Decoded segments a thread may hold: as much as a service gives its only query thread. */
const CACHE_BYTES = 1_024 * 1_024 * 1_024;
const VALUE_COUNT = 100;
const FUNNEL_STEPS = 8;

interface Asked {
  statistic: string;
  parameters: string;
}

interface Figure extends Asked {
  coldMs: number;
  againMs: number;
  hash: string;
}

const FILTERS = [
  'entry_path exit_path country language region city referrer referrer_name channel os browser',
  'screen_class utm_source utm_medium utm_campaign utm_content utm_term hostname path tag',
  'tag_author event event_meta_key meta_plan',
].flatMap((names) => names.split(' '));
/** By operator: words of which nearly all are met by nothing, so that every text is tested by all. */
const VALUES: Readonly<Record<string, (index: number) => string>> = {
  is: (index) => `/blog/article-${index * 7}-of-the-site`,
  not: (index) => `!/blog/article-${index * 7}-of-the-site`,
  contains: (index) => `~q${index}z`,
  lacks: (index) => `^q${index}z`,
};

function questions(): Asked[] {
  const asked: Asked[] = [];
  for (const { name, fields, nested, searched, searches, carries } of STATISTICS) {
    if (carries === 'keywords' || carries === 'funnel') continue;
    asked.push({ statistic: name, parameters: '' });
    asked.push({ statistic: name, parameters: 'country=de' });
    for (const field of [...fields, ...(nested ?? [])]) {
      if (field.type !== 'number' && field.type !== 'text') continue;
      asked.push({ statistic: name, parameters: `sort=${field.name}` });
    }
    if (fields.length > 0) {
      asked.push({ statistic: name, parameters: 'offset=100000' });
      asked.push({ statistic: name, parameters: 'platform=desktop&offset=1000000' });
    }
    if (fields.some(({ name: field }) => field === 'title')) {
      asked.push({ statistic: name, parameters: 'include_title=true' });
      const all = 'include_title=true&include_avg_time_on_page=true&platform=!mobile';
      asked.push({ statistic: name, parameters: all });
    }
    if (searched.length > 0 || searches === 'rows') {
      const many = listOf('search', (index) => `q${index}z`);
      for (const search of ['search=a', 'search=!qz', many]) {
        asked.push({ statistic: name, parameters: search });
        asked.push({ statistic: name, parameters: `${search}&platform=!mobile` });
      }
    }
  }
  for (const statistic of ['total', 'session/list']) {
    for (const filter of FILTERS) {
      for (const value of Object.values(VALUES)) {
        asked.push({ statistic, parameters: listOf(filter, value) });
      }
    }
    const patterns = ['(a|b|c)*d$', '([a-z0-9-]+/){2}.*q.*z.*q', `(${'x?'.repeat(200)})`];
    for (const pattern of patterns) {
      asked.push({ statistic, parameters: `pattern=${encodeURIComponent(pattern)}` });
    }
    asked.push({ statistic, parameters: listOf('pattern', (index) => `q${index}z`) });
  }
  for (const filter of ['path', 'country']) {
    for (const statistic of [
      'page',
      'page/entry',
      'events',
      'hours',
      'duration/page',
      'referrer',
    ]) {
      for (const value of Object.values(VALUES)) {
        asked.push({ statistic, parameters: listOf(filter, value) });
      }
    }
  }
  for (const value of ['contains', 'lacks', 'is']) {
    asked.push({ statistic: 'funnel', parameters: value });
  }
  return asked;
}

function listOf(name: string, value: (index: number) => string): string {
  const values = Array.from({ length: VALUE_COUNT }, (_, index) => value(index));
  return values.map((text) => `${name}=${encodeURIComponent(text)}`).join('&');
}

/** Steps that ask a hundred values of eight columns each. */
function funnel(operator: string) {
  const names = FILTERS.slice(0, 8);
  const values = Array.from({ length: VALUE_COUNT }, (_, index) => VALUES[operator]!(index));
  const loose = operator === 'contains' || operator === 'is' ? ['!xyz'] : [];
  const filter = Object.fromEntries(names.map((name) => [name, [...values, ...loose]]));
  const steps = Array.from({ length: FUNNEL_STEPS }, () => filter);
  return funnelQuestion(steps, { name: 'eight steps' });
}

/** What this thread has used of a processor: neighbours on the machine make no difference. */
function threadCpuMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

/** One question in this thread, which has asked nothing yet. */
function measure({ dataDir, asked }: { dataDir: string; asked: Asked }): Figure {
  const { domainId, shard, from, to } = describeFilled(dataDir);
  const reader = new SegmentReader(dataDir, CACHE_BYTES);
  const isFunnel = asked.statistic === 'funnel';
  const range = `from=${from}&to=${to}&`;
  const context = {
    domain: { id: domainId, timezone: 'UTC', groupByTitle: false, activeVisitorsSeconds: 3_600 },
    nowMs: Date.parse(`${to}T12:00:00Z`),
    registered: isFunnel ? { funnel: funnel(asked.parameters) } : {},
  };
  const time = (): { ms: number; answer: string } => {
    // Filters are read anew for every query, as at an edge.
    const parameters = parseQueryString(range + (isFunnel ? '' : asked.parameters));
    const query = structuredClone(
      parseStatisticsRequest(statisticNamed(asked.statistic), parameters, context),
    );
    const startMs = threadCpuMs();
    const segments = reader.read({
      shard: asShardId(shard),
      epoch: asEpoch(0),
      domainId: asDomainId(domainId),
      ...spanOf(query),
    });
    let answer: string;
    try {
      answer = JSON.stringify(runStatistics(query, segments));
    } catch (error) {
      answer = String(error);
    }
    return { ms: threadCpuMs() - startMs, answer };
  };
  const cold = time();
  const again = time();
  const hash = createHash('sha256').update(cold.answer).digest('hex').slice(0, 12);
  return { ...asked, coldMs: cold.ms, againMs: again.ms, hash };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', default: '' },
      top: { type: 'string', default: '15' },
      json: { type: 'string' },
    },
  });
  const [dataDir] = positionals;
  if (dataDir === undefined) throw new Error('which directory? one that fill.js has made');
  const only = new RegExp(values.only);
  const figures: Figure[] = [];
  for (const asked of questions()) {
    if (!only.test(`${asked.statistic}?${asked.parameters}`)) continue;
    const worker = new Worker(new URL(import.meta.url), { workerData: { dataDir, asked } });
    figures.push(
      await new Promise<Figure>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      }),
    );
    await worker.terminate();
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(figures, null, 1));
    process.stderr.write(`\r${figures.length} questions`);
  }
  process.stderr.write('\n');
  report(figures, Number(values.top));
}

function report(figures: Figure[], top: number): void {
  const slowest = figures.toSorted((a, b) => b.coldMs - a.coldMs).slice(0, top);
  const lines = slowest.map(({ statistic, parameters, coldMs, againMs, hash }) => {
    const question = decodeURIComponent(parameters).slice(0, 60);
    return `| ${statistic} | ${question} | ${coldMs.toFixed(0)} | ${againMs.toFixed(0)} | ${hash} |`;
  });
  const head = ['| statistic | asked | cold, ms | again, ms | answer |', '|---|---|--:|--:|---|'];
  process.stdout.write(`${[...head, ...lines].join('\n')}\n`);
}

if (isMainThread) await main();
else {
  const given = workerData as { dataDir: string; asked: Asked } & Partial<FilledDirectory>;
  parentPort!.postMessage(measure(given));
}
