/**
 * The NATS servers of a run: one, or several that keep every record each.
 *
 * Each has its store on a disk of its own and keeps its ports over restarts.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../support/ports.ts';
import type { Disks } from '../faults/disks.ts';
import { Child } from './child.ts';

const STORE_BYTES = 1_024 ** 3;

/** One server. */
export interface NatsServer {
  readonly child: Child;
  readonly port: number;
  /** Where its store is. */
  readonly dir: string;
}

/** Makes so many servers, none of them started yet. */
export async function makeNatsServers(
  count: number,
  place: { directory: string; disks: Disks },
): Promise<NatsServer[]> {
  const ports = await freePorts(2 * count);
  const routes = ports.slice(count).map((port) => `"nats://127.0.0.1:${port}"`);
  return routes.map((_, index) => {
    const port = ports[index] as number;
    const name = count === 1 ? 'NATS' : `NATS ${index}`;
    const dir = join(place.directory, `nats-${index}`);
    place.disks.make(dir);
    const config = join(place.directory, `nats-${index}.conf`);
    const peers = count === 1 ? '' : peersConfig(ports[count + index] as number, routes);
    writeFileSync(
      config,
      `server_name: "nats-${index}"\nlisten: "127.0.0.1:${port}"\n` +
        `jetstream { store_dir: "${dir}", max_file: ${STORE_BYTES} }\n${peers}`,
    );
    const child = new Child({
      ...{ name, command: 'nats-server', arguments: ['-c', config] },
      readyWords: 'Server is ready',
      logFile: join(place.directory, `nats-${index}.log`),
    });
    return { child, port, dir };
  });
}

/** Nodes are not told of the other servers: they would connect to them past the links. */
function peersConfig(port: number, routes: readonly string[]): string {
  return (
    `cluster { name: torture, listen: "127.0.0.1:${port}", no_advertise: true, ` +
    `routes: [${routes.join(', ')}] }\n`
  );
}
