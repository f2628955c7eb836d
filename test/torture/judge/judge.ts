/**
 * Holds every node's answers against the model's, and finds what was lost or counted twice.
 */

import { queryString } from '../../support/clients/query-string.ts';
import { difference } from '../../support/judge/difference.ts';
import {
  comparableDetails,
  comparableSessions,
  sessionIds,
} from '../../support/judge/session-judge.ts';
import { answer } from '../../support/oracle/answers/statistics.ts';
import type { World } from '../../support/oracle/world.ts';
import type { Node } from '../cluster/cluster.ts';
import type { Ledger } from '../load/ledger.ts';
import { CONVERSIONS, type Site } from '../load/sites.ts';
import { Stream } from '../random.ts';
import { wrongItems } from './items.ts';
import { type Question, questionsOf, rangeOf } from './questions.ts';
import type { Reader } from './reader.ts';

/** Questions that are on their way at once. */
const AT_ONCE = 4;
const PAGE_ROWS = 100;
/** Sessions of a list among which one is found that no other looks like. */
const DETAILS_MAX = 3;
/** Characters of a difference that are told. */
const TOLD_LENGTH = 1_200;
/** Of a live site: fields that are made of times. */
const TIME_FIELDS = ['time', 'start', 'duration_seconds', 'average_time_spent_seconds'];

/** What a judgement is about. */
export interface Case {
  nodes: readonly Node[];
  reader: Pick<Reader, 'patiently' | 'text'>;
  ledger: Ledger;
  seed: number;
  round: number;
}

type Row = Record<string, unknown>;

/**
 * Settles doubts, then compares a round on one site.
 *
 * @param how whether figures by day of a live site are certain, and the share of questions to ask.
 */
export async function judge(
  of: Case,
  site: Site,
  { isOneDay, share }: { isOneDay: boolean; share: number },
): Promise<void> {
  await settleDoubts(of, site);
  await compareLedger(of, site, of.round);
  const random = new Stream(of.seed, of.round, site.name, 'questions');
  const all = questionsOf(site, of.round, random, isOneDay);
  const questions = all.filter(() => random.chance(share));
  let next = 0;
  const ask = async (): Promise<void> => {
    for (let at = next++; at < questions.length; at = next++) {
      await compare(of, site, questions[at] as Question);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
}

/** Requests without a key: those that were refused must not count, those without an answer may. */
async function settleDoubts({ nodes, reader, ledger, round }: Case, site: Site): Promise<void> {
  const { counts } = ledger;
  for (const { path, fate, adopt } of site.doubts) {
    const parameters = { id: site.made.id, ...rangeOf(site, round), path };
    const total = await reader.patiently(nodes[0] as Node, 'total', parameters);
    const { views } = total as { views: number };
    if (fate === 'unknown') counts[views === 0 ? 'doubtNotCounted' : 'doubtCounted']++;
    if (views > 1) counts.doubled += views - 1;
    if (views > (fate === 'refused' ? 0 : 1)) {
      ledger.differs(`${path} was sent without a key: ${fate}, but is counted ${views} times`);
    }
    if (views > 0) adopt();
  }
  site.doubts = [];
  site.open.delete(round);
}

/** What is lost or counted twice, by path and by name of event, asked of one node; the ledger of all. */
export async function compareLedger(of: Case, site: Site, round: number): Promise<void> {
  const world = site.world(round);
  const views = await wholeList(of, { site, round, name: 'page', key: 'path', value: 'views' });
  compareCounts(of.ledger, `views of ${site.name}`, views, countBy(world.pageViews, 'path'));
  const events = await wholeList(of, { site, round, name: 'events', key: 'name', value: 'count' });
  compareCounts(of.ledger, `events of ${site.name}`, events, countBy(world.events, 'name'));
  for (const node of of.nodes) {
    of.ledger.counts.ledgers++;
    for (const text of await wrongItems(of.reader, { node, site, round })) {
      of.ledger.differs(`${node.child.name}, ${text}`);
    }
  }
}

function countBy<Field extends string>(
  rows: readonly Readonly<Record<Field, string>>[],
  field: Field,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row[field], (counts.get(row[field]) ?? 0) + 1);
  return counts;
}

function compareCounts(
  ledger: Ledger,
  what: string,
  got: ReadonlyMap<string, number>,
  wanted: ReadonlyMap<string, number>,
): void {
  const { counts } = ledger;
  for (const key of new Set([...got.keys(), ...wanted.keys()])) {
    const [found = 0, due = 0] = [got.get(key), wanted.get(key)];
    if (found === due) continue;
    if (found < due) counts.lost += due - found;
    else counts.doubled += found - due;
    ledger.differs(`${what} ${key}: counted ${found} times, due are ${due}`);
  }
}

async function wholeList(
  { nodes, reader }: Case,
  list: { site: Site; round: number; name: string; key: string; value: string },
): Promise<Map<string, number>> {
  const { site, round, name, key, value } = list;
  const found = new Map<string, number>();
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const parameters = { id: site.made.id, ...rangeOf(site, round), limit: PAGE_ROWS, offset };
    const rows = (await reader.patiently(nodes[0] as Node, name, parameters)) as Row[];
    for (const row of rows) found.set(String(row[key]), Number(row[value]));
    if (rows.length < PAGE_ROWS) return found;
  }
}

/** Asks every node one question. */
async function compare(of: Case, site: Site, question: Question): Promise<void> {
  const { nodes, reader, ledger } = of;
  const { name, parameters } = question;
  const world = site.world(of.round);
  const nowMs = Date.now();
  const context = { nowMs, timezone: 'UTC', groupByTitle: false, conversions: CONVERSIONS };
  const own = { id: site.made.id, ...(name === 'funnel' ? { funnel_id: site.funnelId } : {}) };
  const texts = await Promise.all(
    nodes.map((node) => reader.text(node, name, { ...own, ...parameters })),
  );
  const wanted = answer(world, name, parameters, context);
  // Nodes mostly say the same to the letter: then one comparison is enough.
  const differences = new Map<string, string>();
  for (const [index, text] of texts.entries()) {
    ledger.counts.compared++;
    const found =
      differences.get(text) ??
      difference(comparable(site, name, JSON.parse(text)), comparable(site, name, wanted));
    differences.set(text, found);
    if (found === '') continue;
    const asked = `${site.name}: ${name}${decodeURIComponent(queryString(parameters))}`;
    ledger.differs(`${nodes[index]?.child.name}, ${asked}${found}`.slice(0, TOLD_LENGTH));
  }
  if (name === 'session/list' && !site.isLive) {
    await compareDetails(of, site, { question, got: JSON.parse(texts[0] ?? ''), wanted, context });
  }
}

/** One session of a list in detail (S-92), on every node. */
async function compareDetails(
  { nodes, reader, ledger, round }: Case,
  site: Site,
  list: {
    question: Question;
    got: unknown;
    wanted: unknown;
    context: Parameters<typeof answer>[3];
  },
): Promise<void> {
  // One is enough, and comparing each with each takes its time.
  const [pair] = sessionIds(list.got, (list.wanted as unknown[]).slice(0, DETAILS_MAX));
  if (pair === undefined) return;
  const [ids, oracleIds] = pair;
  const { parameters } = list.question;
  const world: World = site.world(round);
  const said = answer(world, 'session/details', { ...parameters, ...oracleIds }, list.context);
  for (const node of nodes) {
    const asked = { id: site.made.id, ...parameters, ...ids };
    const details = await reader.patiently(node, 'session/details', asked);
    ledger.counts.compared++;
    const found = difference(comparableDetails(details), comparableDetails(said));
    if (found !== '') {
      const text = `session/details${decodeURIComponent(queryString(asked))}${found}`;
      ledger.differs(`${node.child.name}, ${site.name}: ${text}`.slice(0, TOLD_LENGTH));
    }
  }
}

/** An answer without what only one side knows. */
function comparable(site: Site, name: string, said: unknown): unknown {
  if (name === 'funnel') return (said as { data: unknown }).data;
  if (name === 'goals') {
    const rows = said as { page_goal: { name: string }; stats: unknown }[];
    return rows.map(({ page_goal, stats }) => ({ goal: page_goal.name, stats }));
  }
  if (name === 'session/list') return comparableSessions(withoutCutTies(said as Row[]));
  return site.isLive ? withoutTimes(said) : said;
}

/** A full page may end in the middle of sessions of one time, whose order hangs on their ids. */
function withoutCutTies(rows: readonly Row[]): readonly Row[] {
  if (rows.length < PAGE_ROWS) return rows;
  const keyOf = (row: Row | undefined): string => `${row?.time} ${row?.start}`;
  return rows.filter((row) => keyOf(row) !== keyOf(rows.at(-1)));
}

function withoutTimes(said: unknown): unknown {
  if (!Array.isArray(said)) return said;
  return said.map((row: Row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !TIME_FIELDS.includes(name))),
  );
}
