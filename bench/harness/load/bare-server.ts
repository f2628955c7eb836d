/**
 * A bare server of uWebSockets.js that hands whole bodies to whoever answers them: what the baseline and
 * the servers that only store have in common.
 *
 * Data plane of a kind: the same care as in `src/edge` (one chunk is parsed in place, one cork a
 * reply), or the comparison would flatter us. Prints its address.
 */
import type { HttpResponse } from 'uWebSockets.js';
import { loadHttpEngine } from '../../../src/edge/http/http-engine.ts';

/** Answers `{}`, unless the client has gone. */
export type Reply = () => void;

/** Listens on a free port of this machine. @param take is told each body, and answers when it likes. */
export async function serveBodies(take: (body: Buffer, reply: Reply) => void): Promise<void> {
  const { engine } = await loadHttpEngine();
  engine
    .App()
    .post('/*', (res: HttpResponse) => {
      let earlier: Buffer | null = null;
      let isAborted = false;
      res.onAborted(() => {
        isAborted = true;
      });
      const reply = () => {
        if (isAborted) return;
        res.cork(() => {
          res.writeHeader('content-type', 'application/json').end('{}');
        });
      };
      res.onData((chunk, isLast) => {
        if (isAborted) return;
        const bytes = Buffer.from(chunk);
        if (isLast) take(earlier === null ? bytes : Buffer.concat([earlier, bytes]), reply);
        // uWebSockets.js takes the chunk back when this function ends.
        else earlier = Buffer.concat(earlier === null ? [bytes] : [earlier, bytes]);
      });
    })
    .listen('127.0.0.1', 0, (socket) => {
      if (socket === false) process.exit(1);
      process.stdout.write(
        `listening on http://127.0.0.1:${engine.us_socket_local_port(socket)}\n`,
      );
    });
  process.on('SIGTERM', () => process.exit(0));
}
