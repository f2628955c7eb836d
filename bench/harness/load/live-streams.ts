/**
 * Clients of `GET /api/v1/statistics/live`: sockets that count what they are sent.
 *
 * Control plane. Bytes are looked at, not parsed: a thousand of them have to cost less than what they
 * measure.
 */
import { connect, type Socket } from 'node:net';

const EVENT = Buffer.from('event: hit\n');
const ANSWERED = 'HTTP/1.1 200 OK';

/** Streams that are open together. */
export class LiveStreams {
  readonly #sockets: Socket[] = [];
  /** Hits that came, over all streams. */
  hits = 0;
  onHit: () => void = () => undefined;

  /** Opens a stream, and waits until it is answered. */
  async open(address: string, path: string, token: string): Promise<void> {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    this.#sockets.push(socket);
    const head = `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('close', () => reject(new Error(`the stream ${path} was closed`)));
      socket.once('data', (bytes) => {
        if (bytes.subarray(0, ANSWERED.length).toString() === ANSWERED) resolve();
        else reject(new Error(bytes.toString()));
      });
      socket.write(head);
    });
    socket.on('data', (bytes) => this.#count(bytes));
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }

  #count(bytes: Buffer): void {
    for (let at = bytes.indexOf(EVENT); at >= 0; at = bytes.indexOf(EVENT, at + 1)) {
      this.hits++;
      this.onHit();
    }
  }
}
