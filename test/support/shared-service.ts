/**
 * One service for all suites that only need a site of their own (`test/end-to-end/site`): vitest starts
 * it before the first and ends it after the last; a suite finds it by `sharedSite` (`domains.ts`).
 *
 * Two of each kind of thread, so that hits of one domain meet threads that do not share memory.
 */
import type { TestProject } from 'vitest/node';
import { startService } from './service.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    sharedService: { baseUrl: string; dataDir: string; pid: number };
  }
}

/** Starts it. @returns what ends it; the run fails when the service has not lived that long. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = await startService({
    hasCities: true,
    env: {
      ...{ FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2', FOOTFALL_SHARDS: '8' },
      FOOTFALL_LOG_LEVEL: 'warn',
    },
  });
  const { baseUrl, dataDir, pid } = running;
  project.provide('sharedService', { baseUrl, dataDir, pid });
  return async () => {
    const hasLived = running.pid === pid;
    await running.dispose();
    if (hasLived) return;
    // What a teardown throws is shown, but a run without a failed test would still be green.
    process.exitCode = 1;
    throw new Error(`the shared service ended by itself; it said:\n${running.output}`);
  };
}
