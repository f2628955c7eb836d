// Goal and method: see `faults/crash-run.ts`; here on JetStream, whose server is killed too and
// comes back with what its files hold. It acknowledges from the page cache: enough for killed processes.
import { testCrashes } from '../../support/faults/crash-run.ts';
import { NatsServer } from '../../support/nats-server.ts';

/** Share of the service's lives in which the NATS server dies as well. */
const SERVER_KILLS = 0.5;

const server = new NatsServer();

testCrashes({
  kills: { long: 10, short: 2 },
  async prepare() {
    await server.start();
    return { FOOTFALL_NATS_SERVERS: server.url };
  },
  async disturb(random) {
    if (random() >= SERVER_KILLS) return;
    await server.kill();
    await new Promise((resolve) => setTimeout(resolve, random() * 500));
    await server.start();
    await new Promise((resolve) => setTimeout(resolve, random() * 1_000));
  },
  dispose: () => server.dispose(),
});
