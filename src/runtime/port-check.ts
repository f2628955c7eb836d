/**
 * Finds out that the address is free before the edges listen on it.
 *
 * Control plane. uWebSockets.js listens with SO_REUSEPORT, so that all edges share one port; a
 * second service would then silently take half of the first one's requests. A plain exclusive
 * bind, let go at once, fails instead.
 */
import { createServer } from 'node:net';
import { errors } from '../model/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there; stop it or choose another --port',
  EACCES: 'this user may not; choose a --port above 1023',
  EADDRNOTAVAIL: 'the machine has no such address; choose another --host',
  ENOTFOUND: 'the host name is unknown; choose another --host',
  EAI_AGAIN: 'the host name cannot be resolved now; choose another --host',
};

/**
 * Makes sure that nobody listens on an address.
 *
 * @param port 0 asks for a free one.
 * @returns the port to listen on, never 0.
 * @throws ADDRESS_UNUSABLE when it cannot be listened on.
 */
export async function checkPort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    const reason = REASONS[code] ?? String((cause as Error).message);
    throw errors.ADDRESS_UNUSABLE({ host, port, reason }, cause);
  }
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : port;
}
