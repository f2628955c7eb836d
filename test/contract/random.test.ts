// Goal: how much is tried, and with which seed, is said in one place (`test/support/runs.ts`).
// Method: read the tests as texts; nobody else names a number of cases or asks the environment for one.
import { expect, test } from 'vitest';
import { linesMatching, sourceFiles } from './sources.ts';

const PLACE = 'test/support/runs.ts';
/** Programs of their own, with options of their own. */
const PROGRAMS = /^test\/(torture|fuzz)\//;

const files = sourceFiles(['test']).filter(({ path }) => path !== PLACE && !PROGRAMS.test(path));

test.each([
  { what: 'a number of cases', by: /\bnumRuns:\s*\d/ },
  { what: 'a seed by the clock', by: /seed\w* = .*Date\.now/i },
  { what: 'a setting of the tests', by: /process\.env\.?\[?['"]?(?!\.)[A-Z]/ },
])('no test has $what of its own', ({ by }) => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => linesMatching(file, by))).toEqual([]);
});

test('every property names its share of the cases', () => {
  const without = files
    .filter(
      ({ path }) => /\.(test|conformance)\.ts$/.test(path) && !path.startsWith('test/contract/'),
    )
    .filter(({ text }) => /\bfc\.(assert|sample|check)\(/.test(text))
    .filter(({ text }) => {
      const asked = text.match(/\bfc\.(assert|sample|check)\(/g)?.length ?? 0;
      const shares = text.match(/\btries\(/g)?.length ?? 0;
      return shares < asked;
    });
  expect(without.map(({ path }) => path)).toEqual([]);
});
