// Goal: what the project says about itself can be followed: links, files, folders and pages are there.
// Method: every markdown page as text; a link is resolved from its page, a path that stands in code
// marks from the root, from `src`, or from its page.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/endpoints.ts';
import { errors } from '../../src/model/errors.ts';
import * as limits from '../../src/model/limits.ts';
import * as outgoingLimits from '../../src/model/outgoing-limits.ts';
import { STATISTICS } from '../../src/query/answers/statistics.ts';
import { environmentName, SETTING_KEYS } from '../../src/settings/schema.ts';
import { sourceFiles } from './sources.ts';

const MAP = 'src/README.md';
const pages = [
  ...['README.md', 'CHANGELOG.md', MAP, 'src/DECISIONS.md', 'bench/README.md'],
  ...sourceFiles(['src/docs'], '.md').map(({ path }) => path),
];
/** A path with a folder: `edge/http/reply.ts`, `src/api/`; of data at run time nothing ends so. */
const FILE = /`((?:[a-z][\w-]*\/)+[\w.-]+\.(?:ts|mjs|md|json|conf|yaml|svg))`/g;
const FOLDER = /`((?:src|workers|bench|test|config)\/(?:[\w-]+\/)*)`/g;
/** A name like those of limits, errors and settings. */
const CONSTANT = /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/g;
const LINK = /\]\(([^)\s]+)\)/g;

const textOf = (page: string): string => readFileSync(page, 'utf8');
const found = (page: string, pattern: RegExp): string[] =>
  [...textOf(page).matchAll(pattern)].map((match) => String(match[1]));

/** Where the links of a page lead within the project: `[path, anchor]`. */
function linksOf(page: string): [path: string, anchor: string][] {
  return found(page, LINK)
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return [path === '' ? page : normalize(join(dirname(page), path)), anchor];
    });
}

/** The anchors that headings have where the pages are read. */
function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map((heading) =>
    String(heading[1])
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(pages)('%s', (page) => {
  test('names files and folders that are there', () => {
    const named = [...found(page, FILE), ...found(page, FOLDER)];
    const missing = named.filter((path) =>
      ['', 'src', dirname(page)].every((from) => !existsSync(join(from, path))),
    );
    expect(missing).toEqual([]);
  });

  test('has links that lead somewhere', () => {
    const broken = linksOf(page).filter(
      ([path, anchor]) => !existsSync(path) || (anchor !== '' && !anchorsOf(path).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });
});

test.each(pages.filter((page) => page.startsWith('src/')))(
  '%s names limits, errors and settings that there are',
  (page) => {
    const known = new Set([
      ...[...Object.keys(limits), ...Object.keys(outgoingLimits), ...Object.keys(errors)],
      ...[...SETTING_KEYS.map(environmentName), 'FOOTFALL_CONFIG'],
    ]);
    expect(found(page, CONSTANT).filter((name) => !known.has(name))).toEqual([]);
  },
);

test('the map links every page, or the index of its chapter does', () => {
  const chapters = linksOf(MAP).map(([path]) => path);
  const indexes = chapters.filter((path) => /docs\/(?:semantics|operating)\.md$/.test(path));
  const linked = new Set([
    ...chapters,
    ...indexes.flatMap((page) => linksOf(page).map(([path]) => path)),
  ]);
  const told = pages.filter((page) => page.startsWith('src/docs/'));
  expect(told.filter((page) => !linked.has(page))).toEqual([]);
});

test('the map names every folder of src, and no folder that is not there', () => {
  const folders = readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  expect(found(MAP, /^\| `(\w+)\/` \|/gm).toSorted()).toEqual(folders.toSorted());
});

test('the pages of the semantics name every endpoint', () => {
  const page = sourceFiles(['src/docs'], '.md')
    .map(({ path, text }) => (path.includes('/semantics') ? text : ''))
    .join('');
  const told = endpoints
    // Doubled prefixes are for one client that asks there; statistics stand in a table of their own.
    .filter(({ path }) => !path.includes('//') && !path.startsWith('/api/v1/statistics/'))
    .map(({ method, path }) => `${method} ${path}`);
  expect(told.filter((endpoint) => !page.includes(`\`${endpoint}\``))).toEqual([]);
});

test('the pages of the semantics name every statistic', () => {
  const page = textOf('src/docs/semantics-statistics.md') + textOf('src/docs/semantics-api.md');
  const names = STATISTICS.map(({ name }) => name).filter((name) => !name.startsWith('options/'));
  const generic = ['utm/source', 'utm/medium', 'utm/campaign', 'utm/content', 'utm/term'];
  const missing = names.filter(
    (name) => !generic.includes(name) && !new RegExp(`[\\s\`/]${name}[\\s\`.,:?)]`).test(page),
  );
  expect(missing).toEqual([]);
});

test('no page is longer than a sitting', () => {
  const LINES_MAX = 300;
  const long = pages
    .filter((page) => page.startsWith('src/') && page !== 'src/DECISIONS.md')
    .filter((page) => textOf(page).split('\n').length > LINES_MAX);
  expect(long).toEqual([]);
});
