/** Prints what the last test run came to, alone on a line: 'N passed, N failed, N skipped'. */
import { existsSync, readFileSync } from 'node:fs';

const PATH = 'dist/test-report.json';

if (existsSync(PATH)) {
  const report = JSON.parse(readFileSync(PATH, 'utf8'));
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report;
  const skipped = numPendingTests + numTodoTests;
  process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed, ${skipped} skipped\n`);
} else {
  process.stderr.write('no test was run\n');
}
