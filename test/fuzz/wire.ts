/**
 * A connection that sends bytes as they are and reads one answer after the other.
 */
import { connect, type Socket } from 'node:net';

/** What came back. */
export interface WireAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** One connection at a time to one address, opened when it is needed. */
export class Wire {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | null = null;
  #received: Buffer = Buffer.alloc(0);
  #isHead = false;
  #settle: ((answer: WireAnswer | null) => void) | null = null;

  constructor(baseUrl: string) {
    const { hostname, port } = new URL(baseUrl);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /**
   * Sends a request.
   *
   * @param waitMs how long an answer may take; then it rejects.
   * @returns null when the other side hung up.
   */
  send(bytes: Uint8Array, isHead: boolean, waitMs: number): Promise<WireAnswer | null> {
    const socket = this.#socket ?? this.#open();
    this.#isHead = isHead;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#settle = null;
        this.close();
        reject(new Error(`no answer within ${waitMs} ms`));
      }, waitMs);
      this.#settle = (answer) => {
        clearTimeout(timer);
        this.#settle = null;
        resolve(answer);
      };
      socket.write(bytes);
    });
  }

  /** Ends the connection. */
  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
    this.#received = Buffer.alloc(0);
  }

  #open(): Socket {
    const socket = connect(this.#port, this.#host);
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      if (this.#socket === socket) this.#take(part);
    });
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.close();
      this.#settle?.(null);
    });
    return socket;
  }

  #take(part: Buffer): void {
    this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const [first = '', ...lines] = this.#received.toString('latin1', 0, headEnd).split('\r\n');
    const headers = new Map(lines.map(fieldOf));
    const start = headEnd + HEAD_END.length;
    const status = Number(first.split(' ')[1]);
    const hasBody = !this.#isHead && status !== 204;
    // It has no end: what comes of it is not waited for.
    if (headers.get('content-type') === 'text/event-stream') {
      this.close();
      this.#settle?.({ status, headers, body: Buffer.alloc(0) });
      return;
    }
    // Without a length it goes on to the end of the connection; here the engine ends it at once.
    const length = hasBody ? Number(headers.get('content-length') ?? 0) : 0;
    if (this.#received.length < start + length) return;
    const body = this.#received.subarray(start, start + length);
    this.#received = this.#received.subarray(start + length);
    if (headers.get('connection')?.toLowerCase() === 'close') this.close();
    this.#settle?.({ status, headers, body });
  }
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
