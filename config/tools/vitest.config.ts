/**
 * Test runner: unit tests run the sources; end-to-end tests start the built service. Three files at a time,
 * but for those that measure time: they run alone, after all the rest.
 *
 * How much is tried, and with which seed: `test/support/runs.ts`.
 */
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const END_TO_END = 'test/end-to-end';
const SITE = `${END_TO_END}/site/**/*.test.ts`;
const TIMED = `${END_TO_END}/timed/**/*.test.ts`;
const DASHBOARD = `${END_TO_END}/dashboard/**/*.test.ts`;

// A long run draws its seed here, once for all of its projects and processes.
if (process.env.FOOTFALL_TEST !== undefined && process.env.FOOTFALL_TEST_SEED === undefined) {
  process.env.FOOTFALL_TEST_SEED = String(Date.now() % 2_147_483_647);
  process.stdout.write(`FOOTFALL_TEST_SEED=${process.env.FOOTFALL_TEST_SEED} repeats this run\n`);
}

/** Files that take long come first, also where no run before has told which those are. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ moduleId }: TestSpecification): number =>
      /\/test\/(end-to-end|properties)\//.test(moduleId) ? 0 : 1;
    return (await super.sort(files)).toSorted((a, b) => isShort(a) - isShort(b));
  }
}

/**
 * What starts services takes longer than a unit test, and shares two cores with browsers and servers: a
 * state is waited for as long as that takes. `run-tests.mjs` runs a file that failed once more.
 */
const endToEnd = {
  ...{ testTimeout: 180_000, hookTimeout: 180_000 },
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // .ci/run makes its closing line of the report.
    reporters: ['default', 'json', './config/tools/running-files.mjs'],
    outputFile: { json: 'dist/test-report.json' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [`${END_TO_END}/**`],
        },
      },
      {
        extends: true,
        test: {
          name: 'site',
          include: [SITE],
          globalSetup: 'test/support/shared-service.ts',
          ...endToEnd,
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: [`${END_TO_END}/**/*.test.ts`],
          exclude: [SITE, TIMED, DASHBOARD],
          ...endToEnd,
        },
      },
      {
        extends: true,
        test: {
          name: 'dashboard',
          include: [DASHBOARD],
          ...endToEnd,
        },
      },
      {
        extends: true,
        test: {
          name: 'timed',
          include: [TIMED],
          ...endToEnd,
          fileParallelism: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
