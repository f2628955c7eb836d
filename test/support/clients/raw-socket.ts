/**
 * Bytes to a port and bytes back, for requests that no proper HTTP client would send.
 */
import { connect } from 'node:net';

export interface RawOptions {
  /** Most milliseconds to wait for the other side to close. */
  waitMs?: number;
  /** What is done after the bytes are sent; default: wait for an answer. */
  afterwards?: 'wait' | 'end' | 'destroy';
}

/** Sends the bytes and gives all that came back before either side closed; never throws. */
export function sendRaw(
  baseUrl: string,
  bytes: string | Uint8Array,
  options: RawOptions = {},
): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    const timer = setTimeout(finish, options.waitMs ?? 1_000);
    socket.on('error', finish);
    socket.on('close', finish);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (isWholeAnswer(Buffer.concat(chunks).toString('latin1'))) finish();
    });
    socket.on('connect', () => {
      socket.write(bytes, () => {
        if (options.afterwards === 'destroy') finish();
        if (options.afterwards === 'end') socket.end();
      });
    });
  });
}

/** A head and as many bytes of body as the head says. */
function isWholeAnswer(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
  return length !== undefined && text.length >= end + 4 + Number(length);
}
