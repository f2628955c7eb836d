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
import { encodeImport } from '../../src/bus/record/import-record.ts';
import { EXPORT_FILE_FORMATS, type ExportFileFormat } from '../../src/exports/columns.ts';
import { writeExportFiles } from '../../src/exports/export-segments.ts';
import { planOf } from '../../src/exports/plan.ts';
import type { DaySums } from '../../src/exports/rows/sum-rows.ts';
import type { ImportedSession, ImportedSum } from '../../src/imports/adapter.ts';
import { FOOTFALL } from '../../src/imports/products/footfall/footfall.ts';
import { openSource } from '../../src/imports/source/files.ts';
import type { HitGroup } from '../../src/model/hit.ts';
import { asDomainId } from '../../src/model/ids.ts';
import { batchesOfSums, storedSum } from '../../src/model/imported-sum.ts';
import { storedDays, storedSegment } from '../../src/runtime/exports/stored-days.ts';
import { readImports } from '../../src/segment/disk/imported-sums.ts';
import { NONE } from '../../src/segment/memory/layout.ts';
import type { Segment } from '../../src/segment/memory/segment.ts';
import { DomainImports } from '../../src/shard/imports/domain-imports.ts';
import { Sessionizer } from '../../src/shard/state/sessionizer.ts';
import type { Bench } from '../support/judge/bench.ts';
import { emptyDomain, engineBench, StoredEngine } from '../support/judge/engine-bench.ts';
import { BERLIN } from '../support/judge/engine-cases.ts';
import { findDisagreement, type Site } from '../support/judge/judge.ts';
import type { RawParameters } from '../support/oracle/answers/question.ts';
import { runs, seedOf } from '../support/runs.ts';
import { makeTemporaryDirectory } from '../support/service.ts';
import { asksBefore } from '../support/traffic/imports.ts';
import { asks } from '../support/traffic/questions.ts';

const TIMEOUT_MS = 3_600_000;
const TITLED: Site = { ...BERLIN, timezone: 'Australia/Lord_Howe', groupByTitle: true };
const WATCH = { onBytes: () => undefined, onRows: () => undefined };

/** Where the rows of a domain are, and where those of an export go. */
interface Store {
  readonly bench: Bench;
  segments(): Segment[];
  sums(): Iterable<DaySums>;
  take(group: HitGroup): void;
  takeSums(sums: readonly ImportedSum[]): void;
}

function inMemory(site: Site): Store {
  const domain = emptyDomain();
  const sessionizer = new Sessionizer();
  return {
    bench: engineBench(site, domain),
    segments: () => [...domain.segments.values()].map(({ segment }) => segment),
    sums: () => [],
    take(group) {
      const record = decodeGroups(encodeGroups([group]));
      for (let row = 0; row < group.hits.length; row++) sessionizer.apply(domain, record, row);
    },
    takeSums: (sums) => expect(sums).toEqual([]),
  };
}

function onDisk(site: Site, engine: StoredEngine): Store {
  const domainId = engine.newDomain();
  return {
    bench: engine.open(site, domainId),
    segments() {
      const environment = engine.settled();
      const days = storedDays(environment, domainId);
      return days.flatMap((day) => storedSegment(environment, domainId, day) ?? []);
    },
    sums() {
      const environment = engine.settled();
      const imports = new DomainImports(readImports(environment, domainId));
      return imports.shownSums(environment, domainId, PLAN.days);
    },
    take: (group) => engine.append(encodeGroups([{ ...group, domainId }])),
    takeSums(sums) {
      const stored = sums.map(storedSum);
      if (stored.length === 0) return;
      const importId = 'moved';
      for (const [at, batch] of batchesOfSums(stored).entries()) {
        const add = { kind: 'add', batch: at + 1, sums: batch } as const;
        engine.append(encodeImport({ domainId, importId, ...add }));
      }
      const days = stored.map(({ day }) => day);
      const span = { fromDay: Math.min(...days), toDay: Math.max(...days) };
      engine.append(encodeImport({ domainId, importId, kind: 'show', ...span }));
    },
  };
}

const PLAN = planOf(
  { what: 'all', format: 'csv', fromDay: null, toDay: null },
  { id: 'domain', hostname: BERLIN.hostname, timezone: BERLIN.timezone },
  0,
);

/** Exports a domain and imports the files into an empty one, sessions by their start as a job does. */
async function move(from: Store, to: Store, format: ExportFileFormat, site: Site) {
  const directory = makeTemporaryDirectory();
  const out = join(directory, 'out');
  const segments = from.segments().sort((one, other) => one.day - other.day);
  writeExportFiles({ segments, sums: from.sums() }, { ...PLAN, format }, out, WATCH);
  const source = await openSource([{ path: out, name: 'out' }]);
  expect(FOOTFALL.recognises(await source.samples())).toBe(true);
  const sessions: ImportedSession[] = [];
  const sums: ImportedSum[] = [];
  for await (const rows of FOOTFALL.read(source.files, { timezone: site.timezone })) {
    for (const row of rows) {
      if ('dimension' in row) sums.push(row);
      else sessions.push(row as ImportedSession);
    }
  }
  source.close();
  rmSync(directory, { recursive: true });
  for (const { hits } of sessions.toSorted((one, other) => one.at - other.at)) {
    const head = { receivedMs: 0, idempotencyHash: '', dropped: null };
    to.take({ ...head, domainId: asDomainId('domain'), hits: [...hits] });
  }
  to.takeSums(sums);
}

/** Ids of the sessions of a visitor, by start. */
function sessionsOf(store: Store, visitorId: string): number[] {
  const found: { startMs: number; id: number }[] = [];
  for (const segment of store.segments()) {
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
function movedBench(site: Site, format: ExportFileFormat, open: () => Store): Bench {
  const here = open();
  const { bench } = here;
  let there: Promise<Store> | null = null;
  let define = (_: Bench): Promise<void> => Promise.resolve();
  const arrived = async () => {
    const other = open();
    await move(here, other, format, site);
    await define(other.bench);
    return other;
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
    importSums: async (action) => {
      there = null;
      await bench.importSums?.(action);
    },
    ask: async (name, parameters) => {
      const own = await bench.ask(name, parameters);
      // Who is active is known from memory, and an import is never active.
      if (name === 'active') return own;
      there ??= arrived();
      const other = await there;
      const said = await other.bench.ask(name, translated(parameters, here, other));
      if (bytesOf(said) !== bytesOf(own)) {
        throw new Error(`${format} ${name} ${JSON.stringify(parameters)}
here  ${JSON.stringify(own)}\nthere ${JSON.stringify(said)}`);
      }
      return own;
    },
    dropped: () => null,
  };
}

function translated(parameters: RawParameters, here: Store, there: Store) {
  const { visitor_id: visitor, session_id: session } = parameters;
  if (typeof visitor !== 'string' || session === undefined) return parameters;
  const place = sessionsOf(here, visitor).indexOf(Number(session));
  return { ...parameters, session_id: String(sessionsOf(there, visitor)[place] ?? session) };
}

function bytesOf(answer: unknown): string {
  return JSON.stringify(answer, (name, value: unknown) => (name === 'session_id' ? 0 : value));
}

interface MovedCase {
  readonly title: string;
  readonly full: number;
  readonly site: Site;
  readonly hasErasures?: true;
  /** Sums of other products come between the requests; on disk, where there are any. */
  readonly hasImports?: true;
}

const CASES: readonly MovedCase[] = [
  { title: 'an export that is imported gives the same statistics (P-10)', full: 120, site: BERLIN },
  { title: 'it does by title and in a zone of half hours (P-10)', full: 60, site: TITLED },
  {
    ...{ title: 'it does when something was deleted before (P-10, A-81)', full: 120, site: BERLIN },
    hasErasures: true,
  },
  {
    ...{ title: 'it does with what other products counted before (P-10, S-98)', full: 120 },
    ...{ site: BERLIN, hasImports: true },
  },
  {
    title: 'it does when some of what they counted was deleted (P-10, S-98, A-81)',
    ...{ full: 120, site: BERLIN, hasImports: true, hasErasures: true },
  },
];

const TITLED_CASES = CASES.map((asked) => [asked.title, asked] as const);

test.each(TITLED_CASES)(
  '%s',
  { timeout: TIMEOUT_MS },
  async (title, { full, site, hasErasures, hasImports }) => {
    let opened = 0;
    const directory = makeTemporaryDirectory();
    const engine = new StoredEngine(directory);
    const open = () => (hasImports === true ? onDisk(site, engine) : inMemory(site));
    try {
      const found = await findDisagreement({
        ...{ site, seed: seedOf(title), runs: runs(full), asks: asks() },
        ...(hasErasures === true ? { erases: 'at once' as const } : {}),
        ...(hasImports === true ? { imports: true, asks: asksBefore() } : {}),
        open: async () => {
          const format = EXPORT_FILE_FORMATS[opened++ % 3] as ExportFileFormat;
          return movedBench(site, format, open);
        },
      });
      expect(found).toBe('');
    } finally {
      await engine.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
);
