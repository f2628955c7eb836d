/**
 * Test runner: unit tests run the sources in parallel; end-to-end tests start the built service, one
 * file after the other and after all the rest, since each of them wants both cores for itself.
 */
import { defineConfig } from 'vitest/config';

const END_TO_END = 'test/end-to-end/**/*.test.ts';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    pool: 'forks',
    // .ci/run makes its closing line of the report.
    reporters: ['default', 'json'],
    outputFile: { json: 'dist/test-report.json' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [END_TO_END],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'end-to-end',
          include: [END_TO_END],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
