// Goal: the rules of the house style that no linter knows hold in every file.
// Method: read the sources as texts; each rule collects the lines that break it and expects none.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as generalLimits from '../../src/model/limits.ts';
import * as outgoingLimits from '../../src/model/outgoing-limits.ts';
import { linesMatching, type SourceFile, sourceFiles } from './sources.ts';

const FILE_LINES_MAX = 500;
/** The formatter keeps code to 100; a comment may finish its last word. */
const LINE_COLUMNS_MAX = 105;
const HEADER_LINES_MAX = 30;
const WORKER_LINES_MAX = 60;

const src = sourceFiles(['src']);
const workers = sourceFiles(['workers']);
const bench = sourceFiles(['bench']);
const inTest = sourceFiles(['test']);
/** The command `footfall torture` is shipped, its code is held to what is asked of the product's. */
const isTorture = ({ path }: SourceFile): boolean =>
  path.startsWith('test/torture/') && !path.endsWith('.test.ts');
const tests = inTest.filter((file) => !isTorture(file));
const product = [...src, ...workers];
/** What runs in browsers has clocks, and errors, of its own. */
const onServer = product.filter(({ path }) => !path.startsWith('src/dashboard/app/'));
const torture = inTest.filter(isTorture);
const sources = [...product, ...bench, ...torture];
const all = [...sources, ...tests];

/** Word lists are generated and as long as the world is. */
/** Data as code: word lists, and types that a tool writes. */
const isWordList = ({ path }: SourceFile): boolean =>
  /^src\/(?:ingest\/data\/|client\/operations)/.test(path);

test('the contract tests see the sources', () => {
  expect(src.length).toBeGreaterThan(20);
  expect(tests.length).toBeGreaterThan(3);
});

describe('every file', () => {
  test('of src, workers and bench opens with a header block that says what lives there', () => {
    const without = sources.filter((file) => !hasHeader(file)).map((file) => file.path);
    expect(without).toEqual([]);
  });

  test('is named by a noun of its own, never by a word that fits any file', () => {
    const banned = /^data$|(^|[.-])(utils?|helpers?|common|misc|manager|service|info|impl)([.-]|$)/;
    const named = product.filter((file) => {
      const name = file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.ts$/, '');
      return banned.test(name);
    });
    expect(named.map((file) => file.path)).toEqual([]);
  });

  test.each([
    { of: 'src, workers and bench', files: sources, linesMax: FILE_LINES_MAX },
    { of: 'test', files: tests, linesMax: FILE_LINES_MAX },
    { of: 'workers', files: workers, linesMax: WORKER_LINES_MAX },
  ])('of $of has at most $linesMax lines', ({ files, linesMax }) => {
    const long = files.filter((file) => !isWordList(file) && file.lines.length - 1 > linesMax);
    expect(long.map((file) => `${file.path}: ${file.lines.length - 1}`)).toEqual([]);
  });

  test('has lines that fit a page, also where the formatter leaves them alone', () => {
    const wide = all.flatMap((file) =>
      isWordList(file) ? [] : file.lines.flatMap((line, index) => wideLine(file, line, index)),
    );
    expect(wide).toEqual([]);
  });

  test('marks what is left to do as TODO(#issue) or not at all', () => {
    const marks = new RegExp(
      `\\b(${['FIX', 'ME'].join('')}|XXX|HACK)\\b|TO${'DO'}(?!\\(#\\d+\\): )`,
    );
    const wrong = sources.flatMap((file) => linesMatching(file, marks, [...file.lines]));
    expect(wrong).toEqual([]);
  });
});

describe('there is one way in', () => {
  test.each([
    { what: 'the clock is read', by: /\bDate\.now\b|\bnew Date\(\)/, in: ['src/base/clock.ts'] },
    {
      what: 'randomness is drawn',
      by: /\bMath\.random\b|\brandom(Bytes|UUID|Int|FillSync)\b/,
      in: ['src/base/random.ts'],
    },
    {
      what: 'bare errors are made',
      by: /\bnew (Error|TypeError|RangeError)\(/,
      in: ['src/base/'],
    },
    {
      what: 'lines are written for people and programs (P-32)',
      by: /\bconsole\.|\bprocess\.std(out|err)\b|'pino'|\bwriteSync\([12],/,
      in: ['src/base/log.ts', 'src/cli/', 'src/main.ts'],
    },
    { what: 'the environment is read', by: /\bprocess\.env\b/, in: ['src/settings/'] },
  ])('$what only in $in', ({ by, in: places }) => {
    const outside = onServer.filter((file) => !places.some((place) => file.path.startsWith(place)));
    expect(outside.flatMap((file) => linesMatching(file, by))).toEqual([]);
  });
});

describe('names', () => {
  test('never contain a word that says nothing, and interfaces have no prefix or suffix', () => {
    const declaration =
      /^(export )?(abstract )?(async )?(class|interface|type|function|const) (\w*(Utils?|Helpers?|Manager|Impl)\b|(utils?|helpers?|manager|misc|common)\b|I[A-Z][a-z]\w*\b(?=.*\{$)(?<=interface \w+))/;
    expect(sources.flatMap((file) => linesMatching(file, declaration))).toEqual([]);
  });

  test('of limits carry their unit', () => {
    const unit =
      /(_|^)(MS|SECONDS|DAYS|BYTES|LENGTH|COUNT|VIEWS|EXTENDED|VALUES|TEXTS|ROWS|BLOCKS|LIMIT|PERCENT|DEPTH)(_|$)/;
    const without = Object.entries({ ...generalLimits, ...outgoingLimits })
      .filter(([name, value]) => typeof value === 'number' && !unit.test(name))
      .map(([name]) => name);
    expect(without).toEqual([]);
  });

  test.each(['src/model/limits.ts', 'src/model/outgoing-limits.ts'])(
    'of %s have a reason beside them',
    (path) => {
      const lines = readFileSync(path, 'utf8').split('\n');
      const bare = lines.filter((line, index) => {
        if (!/^export const \w+ =/.test(line) || /^export const \w+_MS = [\d_]+;$/.test(line)) {
          return false;
        }
        return !isDocumented(lines, index);
      });
      expect(bare).toEqual([]);
    },
  );
});

test('every exported function and class says what comes out of it', () => {
  const bare = sources.flatMap((file) =>
    file.lines.flatMap((line, index) =>
      /^export (abstract )?(async )?(function|class)\b/.test(line) &&
      !isDocumented(file.lines, index)
        ? [`${file.path}:${index + 1}: ${line}`]
        : [],
    ),
  );
  expect(bare).toEqual([]);
});

/** A header is the first thing in the file, save a shebang, and is neither a label nor an essay. */
function hasHeader(file: SourceFile): boolean {
  const start = file.lines[0]?.startsWith('#!') ? 1 : 0;
  if (!file.lines[start]?.startsWith('/**')) return false;
  const end = file.lines.findIndex((line) => line.includes('*/'));
  const words = file.lines
    .slice(start, end + 1)
    .join(' ')
    .split(/\s+/).length;
  return end - start < HEADER_LINES_MAX && words >= 7;
}

/** A long text or pattern cannot be broken; a long comment can. */
function wideLine(file: SourceFile, line: string, index: number): string[] {
  if (line.length <= LINE_COLUMNS_MAX) return [];
  if (/['"`/][^'"`]{40,}|https?:\/\//.test(line) && !/^\s*(\*|\/\/)/.test(line)) return [];
  return [`${file.path}:${index + 1}: ${line.length} columns`];
}

/** The lines above, up to an empty one, hold a docstring (one may stand above a group). */
function isDocumented(lines: readonly string[], index: number): boolean {
  for (let above = index - 1; above >= 0; above--) {
    const line = lines[above]?.trim() ?? '';
    if (line.endsWith('*/')) return true;
    if (line === '') return false;
  }
  return false;
}
