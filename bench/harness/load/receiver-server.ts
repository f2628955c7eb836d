/**
 * A receiver of webhooks, in a process of its own: it takes what comes, and says how much that was.
 *
 * Control plane. `POST /hang…` is never answered; `GET /count` tells how many requests were taken.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let count = 0;

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  if (method === 'GET') {
    response.end(JSON.stringify({ count }));
    return;
  }
  request.resume();
  request.on('end', () => {
    if (url.startsWith('/hang')) return;
    count++;
    response.end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
