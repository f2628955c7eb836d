/**
 * Goal: whatever is uploaded is read, or refused with a sentence: no file throws what nobody expects,
 * takes for ever, or more memory than its bounds (P-1, P-3).
 * Method: files as attackers make them, and seeded mutations of the samples of each adapter, through all
 * of the reading, into a stage on the disk. Long: thousands of mutations.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ImportRefusal } from '../../src/imports/adapter.ts';
import { readSource } from '../../src/imports/job/source-reader.ts';
import { claimStage } from '../../src/imports/job/stage.ts';
import type { SourcePath } from '../../src/imports/source/files.ts';
import { NOWHERE } from '../../src/ingest/place/place.ts';
import { SOURCE_NAME_LENGTH_MAX } from '../../src/model/import-limits.ts';
import { runs, SEED } from '../support/runs.ts';
import { zipOf } from '../support/zip.ts';
import { Stream } from '../torture/random.ts';

/** Exports without dates are never read. */
const UNDATED = new Set(['umami-interface', 'plausible-download']);
const SAMPLES = join(import.meta.dirname, '../data/imports');
const OUTSIDE = { locate: () => NOWHERE, addresses: null };
const MUTANTS = 4_400;
const TIMEOUT_MS = 3_600_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footfall-hostile-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Reads files as a job does. @returns rows read, or the sentence that they are refused with. */
async function outcomeOf(files: readonly SourcePath[]): Promise<number | string> {
  const stage = mkdtempSync(join(folder, 'stage-'));
  let rows = 0;
  const task = {
    site: {
      ...{ domainId: 'domain', hostname: 'example.org', alternatives: [] },
      ...{ blocked: ['198.51.100.0/24'], allowed: [] },
    },
    ...{ timezone: 'Europe/Berlin', files, folder: stage, claim: claimStage(stage) },
    ...{ fromDay: null, toDay: null, nativeMs: Date.UTC(2100, 0, 1) },
    visitorKey: new Uint8Array(16),
  };
  try {
    await readSource(task, OUTSIDE, (progress) => {
      rows = progress.rowsRead;
    });
    return rows;
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error;
    return error.message;
  } finally {
    rmSync(stage, { recursive: true });
  }
}

async function read(name: string, content: string | Buffer): Promise<number | string> {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return outcomeOf([{ path, name }]);
}

const GOATCOUNTER_NAMES =
  '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,' +
  'Screen size,Location,FirstVisit,Date\n';
const GOATCOUNTER_ROW =
  ',Title,false,,Firefox 120,Linux,s1,0,,,"1,1,1",DE,true,2024-01-01T00:00:00Z\n';
const SUMS =
  '"date","visitors","pageviews","bounces","visits","visit_duration"\n2024-01-01,1,2,0,1,9\n';
const SUMS_NAME = 'imported_visitors.csv';

/** A table of 64 MB that is good in every row. */
function bomb(): Buffer {
  const [names, row] = SUMS.split('\n') as [string, string];
  return Buffer.from(`${names},note\n${`${row},${'a'.repeat(500_000)}\n`.repeat(128)}`);
}

/** An archive with what stands at a place of its first local header or its first entry replaced. */
function forged(archive: Buffer, mark: string, at: number, bytes: Buffer): Buffer {
  const copy = Buffer.from(archive);
  bytes.copy(copy, copy.indexOf(mark) + at);
  return copy;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const WHOLE = zipOf({ [SUMS_NAME]: SUMS });
const LARGEST = word(0xffff_ffff);

test.each([
  ['a bomb', zipOf({ [SUMS_NAME]: bomb() }, 9), 'at most 300 times'],
  ['an archive in an archive', zipOf({ 'a.zip': WHOLE }), 'an export of Plausible'],
  ['a name that leads out of its folder', zipOf({ '../../a.csv': 'a' }), 'a whole zip archive'],
  ['a name without an end', zipOf({ ['a'.repeat(SOURCE_NAME_LENGTH_MAX + 1)]: 'a' }), 'names of'],
  ['a size that is a lie', forged(WHOLE, 'PK\x01\x02', 24, word(9)), 'a whole zip archive'],
  ['a size of zip64 that is none', forged(WHOLE, 'PK\x01\x02', 20, LARGEST), 'a whole zip archive'],
  ['a place beyond the end', forged(WHOLE, 'PK\x01\x02', 42, word(1 << 30)), 'a whole zip archive'],
  ['a directory beyond the end', forged(WHOLE, 'PK\x05\x06', 16, LARGEST), 'a whole zip archive'],
  ['more entries than there are', forged(WHOLE, 'PK\x05\x06', 10, word(65_000)), 'whole zip'],
  ['an end that is missing', WHOLE.subarray(0, -1), 'a whole zip archive'],
  ['nothing at all', Buffer.alloc(0), 'a whole zip archive'],
])('an archive with %s is refused', async (_, archive, reason) => {
  expect(await read('a.zip', archive)).toContain(reason);
});

test('packed files are bounded by what they grow to, and named when they are cut off', async () => {
  expect(await read(`${SUMS_NAME}.gz`, gzipSync(bomb()))).toContain('at most 300 times');
  expect(await read(`${SUMS_NAME}.gz`, gzipSync(SUMS).subarray(0, -9))).toContain('whole gzip');
  expect(await read(`${SUMS_NAME}.gz`, gzipSync(SUMS))).toBe(1);
});

test.each([
  ['a line without an end', 'a.csv', GOATCOUNTER_NAMES + '/x'.repeat(2 << 20), 'a row of at most'],
  ['400,000 columns', SUMS_NAME, `date,visitors${',a'.repeat(400_000)}\n`, 1],
  ['a million columns', SUMS_NAME, `date,visitors${',a'.repeat(1_000_000)}\n1`, 'a row of at most'],
  ['NUL bytes', 'a.csv', GOATCOUNTER_NAMES + '/\0'.repeat(9) + GOATCOUNTER_ROW, 1],
  ['only NUL bytes', SUMS_NAME, Buffer.alloc(3 << 20), 'a row of at most'],
  ['bytes that are no text', SUMS_NAME, Buffer.from([0xc3, 0x28, 0x0a]), 'text in UTF-8'],
  ['UTF-16', SUMS_NAME, Buffer.from(`\u{feff}${SUMS}`, 'utf16le'), 1],
  ['half a character of UTF-16', SUMS_NAME, Buffer.from([0xff, 0xfe, 0x61]), 'text in UTF-8'],
  ['JSON that is deep', 'visits.json', `[{"idVisit":1,"a":${'['.repeat(1 << 20)}`, 'a depth of'],
  [
    'JSON without an end',
    'visits.json',
    `[{"idVisit":"${'a'.repeat(17 << 20)}`,
    'entries of at most',
  ],
  ['a dump without an end', 'umami.sql', `-- umami\n${'x'.repeat(2 << 20)}`, 'a line of at most'],
  ['quotes only', 'a.csv', `${GOATCOUNTER_NAMES}${'"'.repeat(300_001)}`, 'quotes'],
])('a file with %s is read or refused', async (_, name, content, outcome) => {
  const found = await read(name, content);
  if (typeof outcome === 'string') expect(found).toContain(outcome);
  // A line of names alone has no rows.
  else expect([outcome, outcome - 1]).toContain(found);
});

test('expressions do not go back over what they have read, however often they may begin', async () => {
  const time = ' [31/Jan/2024:23:59:59 +0100] "';
  const head = `203.0.113.9 - - [31/Jan/2024:23:59:59 +0100] "GET / HTTP/1.1" 200 1 "-" "a"\n`;
  // Every time may be the one; a quote that stays open reaches to the end each time.
  const line = `203.0.113.9 - -${time.repeat(30_000)}`;
  expect(await read('access.log', `${head}${line}\n`)).toContain('the combined log format');
  const agent = head.replace('"a"', `"${'a.bot/ (compatible; '.repeat(40_000)}"`);
  expect(await read('access.log', head + agent)).toBe(2);
  const name = `imported_${'a_'.repeat(400)}.csv`;
  expect(await read('a.zip', zipOf({ [name]: SUMS, 'x.get.get.get.csv': 'a' }))).toContain(
    'export',
  );
});

/** The samples, as files by their names. */
function sampleFiles(): Map<string, ReadonlyMap<string, Buffer>> {
  const samples = readdirSync(SAMPLES).filter((name) => name !== 'expected');
  return new Map(
    samples.map((sample) => {
      const names = readdirSync(join(SAMPLES, sample));
      return [
        sample,
        new Map(names.map((name) => [name, readFileSync(join(SAMPLES, sample, name))])),
      ];
    }),
  );
}

const TOKENS = [
  ...[
    '"',
    "'",
    ',',
    '\n',
    '\r\n',
    '\0',
    '\u{feff}',
    '\\',
    '\\N',
    '\\.\n',
    '\t',
    '{',
    '[',
    ']',
    '}',
  ],
  ...['-1', '1e308', '999999999999999', '0x10', '2024-02-30', '9999-12-31', 'NaN', 'null', 'true'],
  ...[
    '__proto__',
    'constructor',
    '%',
    '://',
    'https://',
    '..',
    '\u{1f600}',
    '\ud800',
    ' '.repeat(99),
  ],
].map((token) => Buffer.from(token));

function below(random: Stream, limit: number): number {
  return random.whole(0, limit - 1);
}

/** One change to a file. */
function mutated(bytes: Buffer, random: Stream): Buffer {
  const at = below(random, bytes.length + 1);
  const length = below(random, Math.min(200, bytes.length - at) + 1);
  const [before, some, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, at + length),
    bytes.subarray(at + length),
  ];
  const kind = below(random, 6);
  if (kind === 0) return Buffer.concat([before, after]);
  if (kind === 1) return Buffer.concat([before, some, some, after]);
  if (kind === 2) return Buffer.from(before);
  if (kind === 3) return Buffer.concat([before, random.pick(TOKENS), after]);
  if (kind === 4) return Buffer.concat([before, random.pick(TOKENS), some, after]);
  const flipped = Buffer.from(bytes);
  if (at < flipped.length) flipped[at]! ^= 1 << below(random, 8);
  return flipped;
}

test.each([...sampleFiles()])(
  'mutations of %s are read or refused',
  async (sample, files) => {
    const random = new Stream(SEED, sample);
    const outcomes = { read: 0, refused: 0 };
    for (let mutant = 0; mutant < runs(MUTANTS) / 11; mutant++) {
      const changed = new Map(files);
      for (let change = below(random, 3); change >= 0; change--) {
        const name = random.pick([...changed.keys()]);
        changed.set(name, mutated(changed.get(name) as Buffer, random));
      }
      const out = join(folder, `mutant-${mutant}`);
      mkdirSync(out);
      let path = out;
      if (below(random, 4) === 0) {
        path = join(out, 'all.zip');
        const archive = zipOf(Object.fromEntries(changed));
        writeFileSync(path, below(random, 2) === 0 ? mutated(archive, random) : archive);
      } else for (const [name, bytes] of changed) writeFileSync(join(out, name), bytes);
      const outcome = await outcomeOf([{ path, name: basename(path) }]).catch((error: Error) => {
        throw new Error(`mutant ${mutant} of ${sample}: ${error.stack}`);
      });
      outcomes[typeof outcome === 'number' ? 'read' : 'refused']++;
      rmSync(out, { recursive: true });
    }
    // Both happen, or the mutations are none; what is never read has one outcome only.
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(outcomes.read).toBeGreaterThan(UNDATED.has(sample) ? -1 : 0);
  },
  TIMEOUT_MS,
);
