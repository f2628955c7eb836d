// Goal and method: see `faults/crash-run.ts`; here on JetStream with a spool. The NATS server is
// killed under load and stays away for a while, so that hits are spooled; then the service is killed,
// at times while it spools, at times while it forwards what it has spooled.
import { testCrashes } from '../../support/faults/crash-run.ts';
import { NatsServer } from '../../support/nats-server.ts';
import { pause } from '../../support/until.ts';

/** Share of the lives in which the server is back before the service is killed. */
const KILLED_WHILE_FORWARDING = 0.6;
const SETTLE_MS_MAX = 30_000;

const server = new NatsServer();

testCrashes({
  kills: { long: 10, short: 2 },
  async prepare() {
    await server.start();
    return { FOOTFALL_NATS_SERVERS: server.url, FOOTFALL_SPOOL: 'on' };
  },
  async disturb(random) {
    await server.kill();
    await pause(random() * 1_500);
    if (random() >= KILLED_WHILE_FORWARDING) return;
    await server.start();
    // The client looks for the server four times a second.
    await pause(random() * 500);
  },
  async revive() {
    if (server.pid === 0) await server.start();
  },
  async settle(baseUrl) {
    for (let waitedMs = 0; waitedMs < SETTLE_MS_MAX; waitedMs += 20) {
      const response = await fetch(`${baseUrl}/readyz`);
      if (response.ok && !(await response.text()).includes('spool')) return;
      await pause(20);
    }
    throw new Error('what was spooled was not forwarded in time');
  },
  dispose: () => server.dispose(),
});
