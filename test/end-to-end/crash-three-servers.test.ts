// Goal and method: see `test/support/crash-run.ts`; here on three NATS servers that keep every record,
// started with the settings that `config/nats` recommends, of which one at a time dies under load.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { testCrashes } from '../support/crash-run.ts';
import { NatsServer } from '../support/nats-server.ts';
import { PROJECT_ROOT } from '../support/service.ts';

const SETTINGS = join(PROJECT_ROOT, 'config/nats/three-servers.conf');
const PASSWORD = 'only-for-this-test';
/** Share of the service's lives in which a NATS server dies as well. */
const SERVER_KILLS = 0.7;

let servers: NatsServer[] = [];

/** Ports that were free a moment ago: the servers have to know each other's before they start. */
async function freePorts(count: number): Promise<number[]> {
  const holders = await Promise.all(
    Array.from({ length: count }, async () => {
      const holder = createServer();
      await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
      return holder;
    }),
  );
  const ports = holders.map((holder) => (holder.address() as { port: number }).port);
  await Promise.all(holders.map((holder) => new Promise((resolve) => holder.close(resolve))));
  return ports;
}

async function startServers(): Promise<void> {
  const ports = await freePorts(6);
  const routes = ports.slice(0, 3).map((port) => `nats://127.0.0.1:${port}`);
  servers = routes.map((route, index) => {
    const flags = ['-c', SETTINGS, '--cluster', route, '--routes', routes.join(',')];
    return new NatsServer({
      flags: [...flags, '-m', String(ports[3 + index])],
      env: { NATS_NAME: `nats-${index + 1}`, NATS_PASSWORD: PASSWORD },
    });
  });
  await Promise.all(servers.map((server) => server.start()));
}

testCrashes({
  kills: 4,
  async prepare() {
    await startServers();
    return {
      FOOTFALL_NATS_SERVERS: servers.map(({ url }) => url).join(','),
      FOOTFALL_NATS_USER: 'footfall',
      FOOTFALL_NATS_PASSWORD: PASSWORD,
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
