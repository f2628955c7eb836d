// Goal: a service that is given no place database tells countries by the bundled one (W-48).
// Method: the worked example, on a service of its own: the shared one knows made-up places only.
import { afterAll, beforeAll, test } from 'vitest';
import { openSite, type TestSite } from '../../support/domains.ts';
import { siteBench } from '../../support/judge/bench.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { WORKED_EXAMPLES_OF_COUNTRIES } from '../../support/worked-examples/all.ts';

let running: RunningService;
let site: TestSite;

beforeAll(async () => {
  running = await startService();
  site = await openSite(running);
});

afterAll(() => running?.dispose());

test.each(WORKED_EXAMPLES_OF_COUNTRIES)('$id: $title', async ({ run }) => {
  await run(() => siteBench(site));
});
