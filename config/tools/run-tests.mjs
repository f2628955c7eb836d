/**
 * `node config/tools/run-tests.mjs [ARGUMENT…]` runs the tests with Vitest's arguments; end-to-end files
 * that failed are run once more, each from its own beginning.
 *
 * Two cores are shared by browsers, servers and services, and the tests of a file share a service: what
 * stopped half way cannot be tried again by itself. What passes only then is told, with what was wrong at
 * first: it is a fault of the test or of the program that somebody has to find. More than a few failed
 * files, or one of unit tests, or one whose tests look for losses, fail the run as they are; and so does
 * any in a long run, which would draw another seed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const REPORT = 'dist/test-report.json';
const AGAIN_REPORT = 'dist/test-report-again.json';
const FILES_AGAIN_MAX = 3;
/** Units share nothing with anybody. */
const END_TO_END = /\/test\/end-to-end\//;
/** What was lost once is lost, whatever a second run says. */
const LOSSES = /(killed|crash|torture)[^/]*\.test\.ts$/;

rmSync(REPORT, { force: true });
const given = process.argv.slice(2);
const status = vitest(given, REPORT);
if (status === 0 || !existsSync(REPORT)) process.exit(status);

const report = read(REPORT);
const failed = report.testResults.filter((file) => file.status === 'failed');
const isTriedAgain =
  process.env.FOOTFALL_TEST === undefined &&
  failed.length > 0 &&
  failed.length <= FILES_AGAIN_MAX &&
  failed.every(({ name }) => END_TO_END.test(name) && !LOSSES.test(name));
if (!isTriedAgain) process.exit(status);

const files = failed.map(({ name }) => relative(process.cwd(), name));
process.stderr.write(`\nonce more, from their beginning: ${files.join(', ')}\n`);
// Names of files are left out, what failed was among them; and so are options whose value stands apart.
const options = given.filter((argument) => /^--[^=]+=/.test(argument));
const again = vitest([...options, '--no-file-parallelism', ...files], AGAIN_REPORT);
if (again === 0) {
  writeFileSync(REPORT, JSON.stringify(joined(report, read(AGAIN_REPORT))));
  process.stderr.write(`passed at the second attempt:\n${firstFaults(failed)}\n`);
}
process.exit(again);

function vitest(words, report) {
  const run = ['run', '--config', 'config/tools/vitest.config.ts', `--outputFile.json=${report}`];
  const command = ['node_modules/vitest/vitest.mjs', ...run, ...words];
  return spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1;
}

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The report of the whole run, with what the files came to at last. */
function joined(first, second) {
  const name = ({ name }) => name;
  const tried = new Map(second.testResults.map((file) => [name(file), file]));
  const testResults = first.testResults.map((file) => tried.get(name(file)) ?? file);
  const count = (status) =>
    testResults.flatMap((file) => file.assertionResults).filter((test) => test.status === status)
      .length;
  return {
    ...{ ...first, testResults, success: true, numFailedTests: 0 },
    numPassedTests: count('passed'),
    numPendingTests: count('skipped') + count('pending'),
  };
}

/** What was wrong at first, a line a test. */
function firstFaults(files) {
  return files
    .flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      const lines = tests.map((test) => `${test.fullName}: ${firstLine(test.failureMessages[0])}`);
      const told = lines.length > 0 ? lines : [firstLine(message)];
      return told.map((line) => `  ${relative(process.cwd(), name)} > ${line}`);
    })
    .join('\n');
}

function firstLine(text = '') {
  return text.split('\n')[0];
}
