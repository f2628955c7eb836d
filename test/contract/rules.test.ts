// Goal: the pages of the semantics, the code that cites their rules and the tests that hold them agree.
// Method: a rule is what a page defines as `**I-12**`; ids are looked up in all sources as texts. A rule
// is held by a test when code of it, a title nearly always, names the id; a comment is not enough.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeLines, linesMatching, type SourceFile, sourceFiles } from './sources.ts';

const ID = /\b[FIASWMODPX]-\d+\b/g;
const RANGE = /\b([FIASWMODPX])-(\d+) to \1-(\d+)\b/g;

/** What management was asked to be, by its ids: none of them may fall under the table. */
const MANAGEMENT = [
  ...['M-1 to M-8', 'M-10 to M-17', 'M-20 to M-22', 'M-30 to M-32', 'M-40', 'M-50 to M-52'],
  ...['M-60', 'M-61', 'M-70', 'M-71', 'M-80 to M-83', 'M-90'],
].join(', ');
const MANAGEMENT_RULE_COUNT = 35;

const pages = sourceFiles(['src/docs'], '.md').filter(({ path }) =>
  /\/semantics[\w-]*\.md$/.test(path),
);
const sources = ['.ts', '.mjs'].flatMap((ending) =>
  sourceFiles(['src', 'workers', 'bench', 'test'], ending),
);
const HERE = 'test/contract/rules.test.ts';
/** This file names rules and holds none. */
const tests = sources.filter(
  ({ path }) => path !== HERE && (path.endsWith('.test.ts') || path.includes('/worked-examples/')),
);

const rules = pages.flatMap(({ text }) =>
  [...text.matchAll(/\*\*([FIASWMODPX]-\d+)\b/g)].map((found) => String(found[1])),
);
const notBuilt = idsOf(chapter(readFileSync('src/docs/semantics.md', 'utf8'), 'Not built yet'));

/** The lines of a page under one of its headings. */
function chapter(page: string, heading: string): string {
  return page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

/** Every id of a text, those between the ends of a range included. */
function idsOf(text: string): Set<string> {
  const between = [...text.matchAll(RANGE)].flatMap(([, letter, first, last]) =>
    Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, n) => `${letter}-${Number(first) + n}`,
    ),
  );
  return new Set([...(text.match(ID) ?? []), ...between]);
}

const citedIn = (files: readonly SourceFile[]): Map<string, string> =>
  new Map(files.flatMap(({ path, text }) => (text.match(ID) ?? []).map((id) => [id, path])));

/** Without comments. */
const codeOf = (file: SourceFile): SourceFile => ({ ...file, text: codeLines(file).join('\n') });

test('the pages are read', () => {
  expect(pages.length).toBeGreaterThan(5);
  expect(rules.length).toBeGreaterThan(200);
});

test('every rule stands once, and none is built and not built', () => {
  const twice = rules.filter((id, index) => rules.indexOf(id) !== index);
  expect(twice).toEqual([]);
  expect(rules.filter((id) => notBuilt.has(id))).toEqual([]);
});

test('every rule of management is built: it stands on a page', () => {
  expect(idsOf(MANAGEMENT).size).toBe(MANAGEMENT_RULE_COUNT);
  expect([...idsOf(MANAGEMENT)].filter((id) => !rules.includes(id))).toEqual([]);
  expect(rules.filter((id) => id.startsWith('M-') && !idsOf(MANAGEMENT).has(id))).toEqual([]);
});

test('every rule that a source cites exists', () => {
  const unknown = [...citedIn(sources)].filter(([id]) => !rules.includes(id) && !notBuilt.has(id));
  expect(unknown).toEqual([]);
});

test('every rule that a page refers to exists', () => {
  const unknown = [...citedIn(pages)].filter(([id]) => !rules.includes(id) && !notBuilt.has(id));
  expect(unknown).toEqual([]);
});

test('every rule is held by a test that names it', () => {
  const held = citedIn(tests.map(codeOf));
  expect(rules.filter((id) => !held.has(id))).toEqual([]);
});

test('what no test can hold yet is held by none', () => {
  expect([...citedIn(tests.map(codeOf)).keys()].filter((id) => notBuilt.has(id))).toEqual([]);
});

test('no source points to a chapter of a text that is not here', () => {
  const chapter =
    /\b(?:semantics|contract)[,;]? \(?(?:section|\d)|\(sections? \d|(?:interface|architecture|rooms|style)\.md/i;
  const found = sources
    .filter(({ path }) => path !== HERE)
    .flatMap((file) => linesMatching(file, chapter, [...file.lines]));
  expect(found).toEqual([]);
});
