/**
 * Judges a bench by the oracle: sends a scenario to both, asks both, and tells the first difference.
 */

import fc from 'fast-check';
import { queryString } from '../clients/query-string.ts';
import type { RawParameters } from '../oracle/answers/question.ts';
import { answer } from '../oracle/answers/statistics.ts';
import { collect } from '../oracle/collect/collect.ts';
import { type Deletion, erase } from '../oracle/collect/erase.ts';
import { importSums } from '../oracle/collect/imports.ts';
import type { TextLimits } from '../oracle/collect/texts.ts';
import { type Conversions, emptyWorld, type World } from '../oracle/world.ts';
import { addDays } from '../oracle/zone.ts';
import {
  CONVERSIONS,
  comparableConversions,
  conversions,
  NO_CONVERSIONS,
} from '../traffic/conversions.ts';
import { actionsOf, IMPORT, type RandomImport } from '../traffic/imports.ts';
import { modelHitOf } from '../traffic/notation.ts';
import { type Ask, parametersOf } from '../traffic/questions.ts';
import {
  build,
  printRequests,
  type Request,
  SCENES,
  type Scenario,
  scenarios,
} from '../traffic/scenario.ts';
import type { Bench } from './bench.ts';
import { difference } from './difference.ts';
import { comparableDetails, comparableSessions, sessionIds } from './session-judge.ts';

/** What both sides know of the domain. */
export interface Site {
  hostname: string;
  timezone: string;
  /** Whether the domain tells pages apart by title (S-46); false when left out. */
  groupByTitle?: boolean;
}

/** A question with its parameters, ready to be asked. */
export interface Question {
  name: string;
  parameters: RawParameters;
  /** The same with ids of the oracle's making, where it names a session (F-31). */
  oracleParameters?: RawParameters;
}

/** Sends a request to the bench and the world. @returns a difference of the two answers, or ''. */
export async function sendToBoth(
  bench: Bench,
  world: World,
  request: Request,
  site: Site,
): Promise<string> {
  const { items, idempotencyKey } = request;
  const hits = items.map((item) => modelHitOf(item, site.hostname));
  const wanted = collect(world, hits, idempotencyKey);
  const [got] = await bench.send(items, idempotencyKey);
  return difference(got, wanted, 'answer of a batch');
}

/** Sessions of a list that are asked for in detail. */
const DETAILS_MAX = 3;

/** Asks the bench and the world. @returns the first difference with its question, or ''. */
export async function askBoth(
  bench: Bench,
  world: World,
  questions: readonly Question[],
  site: Site & { nowMs?: number; conversions?: Conversions },
): Promise<string> {
  const nowMs = site.nowMs ?? Date.now();
  const { timezone, groupByTitle = false, conversions = NO_CONVERSIONS } = site;
  const context = { nowMs, timezone, groupByTitle, conversions };
  const answers = await Promise.all(
    questions.map(({ name, parameters }) => bench.ask(name, parameters)),
  );
  for (const [index, question] of questions.entries()) {
    const { name, parameters } = question;
    const wanted = answer(world, name, question.oracleParameters ?? parameters, context);
    const isOfSessions = name === 'session/list';
    const found = difference(comparable(name, answers[index]), comparable(name, wanted));
    if (found === '' && isOfSessions) {
      const pairs = sessionIds(answers[index], wanted).slice(0, DETAILS_MAX);
      for (const [ids, oracleIds] of pairs) {
        const details = await bench.ask('session/details', { ...parameters, ...ids });
        const asked = { ...parameters, ...oracleIds };
        const said = answer(world, 'session/details', asked, context);
        const differing = difference(comparableDetails(details), comparableDetails(said));
        if (differing !== '') return `session/details${queryString(asked)}\n${differing}`;
      }
    }
    if (found === '') continue;
    const full = `service ${JSON.stringify(answers[index])}\noracle  ${JSON.stringify(wanted)}`;
    return `${name}${decodeURIComponent(queryString(parameters))}\n${found}\n${full}`;
  }
  return '';
}

/** An answer without what only one side knows. */
function comparable(name: string, said: unknown): unknown {
  if (name === 'session/list') return comparableSessions(said);
  return CONVERSIONS.includes(name) ? comparableConversions(name, said) : said;
}

export interface PropertyOptions {
  site: Site;
  seed: number;
  runs: number;
  /** Steps of a scenario at most. */
  size?: number;
  asks: fc.Arbitrary<Ask>;
  /** A bench on a fresh domain. */
  open: () => Promise<Bench>;
  /** Statistics are deleted between the requests, at once or in the background. */
  erases?: 'at once' | 'later';
  /** Sums of other products come between the requests (S-98). */
  imports?: boolean;
  /** The bounds of I-79 if the bench has others than the rule. */
  textLimits?: TextLimits;
  /** Called once per run, after that share (0 to 1) of the requests, and again before asking. */
  interrupt?: (() => Promise<void>) | undefined;
}

/** A deletion somewhere between the requests. */
interface RandomDeletion {
  /** After that share of the requests. */
  share: number;
  kind: Deletion['kind'];
  /** Days after the scene's date. */
  fromDay: number;
  dayCount: number;
}

const DELETION: fc.Arbitrary<RandomDeletion> = fc.record({
  share: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  kind: fc.constantFrom<Deletion['kind']>('', 'all', 'all', 'events', 'events', 'imported'),
  fromDay: fc.integer({ min: -1, max: 3 }),
  dayCount: fc.constantFrom(1, 1, 1, 2, 30),
});

/** Ids of one of the sessions in the range, the service's and the oracle's; null without one. */
async function idsOfOneSession(
  bench: Bench,
  world: World,
  { from, to, tz }: RawParameters,
  ask: Ask,
): Promise<[RawParameters, RawParameters] | null> {
  const range = { from, to, tz };
  const context = { nowMs: Date.now(), timezone: 'UTC', groupByTitle: false };
  const wanted = answer(world, 'session/list', range, context);
  const pairs = sessionIds(await bench.ask('session/list', range), wanted);
  return pairs[ask.session % pairs.length] ?? null;
}

/** One random case. */
type Case = [Scenario, Ask[], Conversions, number, RandomDeletion[], RandomImport[]];

/** Looks for a deletion that is not over yet, and their rest between. */
const ATTEMPTS_MAX = 80;
const REST_MS = 50;

/** Deletes on both sides what is due behind the request at `index` of `count`. */
async function eraseBoth(
  both: { bench: Bench; world: World; site: Site; date: string },
  deletions: readonly RandomDeletion[],
  [index, count]: readonly [number, number],
): Promise<void> {
  for (const { share, kind, fromDay, dayCount } of deletions) {
    if (Math.floor(share * count) !== index) continue;
    const from = addDays(both.date, fromDay);
    const deletion = { kind, from, to: addDays(from, dayCount - 1) };
    erase(both.world, deletion, both.site.timezone);
    await both.bench.erase(deletion);
  }
}

/** Tells both sides what is due behind the request at `index` of `count`. */
async function importBoth(
  both: { bench: Bench; world: World; date: string },
  imports: readonly RandomImport[],
  [index, count]: readonly [number, number],
): Promise<void> {
  for (const told of imports) {
    if (Math.floor(told.share * count) !== index) continue;
    for (const action of actionsOf(told, both.date)) {
      importSums(both.world, action);
      await both.bench.importSums?.(action);
    }
  }
}

/** Asks both sides everything. @returns what differs, or ''. */
async function askAll(
  { bench, world, site }: { bench: Bench; world: World; site: Site },
  [scenario, asks, defined]: Case,
  requests: readonly Request[],
): Promise<string> {
  const timesMs = requests.flatMap(({ items }) => items.map((item) => item.timeMs));
  const questions: Question[] = [];
  for (const ask of asks) {
    const { name } = ask;
    const parameters = parametersOf(ask, scenario, timesMs);
    const ids = ask.session < 0 ? null : await idsOfOneSession(bench, world, parameters, ask);
    if (ids === null) questions.push({ name, parameters });
    else {
      const [own, ofOracle] = ids.map((pair) => ({ ...parameters, ...pair }));
      questions.push({ name, parameters: own ?? {}, oracleParameters: ofOracle ?? {} });
    }
  }
  return askBoth(bench, world, questions, { ...site, conversions: defined });
}

/** Runs one case. @returns what differs, or ''. */
async function runCase(options: PropertyOptions, oneCase: Case): Promise<string> {
  const [scenario, asks, defined, share, deletions, imports] = oneCase;
  const { site, interrupt } = options;
  const date = SCENES[scenario.scene]?.date ?? '';
  const bench = await options.open();
  if (asks.some(({ name }) => CONVERSIONS.includes(name))) await bench.define(defined);
  const world = emptyWorld(options.textLimits);
  const requests = build(scenario);
  const interruptAt = Math.floor(share * requests.length);
  for (const [index, request] of requests.entries()) {
    const found = await sendToBoth(bench, world, request, site);
    if (found !== '') return found;
    await importBoth({ bench, world, date }, imports, [index, requests.length]);
    await eraseBoth({ bench, world, site, date }, deletions, [index, requests.length]);
    if (interrupt !== undefined && index === interruptAt) await interrupt();
  }
  const ask = () => askAll({ bench, world, site }, oneCase, requests);
  let found = await ask();
  // a deletion is carried out in the background.
  for (let attempt = 1; found !== '' && deletions.length > 0; attempt++) {
    if (attempt === ATTEMPTS_MAX || options.erases !== 'later') break;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    found = await ask();
  }
  return found;
}

/**
 * Compares random cases until one differs, and shrinks that one.
 *
 * @returns '' or the smallest case found: its hits in the notation, its question, both answers.
 */
export async function findDisagreement(options: PropertyOptions): Promise<string> {
  const { seed, runs, size = 60 } = options;
  const property = fc.asyncProperty(
    scenarios(size),
    fc.array(options.asks, { minLength: 1, maxLength: 12, size: 'max' }),
    conversions(),
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    fc.array(DELETION, { maxLength: options.erases === undefined ? 0 : 3, size: 'max' }),
    fc.array(IMPORT, { maxLength: options.imports === true ? 4 : 0, size: 'max' }),
    async (...oneCase: Case) => {
      const found = await runCase(options, oneCase);
      if (found !== '') throw new Error(found);
    },
  );
  const details = await fc.check(property, { seed, numRuns: runs });
  if (!details.failed) return '';
  const [scenario, , defined, , deletions, imports] = details.counterexample ?? [];
  const hits = scenario === undefined ? '' : printRequests(build(scenario));
  const error = details.errorInstance instanceof Error ? details.errorInstance : null;
  return [
    `seed ${seed}, path ${details.counterexamplePath}, run ${details.numRuns}, shrunk ${details.numShrinks} times`,
    hits,
    ...(deletions ?? []).map((deletion) => `  DELETE ${JSON.stringify(deletion)}`),
    ...(imports ?? []).map((told) => `  import ${JSON.stringify(told)}`),
    `defined ${JSON.stringify(defined)}`,
    error?.message ?? 'interrupted',
    error?.message.includes('oracle says') ? '' : (error?.stack ?? ''),
  ].join('\n');
}
