/**
 * One view of the dashboard: processor time of the service for the batch of all its panels, over ten
 * million page views of 90 days; as the first question after a start, asked again, and under filters
 * that nobody asked before, as a click makes them.
 *
 * Control plane. Each figure is the mean over several batches, since the kernel counts processor time in
 * hundredths of a second; the baseline is a batch with nothing but `total` in it, asked in the same way.
 * `BENCH_DATA_DIR` names a directory that `dist/bench/fill.js` made, of any size.
 */
import { DAY_MS } from '../../src/model/limits.ts';
import {
  allTabsQuestions,
  type DaySpan,
  type ViewQuestion,
  viewQuestions,
} from '../harness/data/dashboard-view.ts';
import type { FilledDirectory } from '../harness/data/filled-directory.ts';
import { LARGE_SITE, largeSite, makeGoals } from '../harness/large-site.ts';
import { type MacroContext, macro } from '../harness/macro.ts';
import { processCpuMs } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { percentile, spreadOf } from '../harness/report/samples.ts';
import { type BenchService, serve, settle } from '../harness/service.ts';

const STARTS = { smoke: 1, full: 3 } as const;
const FIRST_MS_MAX = 150;
const AGAIN_MS_MAX = 40;
/** What a start does by itself is over then. */
const SETTLE_MS = 4_000;
const GROUP = 'A view of the dashboard, 90 days, ten million page views, processor time';

/** A click on a row of a panel: filters that no batch before had, as many as there are rows. */
interface Click {
  readonly on: string;
  readonly list: string;
  readonly field: string;
  readonly filter: string;
}

const CLICKS: readonly Click[] = [
  { on: 'a country', list: 'country', field: 'country_code', filter: 'country' },
  { on: 'a browser', list: 'browser', field: 'browser', filter: 'browser' },
  { on: 'a source', list: 'referrer', field: 'referrer_name', filter: 'referrer_name' },
  { on: 'a page', list: 'page', field: 'path', filter: 'path' },
];
/** The rows of a panel: what a click can hit. */
const CLICKED_ROWS = 10;

type Service = Omit<BenchService, 'domains'>;
type Shared = Readonly<Record<string, unknown>>;

interface Bench {
  service: Service;
  readonly context: MacroContext;
  readonly filled: FilledDirectory;
  readonly figures: Figure[];
}

macro('macro/dashboard', async (context) => {
  const { dataDir, filled } = await largeSite(context);
  const start = () => serve(dataDir, filled, {});
  const bench: Bench = { service: await start(), context, filled, figures: [] };
  await makeGoals(bench.service, filled);
  await first(bench, start);
  await again(bench);
  for (const click of CLICKS) await clicked(bench, click);
  await compared(bench);
  await bench.service.end();
  return bench.figures;
});

/** As the first question after a start, and the second. */
async function first(bench: Bench, start: () => Promise<Service>): Promise<void> {
  const { context, filled } = bench;
  const [range, before] = spansOf(filled);
  const questions = viewQuestions(range, before, false);
  const costs: { ms: number[]; seconds: number[]; baseline: number[] } = {
    ...{ ms: [], seconds: [], baseline: [] },
  };
  for (let count = context.isSmoke ? STARTS.smoke : STARTS.full; count > 0; count--) {
    for (const asked of [[{ name: 'total' }], questions]) {
      // As a shutdown would; a directory that is a temporary one has to stay.
      await bench.service.stop();
      bench.service = await start();
      await settle(context.isSmoke ? 0 : SETTLE_MS);
      const { cpuMs, elapsedMs } = await measured(bench, 1, () => ask(bench, range, asked));
      if (asked === questions) {
        costs.ms.push(cpuMs);
        costs.seconds.push(elapsedMs);
      } else costs.baseline.push(cpuMs);
    }
  }
  report(bench, 'first after a start', costs.ms, {
    baseline: costs.baseline,
    atMost: FIRST_MS_MAX,
    elapsed: costs.seconds,
  });
}

/** What was asked before. */
async function again(bench: Bench): Promise<void> {
  const [range, before] = spansOf(bench.filled);
  const rounds = bench.context.isSmoke ? 1 : 20;
  const views: readonly (readonly [string, readonly ViewQuestion[]])[] = [
    ['again', viewQuestions(range, before, false)],
    ['lists of all tabs, again', allTabsQuestions(range, before)],
  ];
  for (const [name, questions] of views) {
    for (let turn = 0; turn < 3; turn++) await ask(bench, range, questions);
    const own = await measured(bench, rounds, () => ask(bench, range, questions));
    const total = await measured(bench, rounds, () => ask(bench, range, [{ name: 'total' }]));
    report(bench, name, [own.cpuMs], {
      ...{ baseline: [total.cpuMs], atMost: AGAIN_MS_MAX, elapsed: [own.elapsedMs] },
    });
  }
}

/** A click on each row of a panel in turn, then on each of them again. */
async function clicked(bench: Bench, click: Click): Promise<void> {
  const [range, before] = spansOf(bench.filled);
  const questions = viewQuestions(range, before, false);
  const filters = await rowsOf(bench, click);
  const over = async (asked: readonly ViewQuestion[]) => {
    let at = 0;
    return measured(bench, filters.length, () => {
      const filter = filters[at++];
      return ask(bench, { ...range, ...filter }, asked);
    });
  };
  // Once for columns that nobody has decoded yet; a value that no row has is another filter.
  const cold = await measured(bench, 1, () =>
    ask(bench, { ...range, [click.filter]: 'none of them' }, questions),
  );
  if (click === CLICKS[0]) {
    const more = { baseline: null, atMost: null, elapsed: [cold.elapsedMs] };
    report(bench, 'the first filter after a start, which no row passes', [cold.cpuMs], more);
  }
  const fresh = await over(questions);
  const repeated = await over(questions);
  const anew = filters.map((filter) => ({ ...filter, language: '!none of them' }));
  let at = 0;
  const total = await measured(bench, anew.length, () =>
    ask(bench, { ...range, ...anew[at++] }, [{ name: 'total' }]),
  );
  report(bench, `a click on ${click.on}`, [fresh.cpuMs], {
    ...{ baseline: [total.cpuMs], atMost: FIRST_MS_MAX, elapsed: [fresh.elapsedMs] },
  });
  report(bench, `a click on ${click.on}, again`, [repeated.cpuMs], {
    ...{ baseline: null, atMost: AGAIN_MS_MAX, elapsed: [repeated.elapsedMs] },
  });
}

/** The second half of the range beside the first, under filters that nobody asked before. */
async function compared(bench: Bench): Promise<void> {
  const [range, before] = halvesOf(bench.filled);
  const questions = viewQuestions(range, before, true);
  const filters = await rowsOf(bench, CLICKS[0] as Click);
  let at = 0;
  const fresh = await measured(bench, filters.length, () =>
    ask(bench, { ...range, ...filters[at++], platform: '!unknown' }, questions),
  );
  const of = 'a click on a country, half of the range compared with the other half';
  report(bench, of, [fresh.cpuMs], {
    ...{ baseline: null, atMost: FIRST_MS_MAX, elapsed: [fresh.elapsedMs] },
  });
}

async function rowsOf(bench: Bench, { list, field, filter }: Click): Promise<Shared[]> {
  const [range] = spansOf(bench.filled);
  const [rows] = await ask(bench, range, [{ name: list, limit: CLICKED_ROWS }]);
  const values = (rows as Record<string, unknown>[]).map((row) => String(row[field] ?? ''));
  return values.filter((value) => value !== '').map((value) => ({ [filter]: value }));
}

async function ask(
  { service, filled }: Bench,
  shared: Shared,
  queries: readonly ViewQuestion[],
): Promise<readonly unknown[]> {
  const body = JSON.stringify({ id: filled.domainId, ...shared, queries });
  const { results } = (await service.ask('/statistics/batch', { body })) as { results: unknown[] };
  const refused = results.find((result) => JSON.stringify(result).startsWith('{"error"'));
  if (refused !== undefined) throw new Error(`a question was refused: ${JSON.stringify(refused)}`);
  return results;
}

/** @returns means of a turn. */
async function measured(
  { service }: Bench,
  turns: number,
  turn: () => Promise<unknown>,
): Promise<{ cpuMs: number; elapsedMs: number }> {
  const [cpuMs, startMs] = [processCpuMs(service.pid), performance.now()];
  for (let count = 0; count < turns; count++) await turn();
  const elapsedMs = performance.now() - startMs;
  return { cpuMs: (processCpuMs(service.pid) - cpuMs) / turns, elapsedMs: elapsedMs / turns };
}

function report(
  { figures, filled, context }: Bench,
  name: string,
  samples: readonly number[],
  more: { baseline: readonly number[] | null; atMost: number | null; elapsed: readonly number[] },
): void {
  const value = spreadOf(samples);
  const elapsed = percentile(more.elapsed, 0.5);
  const baseline = more.baseline === null ? null : spreadOf(more.baseline);
  const beside = baseline === null ? '' : `, total alone ${baseline.median.toFixed(1)} ms`;
  context.tell(
    `  ${name}: ${value.median.toFixed(1)} ms, elapsed ${elapsed.toFixed(1)} ms${beside}`,
  );
  const isWhole = filled.hits >= LARGE_SITE.full.views;
  figures.push({
    ...{ group: GROUP, name, unit: 'ms', value },
    ...(baseline === null || baseline.median === 0
      ? {}
      : { baseline, ratio: spreadOf([value.median / baseline.median]) }),
    ...(isWhole && more.atMost !== null ? { target: { of: 'value', atMost: more.atMost } } : {}),
  });
}

function spansOf({ from, to }: FilledDirectory): [range: DaySpan, before: DaySpan] {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const moved = (date: string) => isoDate(Date.parse(date) - days * DAY_MS);
  return [
    { from, to },
    { from: moved(from), to: moved(to) },
  ];
}

function halvesOf({ from, to }: FilledDirectory): [range: DaySpan, before: DaySpan] {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const half = Math.floor(days / 2);
  const at = (day: number) => isoDate(Date.parse(from) + day * DAY_MS);
  return [
    { from: at(half), to: at(2 * half - 1) },
    { from: at(0), to: at(half - 1) },
  ];
}

function isoDate(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}
