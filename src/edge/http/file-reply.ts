/**
 * A file as a reply: piece by piece, as fast as the client takes it.
 *
 * Control plane. Whoever asks and does not read costs no more memory than its connection: nothing is
 * handed to the engine that the kernel does not take, and what was not taken is read again later. A
 * client that takes nothing for some seconds is cut off by the engine.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { FileAnswer } from '../../api/endpoint.ts';
import { endHead, type Reply, writeHead } from './reply.ts';

/**
 * Writes a file.
 *
 * @param done called once all of it is written, or it is gone; not when the client leaves before.
 */
export function writeFile(
  res: HttpResponse,
  reply: Reply,
  file: FileAnswer,
  done: () => void,
): void {
  const { byteCount } = file;
  res.cork(() => {
    writeHead(res, reply);
    if (reply.isHead) {
      done();
      endHead(res, byteCount, reply.closesConnection);
      return;
    }
    if (!push()) res.onWritable(push);
  });

  /** @returns whether it is over. */
  function push(): boolean {
    for (;;) {
      const piece = file.bytesAt(res.getWriteOffset());
      if (piece === null) {
        done();
        res.close();
        return true;
      }
      const [isTaken, isWhole] = res.tryEnd(piece, byteCount);
      if (isWhole) {
        done();
        return true;
      }
      if (!isTaken) return false;
    }
  }
}
