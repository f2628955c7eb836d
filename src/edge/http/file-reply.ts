/**
 * A file as a reply: piece by piece, as fast as the client takes it.
 *
 * Control plane. Whoever asks and does not read costs no more memory than its connection and one piece:
 * nothing is handed to the engine that the kernel does not take, and what was not taken is read again
 * later. A client that takes nothing for some seconds is cut off by the engine.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { FileAnswer } from '../../api/endpoint.ts';
import { endHead, type Reply, writeHead } from './reply.ts';

/**
 * Writes a file. The response object is its own from here on.
 *
 * @param done called once it is over: all of it is written, it is gone, or the client has left.
 */
export function writeFile(
  res: HttpResponse,
  reply: Reply,
  file: FileAnswer,
  done: () => void,
): void {
  const { byteCount } = file;
  let isOver = false;
  /** A piece is on its way: no other one is asked for until it has come. */
  let isReading = false;
  res.onAborted(end);
  res.cork(() => {
    writeHead(res, reply);
    if (reply.isHead) {
      end();
      endHead(res, byteCount, reply.closesConnection);
      return;
    }
    res.onWritable(push);
    push();
  });

  /** @returns false when the client has no room for what there is. */
  function push(): boolean {
    while (!isOver && !isReading) {
      const piece = file.bytesAt(res.getWriteOffset());
      if (piece instanceof Promise) {
        isReading = true;
        piece.then(pushLater, () => pushLater(null));
      } else if (!take(piece)) return isOver;
    }
    return true;
  }

  function pushLater(piece: Uint8Array | null): void {
    isReading = false;
    if (isOver) return;
    res.cork(() => {
      if (take(piece)) push();
    });
  }

  /** @returns whether there is room for more. */
  function take(piece: Uint8Array | null): boolean {
    if (piece === null) {
      end();
      res.close();
      return false;
    }
    const [isTaken, isWhole] = res.tryEnd(piece, byteCount);
    if (isWhole) end();
    return isTaken && !isWhole;
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    file.close?.();
    done();
  }
}
