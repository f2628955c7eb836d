// Goal and method: see `test/support/crash-run.ts`; here sites are split over lanes and merged under
// load, and the service is killed soon after, at times before all lanes have saved what was frozen.
import { testCrashes } from '../support/crash-run.ts';
import { changeLanes } from '../support/splitting.ts';

testCrashes({
  kills: 8,
  prepare: async () => ({}),
  disturb: changeLanes,
  dispose: async () => {},
});
