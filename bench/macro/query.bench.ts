/**
 * Every statistic over HTTP beside DuckDB: ten million page views, 3.3 million sessions, 90 days of
 * one domain; without a filter, with one, with three, with a pattern, and with all of them.
 *
 * Control plane. One query thread against DuckDB's two, the same rows, both warm. The answers are
 * compared before any clock starts. Latency is a client's on one connection, parsing included;
 * DuckDB's statement is prepared, its rows are read. `BENCH_DATA_DIR` names a directory that
 * `dist/bench/fill.js` made, which spares the minute of making one; `BENCH_QUESTIONS` is a regular
 * expression for the lines that are wanted.
 */
import { DAY_MS } from '../../src/model/limits.ts';
import type { FilledDirectory } from '../harness/data/filled-directory.ts';
import {
  FILTER_SETS,
  type FilterSet,
  FUNNEL_STEPS,
  QUESTIONS,
  type Question,
} from '../harness/data/questions.ts';
import { DUCKDB_HINT, type DuckDb, openDuckDb } from '../harness/duckdb/duckdb.ts';
import { sqlOf } from '../harness/duckdb/event-sql.ts';
import type { Ask } from '../harness/duckdb/questions.ts';
import { copyRows } from '../harness/duckdb/rows.ts';
import { LARGE_SITE, largeSite, makeGoals } from '../harness/large-site.ts';
import { type MacroContext, macro } from '../harness/macro.ts';
import { residentBytes } from '../harness/process-cpu.ts';
import { agree } from '../harness/report/agreement.ts';
import { folderBytes } from '../harness/report/disk.ts';
import type { Figure, Target } from '../harness/report/figures.ts';
import { percentile, spreadOf } from '../harness/report/samples.ts';
import { type BenchService, serve } from '../harness/service.ts';

/** How often a question is asked at least and at most, of Footfall and of DuckDB. */
const PATIENCE = {
  smoke: { own: { least: 1, most: 1 }, rival: { least: 1, most: 1 } },
  normal: { own: { least: 5, most: 50 }, rival: { least: 2, most: 10 } },
  full: { own: { least: 20, most: 200 }, rival: { least: 3, most: 20 } },
} as const;
/** Time for one question once it has been asked often enough, per second of `--seconds`. */
const QUESTION_MS_PER_SECOND = 100;
const WARM_UPS = 2;

interface Patience {
  least: number;
  most: number;
  ms: number;
}

/** Both sides, ready to be asked. */
interface Sides {
  service: Omit<BenchService, 'domains'>;
  database: DuckDb | null;
  filled: FilledDirectory;
  funnelId: string;
  patience: { own: Patience; rival: Patience };
  isJudged: boolean;
  tell: MacroContext['tell'];
}

macro('macro/query', async (context) => {
  const { isSmoke, isFull, tell } = context;
  const { dataDir, filled } = await largeSite(context);
  const database = await openDuckDb({ mayInstall: isFull });
  if (database === null) tell(`  ${DUCKDB_HINT}`);
  else await timed(tell, 'rows copied to DuckDB', () => copyRows(database, dataDir, filled));
  const service = await serve(dataDir, filled, { FOOTFALL_QUERY_THREADS: '1' });
  const times = PATIENCE[isSmoke ? 'smoke' : isFull ? 'full' : 'normal'];
  const ms = context.seconds * QUESTION_MS_PER_SECOND;
  const patience = { own: { ...times.own, ms }, rival: { ...times.rival, ms } };
  const funnelId = await setUp(service, filled);
  const isJudged = !isSmoke;
  const sides: Sides = { service, database, filled, funnelId, patience, isJudged, tell };
  const figures: Figure[] = [];
  const wanted = new RegExp(process.env['BENCH_QUESTIONS'] ?? '');
  const questions = QUESTIONS.filter(({ name }) => wanted.test(name));
  for (const filters of FILTER_SETS) {
    for (const question of questions) {
      const isAsked = question.takesFilters || Object.keys(filters.parameters).length === 0;
      if (!isAsked) continue;
      figures.push(await compare(sides, question, filters));
      if (Object.keys(filters.parameters).length > 0) {
        figures.push(await askAnew(sides, question, filters));
      }
    }
  }
  figures.push(...footprint(sides));
  await service.end();
  database?.close();
  return figures;
});

/** Goals, once per data directory, and a funnel. @returns the funnel's id. */
async function setUp(service: Sides['service'], filled: FilledDirectory): Promise<string> {
  await makeGoals(service, filled);
  const funnel = { domain_id: filled.domainId, name: 'Read and buy', steps: FUNNEL_STEPS };
  const made = await service.ask('/funnel', { body: JSON.stringify(funnel) });
  return (made as { id: string }).id;
}

/** One line: both sides asked until their patience ends, their answers compared. */
async function compare(sides: Sides, question: Question, filters: FilterSet): Promise<Figure> {
  const { service, database, patience, tell } = sides;
  const ask = await askOf(sides, question, filters);
  const path = pathOf(ask, sides.filled);
  for (let turn = 0; turn < Math.min(WARM_UPS, patience.own.least); turn++) await service.ask(path);
  const latencies = await repeat(patience.own, () => service.ask(path));
  const figure: Figure = {
    group: `Statistics, ${filters.name}`,
    name: question.name,
    unit: 'ms',
    value: spreadOf(latencies),
    p99: percentile(latencies, 0.99),
  };
  if (sides.isJudged) {
    figure.target = { of: 'value', atMost: filters.atMostMs };
    figure.goals = goalsOf(filters);
    if (isWhole(sides) && filters.requirement !== null) figure.requirement = filters.requirement;
  }
  const statement = database === null ? null : sqlOf(ask, calendarOf(ask));
  if (database !== null && statement !== null) {
    const query = await database.prepare(statement);
    // The first answer of each is compared; it is DuckDB's warm-up, too.
    const compared = agree(question.statistic, await service.ask(path), await query());
    figure.rival = {
      name: 'DuckDB',
      value: spreadOf(await repeat(patience.rival, query)),
      compared,
    };
  }
  const theirs = figure.rival?.value.median.toFixed(1) ?? '–';
  tell(
    `  ${filters.name}: ${question.name} ${figure.value.median.toFixed(1)} ms, DuckDB ${theirs}`,
  );
  return figure;
}

/** Whether these are the ten million page views that the requirements are about. */
function isWhole({ isJudged, filled }: Sides): boolean {
  return isJudged && filled.hits >= LARGE_SITE.full.views;
}

let filtersMade = 0;

/**
 * The same line under filters that nobody asked before: the same rows, but nothing is kept of them. A
 * further value that no row has makes them so.
 */
async function askAnew(sides: Sides, question: Question, filters: FilterSet): Promise<Figure> {
  const path = pathOf(await askOf(sides, question, filters), sides.filled);
  const name = filters.parameters['country'] === undefined ? 'pattern' : 'country';
  const ask = () => {
    filtersMade++;
    return sides.service.ask(`${path}&${name}=none-${filtersMade}`);
  };
  for (let turn = 0; turn < Math.min(WARM_UPS, sides.patience.own.least); turn++) await ask();
  const latencies = await repeat(sides.patience.own, ask);
  const figure: Figure = {
    group: `Statistics, ${filters.name}, asked for the first time`,
    name: question.name,
    unit: 'ms',
    value: spreadOf(latencies),
    p99: percentile(latencies, 0.99),
  };
  const isJudged = isWhole(sides) && filters.requirement === 'statistic-one-filter';
  return isJudged ? { ...figure, requirement: 'statistic-new-filter' } : figure;
}

function goalsOf({ goalMs, goalRatio, parameters }: FilterSet): Target[] {
  const goals: Target[] = [
    { of: 'value', atMost: goalMs },
    { of: 'advantage', atLeast: goalRatio },
  ];
  if (Object.keys(parameters).length === 0) goals.push({ of: 'p99', atMost: 10 });
  return goals;
}

/** Growth compares the second half of the range with the first; a session is shown in detail. */
async function askOf(sides: Sides, question: Question, filters: FilterSet): Promise<Ask> {
  const { from, to } = sides.filled;
  const parameters: Record<string, string> = { ...filters.parameters };
  for (const [key, value] of new URLSearchParams(question.own)) parameters[key] = value;
  const ask: Ask = { question, from, to, parameters };
  if (question.statistic === 'growth') return { ...ask, from: halfOf(sides.filled) };
  if (question.statistic === 'funnel') parameters['funnel_id'] = sides.funnelId;
  if (question.statistic !== 'session/details') return ask;
  const list = { ...ask, question: { ...question, statistic: 'session/list' } };
  const [one] = (await sides.service.ask(pathOf(list, sides.filled))) as Record<string, unknown>[];
  parameters['visitor_id'] = String(one?.['visitor_id']);
  parameters['session_id'] = String(one?.['session_id']);
  return ask;
}

function pathOf({ question, from, to, parameters }: Ask, { domainId }: FilledDirectory): string {
  const query = new URLSearchParams({ id: domainId, from, to, ...parameters });
  return `/statistics/${question.statistic}?${query}`;
}

function halfOf({ from, to }: FilledDirectory): string {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return isoDate(Date.parse(from) + Math.ceil(days / 2) * DAY_MS);
}

/** Today, and the period as long as the range before it (S-72). */
function calendarOf({ from, to }: Ask) {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const before = Date.parse(from) - DAY_MS;
  return {
    today: isoDate(Date.now()),
    before: { from: isoDate(before - (days - 1) * DAY_MS), to: isoDate(before) },
  };
}

async function repeat(patience: Patience, ask: () => Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  const begunMs = performance.now();
  while (latencies.length < patience.most) {
    const startMs = performance.now();
    if (latencies.length >= patience.least && startMs - begunMs > patience.ms) break;
    await ask();
    latencies.push(performance.now() - startMs);
  }
  return latencies;
}

async function timed<Made>(
  tell: MacroContext['tell'],
  what: string,
  make: () => Promise<Made>,
): Promise<Made> {
  const startMs = performance.now();
  const made = await make();
  tell(`  ${what} in ${((performance.now() - startMs) / 1_000).toFixed(1)} s`);
  return made;
}

function footprint(sides: Sides): Figure[] {
  const { service, filled } = sides;
  const group = 'Ninety days in one domain';
  const figure = (name: string, unit: string, value: number): Figure => ({
    group,
    name,
    unit,
    value: spreadOf([value]),
  });
  const disk = figure(
    'data directory per hit',
    'bytes',
    folderBytes(service.dataDir) / filled.hits,
  );
  return [
    isWhole(sides) ? { ...disk, requirement: 'disk' } : disk,
    figure('resident memory after the questions', 'MB', residentBytes(service.pid) / 1e6),
  ];
}

function isoDate(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}
