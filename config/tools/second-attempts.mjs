/**
 * Tells which tests passed only when they were tried again, with what was wrong at first: each is a
 * fault of the test or of the program that somebody has to find. More than a few fail the run.
 */
const SECOND_ATTEMPT_COUNT_MAX = 3;

export default class SecondAttempts {
  #found = [];

  onTestRunStart() {
    this.#found = [];
  }

  onTestCaseResult(test) {
    if (!test.diagnostic()?.flaky) return;
    const [error] = test.result().errors ?? [];
    this.#found.push(`${test.module.relativeModuleId} > ${test.fullName}: ${error?.message}`);
  }

  onTestRunEnd() {
    if (this.#found.length === 0) return;
    process.stderr.write(`passed at the second attempt:\n  ${this.#found.join('\n  ')}\n`);
    if (this.#found.length <= SECOND_ATTEMPT_COUNT_MAX) return;
    process.stderr.write('too many tests had to be tried again\n');
    process.exitCode = 1;
  }
}
