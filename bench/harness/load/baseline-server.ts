/**
 * The floor that the service is measured against: uWebSockets.js reads the body, parses it as JSON
 * and answers `{}`. Nothing is checked, kept or looked up, so no service can cost less.
 *
 * Data plane of a kind: the same care as in `src/edge` (one chunk is parsed in place, one cork a
 * reply), or the comparison would flatter us. A process of its own; prints its address.
 */
import type { HttpResponse } from 'uWebSockets.js';
import { loadHttpEngine } from '../../../src/edge/http/http-engine.ts';

const { engine } = await loadHttpEngine();

function answer(res: HttpResponse, body: Buffer): void {
  JSON.parse(body.toString('utf8'));
  res.cork(() => {
    res.writeHeader('content-type', 'application/json').end('{}');
  });
}

engine
  .App()
  .post('/*', (res) => {
    let earlier: Buffer | null = null;
    let isAborted = false;
    res.onAborted(() => {
      isAborted = true;
    });
    res.onData((chunk, isLast) => {
      if (isAborted) return;
      const bytes = Buffer.from(chunk);
      if (isLast) answer(res, earlier === null ? bytes : Buffer.concat([earlier, bytes]));
      // uWebSockets.js takes the chunk back when this function ends.
      else earlier = Buffer.concat(earlier === null ? [bytes] : [earlier, bytes]);
    });
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (socket === false) process.exit(1);
    process.stdout.write(`listening on http://127.0.0.1:${engine.us_socket_local_port(socket)}\n`);
  });

process.on('SIGTERM', () => process.exit(0));
