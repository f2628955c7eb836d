/** Three NATS servers that keep every record each, started with the settings that `config/nats` recommends. */
import { join } from 'node:path';
import { NatsServer } from './nats-server.ts';
import { freePorts } from './ports.ts';
import { PROJECT_ROOT } from './service.ts';

const SETTINGS = join(PROJECT_ROOT, 'config/nats/three-servers.conf');

/** What clients sign in with. */
export const THREE_SERVERS_USER = 'footfall';
/** See `THREE_SERVERS_USER`. */
export const THREE_SERVERS_PASSWORD = 'only-for-this-test';

/** Starts them; each is to be disposed. They are named nats-1 to nats-3, in order. */
export async function startThreeServers(): Promise<NatsServer[]> {
  const ports = await freePorts(6);
  const routes = ports.slice(0, 3).map((port) => `nats://127.0.0.1:${port}`);
  const servers = routes.map((route, index) => {
    const flags = ['-c', SETTINGS, '--cluster', route, '--routes', routes.join(',')];
    return new NatsServer({
      flags: [...flags, '-m', String(ports[3 + index])],
      env: { NATS_NAME: `nats-${index + 1}`, NATS_PASSWORD: THREE_SERVERS_PASSWORD },
    });
  });
  await Promise.all(servers.map((server) => server.start()));
  return servers;
}
