/**
 * Goal: what is exported and imported into an empty domain gives the same statistics, byte for byte,
 * in each format, whatever the traffic and whatever was deleted of it (P-10).
 * Method: the cases of the engine's properties; each question is asked of both domains, and the answer
 * is judged by the oracle as well. Ids of sessions are apart: they are numbers of rows.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeGroups, encodeGroups } from '../../src/bus/record/codec.ts';
import { EXPORT_FILE_FORMATS, type ExportFileFormat } from '../../src/exports/columns.ts';
import { exportSegments } from '../../src/exports/export-segments.ts';
import { planOf } from '../../src/exports/plan.ts';
import type { ImportedSession } from '../../src/imports/adapter.ts';
import { FOOTFALL } from '../../src/imports/products/footfall/footfall.ts';
import { openSource } from '../../src/imports/source/files.ts';
import { asDomainId } from '../../src/model/ids.ts';
import { NONE } from '../../src/segment/memory/layout.ts';
import type { DomainState } from '../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../src/shard/state/sessionizer.ts';
import type { Bench } from '../support/judge/bench.ts';
import { emptyDomain, engineBench } from '../support/judge/engine-bench.ts';
import { BERLIN } from '../support/judge/engine-cases.ts';
import { findDisagreement, type Site } from '../support/judge/judge.ts';
import type { RawParameters } from '../support/oracle/answers/question.ts';
import { runs, seedOf } from '../support/runs.ts';
import { makeTemporaryDirectory } from '../support/service.ts';
import { asks } from '../support/traffic/questions.ts';

const TIMEOUT_MS = 3_600_000;
const TITLED: Site = { ...BERLIN, timezone: 'Australia/Lord_Howe', groupByTitle: true };
const WATCH = { onBytes: () => undefined, onRows: () => undefined };

/** Exports a domain and imports the files into an empty one, sessions by their start as a job does. */
async function moved(from: DomainState, format: ExportFileFormat, site: Site) {
  const directory = makeTemporaryDirectory();
  const out = join(directory, 'out');
  const domain = { id: 'domain', hostname: site.hostname, timezone: site.timezone };
  const plan = planOf({ what: 'all', format, fromDay: null, toDay: null }, domain, 0);
  const segments = [...from.segments.values()].map(({ segment }) => segment);
  segments.sort((one, other) => one.day - other.day);
  exportSegments(segments, plan, out, WATCH);
  const source = await openSource([{ path: out, name: 'out' }]);
  expect(FOOTFALL.recognises(await source.samples())).toBe(true);
  const sessions: ImportedSession[] = [];
  for await (const rows of FOOTFALL.read(source.files, { timezone: site.timezone })) {
    sessions.push(...(rows as ImportedSession[]));
  }
  source.close();
  rmSync(directory, { recursive: true });
  const to = emptyDomain();
  const sessionizer = new Sessionizer();
  for (const { hits } of sessions.toSorted((one, other) => one.at - other.at)) {
    const head = { receivedMs: 0, idempotencyHash: 'import:1', dropped: null };
    const group = { ...head, domainId: asDomainId('domain'), hits: [...hits] };
    const record = decodeGroups(encodeGroups([group]));
    for (let row = 0; row < hits.length; row++) sessionizer.apply(to, record, row);
  }
  return to;
}

/** Ids of the sessions of a visitor, by start. */
function sessionsOf(domain: DomainState, visitorId: string): number[] {
  const found: { startMs: number; id: number }[] = [];
  for (const { segment } of domain.segments.values()) {
    const { visitor, startMs } = segment.sessions.columns;
    const { low, high } = segment.visitors.columns;
    for (let row = 0; row < segment.sessions.rowCount; row++) {
      const of = visitor[row]!;
      if (of === NONE) continue;
      const id = String((BigInt(high[of]!) << 32n) | BigInt(low[of]!));
      if (id === visitorId) found.push({ startMs: startMs[row]!, id: row + 1 });
    }
  }
  return found.sort((one, other) => one.startMs - other.startMs).map(({ id }) => id);
}

/** A domain whose answers are those of the domain that it is imported into as well. */
function movedBench(site: Site, format: ExportFileFormat): Bench {
  const here = emptyDomain();
  const bench = engineBench(site, here);
  let there: { domain: DomainState; bench: Bench } | null = null;
  let define = (_: Bench): Promise<void> => Promise.resolve();
  const open = async () => {
    if (there !== null) return there;
    const domain = await moved(here, format, site);
    there = { domain, bench: engineBench(site, domain) };
    await define(there.bench);
    return there;
  };
  return {
    define: async (conversions) => {
      define = (other) => other.define(conversions);
      await bench.define(conversions);
    },
    send: (...request) => {
      there = null;
      return bench.send(...request);
    },
    erase: (deletion) => {
      there = null;
      return bench.erase(deletion);
    },
    ask: async (name, parameters) => {
      const own = await bench.ask(name, parameters);
      // Who is active is known from memory, and an import is never active.
      if (name === 'active') return own;
      const { domain, bench: other } = await open();
      const said = await other.ask(name, translated(parameters, here, domain));
      if (bytesOf(said) !== bytesOf(own)) {
        throw new Error(`${format} ${name} ${JSON.stringify(parameters)}
here  ${JSON.stringify(own)}\nthere ${JSON.stringify(said)}`);
      }
      return own;
    },
    dropped: () => null,
  };
}

function translated(parameters: RawParameters, here: DomainState, there: DomainState) {
  const { visitor_id: visitor, session_id: session } = parameters;
  if (typeof visitor !== 'string' || session === undefined) return parameters;
  const place = sessionsOf(here, visitor).indexOf(Number(session));
  return { ...parameters, session_id: String(sessionsOf(there, visitor)[place] ?? session) };
}

function bytesOf(answer: unknown): string {
  return JSON.stringify(answer, (name, value: unknown) => (name === 'session_id' ? 0 : value));
}

const CASES: readonly { title: string; full: number; site: Site; hasErasures?: true }[] = [
  { title: 'an export that is imported gives the same statistics (P-10)', full: 120, site: BERLIN },
  { title: 'it does by title and in a zone of half hours (P-10)', full: 60, site: TITLED },
  {
    ...{ title: 'it does when something was deleted before (P-10, A-81)', full: 120, site: BERLIN },
    hasErasures: true,
  },
];

const TITLED_CASES = CASES.map((asked) => [asked.title, asked] as const);

test.each(TITLED_CASES)(
  '%s',
  { timeout: TIMEOUT_MS },
  async (title, { full, site, hasErasures }) => {
    let opened = 0;
    const found = await findDisagreement({
      ...{ site, seed: seedOf(title), runs: runs(full), asks: asks() },
      ...(hasErasures === true ? { erases: 'at once' as const } : {}),
      open: async () => movedBench(site, EXPORT_FILE_FORMATS[opened++ % 3] as ExportFileFormat),
    });
    expect(found).toBe('');
  },
);
