/**
 * Ports for servers that tests start, kill and start again at the same address.
 *
 * A port that the kernel chooses is one of those that it gives to outgoing connections as well: while
 * its server is away, a client that tries to reach it, or any other connection, may be given that very
 * port, and the server cannot come back. So these are taken from below that range.
 */
import { createServer, type Server } from 'node:net';

/** Linux gives 32,768 and above to outgoing connections; browsers refuse some ports below 20,000. */
const [PORT_MIN, PORT_END] = [20_000, 32_768];

/** `count` different ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const holders: Server[] = [];
  const ports: number[] = [];
  while (ports.length < count) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_END - PORT_MIN));
    const holder = await hold(port);
    if (holder === null) continue;
    holders.push(holder);
    ports.push(port);
  }
  await Promise.all(holders.map((holder) => new Promise((resolve) => holder.close(resolve))));
  return ports;
}

/** One port, see `freePorts`. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** @returns null when the port is taken. */
function hold(port: number): Promise<Server | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(port, () => resolve(server));
  });
}
