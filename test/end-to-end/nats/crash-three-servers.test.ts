// Goal and method: see `faults/crash-run.ts`; here on three NATS servers that keep every record,
// started with the settings that `config/nats` recommends, of which one at a time dies under load.
import { testCrashes } from '../../support/faults/crash-run.ts';
import type { NatsServer } from '../../support/nats-server.ts';
import {
  startThreeServers,
  THREE_SERVERS_PASSWORD,
  THREE_SERVERS_USER,
} from '../../support/three-servers.ts';

/** Share of the service's lives in which a NATS server dies as well. */
const SERVER_KILLS = 0.7;

let servers: NatsServer[] = [];

testCrashes({
  kills: { long: 4, short: 1 },
  async prepare() {
    servers = await startThreeServers();
    return {
      FOOTFALL_NATS_SERVERS: servers.map(({ url }) => url).join(','),
      FOOTFALL_NATS_USER: THREE_SERVERS_USER,
      FOOTFALL_NATS_PASSWORD: THREE_SERVERS_PASSWORD,
      FOOTFALL_NATS_REPLICAS: '3',
    };
  },
  async disturb(random) {
    if (random() >= SERVER_KILLS) return;
    const victim = servers[Math.floor(random() * servers.length)] as NatsServer;
    await victim.kill();
    await new Promise((resolve) => setTimeout(resolve, 300 + random() * 700));
    await victim.start();
  },
  async dispose() {
    await Promise.all(servers.map((server) => server.dispose()));
  },
});
