// Goal and method: see `test/support/crash-run.ts`; here on the local log.
import { testCrashes } from '../support/crash-run.ts';

testCrashes({ kills: 20, prepare: async () => ({}), dispose: async () => {} });
