// Goal and method: see `test/support/crash-run.ts`; here on JetStream with sites that are split over
// lanes and merged under load, and at times with state that is lost: lanes come back from snapshots.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { testCrashes } from '../support/crash-run.ts';
import { NatsServer } from '../support/nats-server.ts';
import { changeLanes } from '../support/splitting.ts';

const server = new NatsServer();
/** Share of the lives after which the state is lost. */
const LOST_STATE = 0.3;

testCrashes({
  kills: 6,
  async prepare() {
    await server.start();
    return { FOOTFALL_NATS_SERVERS: server.url };
  },
  disturb: changeLanes,
  displace(dataDir, random) {
    if (random() < LOST_STATE) rmSync(join(dataDir, 'state'), { recursive: true, force: true });
  },
  dispose: () => server.dispose(),
});
