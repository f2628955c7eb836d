// Goal and method: see `faults/crash-run.ts`; here on the local log.
import { testCrashes } from '../../support/faults/crash-run.ts';

testCrashes({ kills: { long: 20, short: 4 }, prepare: async () => ({}), dispose: async () => {} });
