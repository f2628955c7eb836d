/** Prints what the last test run came to, alone on a line: 'N passed, N failed, N skipped'. */
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync('dist/test-report.json', 'utf8'));
const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report;
const skipped = numPendingTests + numTodoTests;
process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed, ${skipped} skipped\n`);
