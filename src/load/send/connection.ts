/**
 * One connection of the load: a plain socket, or TLS, that sends one request at a time, keeps alive, and
 * is opened again when it breaks.
 *
 * Control plane around a hot loop. Sockets instead of an HTTP client, which would cost more than many a
 * server that it measures; one buffer each for what is sent and what comes.
 */
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Answer, AnswerReader, MALFORMED } from './answer.ts';

const READ_BYTES = 16 * 1_024;
/** A server that is away is asked so often whether it is back. */
const RETRY_MS = 100;

/** Where requests go. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** The endpoint of an address of HTTP. */
export function endpointOf(url: URL): Endpoint {
  const isSecure = url.protocol === 'https:';
  // Literal addresses of IPv6 stand in brackets there.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port) || (isSecure ? 443 : 80), isSecure };
}

/** Told of what happens to a connection. */
export interface Watcher {
  /** It is open and can send. */
  onOpen(connection: number): void;
  onAnswer(connection: number, answer: Answer): void;
  /** It is gone, with whatever it waited for; it is opened again by itself. */
  onLost(connection: number, reason: string): void;
}

/** A socket that comes back. */
export class Connection {
  readonly #endpoint: Endpoint;
  readonly #index: number;
  readonly #watcher: Watcher;
  /** What `send` sends: written to by whoever sends, untouched until the answer has come. */
  readonly buffer: Buffer;
  #socket: Socket | null = null;
  #reader = new AnswerReader();
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;
  /** It has answered since it was opened: who closes it then is opened again at once. */
  #hasAnswered = false;

  constructor(of: { endpoint: Endpoint; index: number; bytesMax: number; watcher: Watcher }) {
    this.#endpoint = of.endpoint;
    this.#index = of.index;
    this.#watcher = of.watcher;
    this.buffer = Buffer.allocUnsafeSlow(of.bytesMax);
    this.#open();
  }

  /** Sends the first bytes of the buffer. */
  send(length: number): void {
    this.#socket?.write(this.buffer.subarray(0, length));
  }

  /** Gives up what it waits for and opens anew. */
  reset(reason: string): void {
    this.#lose(reason);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#socket?.destroy();
  }

  #open(): void {
    const { host, port, isSecure } = this.#endpoint;
    this.#reader = new AnswerReader();
    this.#hasAnswered = false;
    const read = (bytes: Buffer) => this.#read(bytes);
    // Without TLS bytes come into one buffer, past the machinery of streams.
    const into = { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback: readInto(read) };
    const socket = isSecure
      ? connectTls({ host, port, servername: host, ALPNProtocols: ['http/1.1'] })
      : connectPlain({ host, port, noDelay: true, onread: into });
    if (isSecure) socket.on('data', read);
    this.#socket = socket;
    let fault = 'the connection was closed';
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      socket.setNoDelay(true);
      this.#watcher.onOpen(this.#index);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      fault = error.code ?? error.message;
    });
    socket.once('close', () => {
      if (this.#socket !== socket) return;
      const answer = this.#reader.end();
      if (answer !== null) this.#watcher.onAnswer(this.#index, answer);
      this.#lose(fault);
    });
  }

  #read(bytes: Buffer): void {
    const answer = this.#reader.read(bytes);
    if (answer === null) return;
    if (answer === MALFORMED) {
      this.#lose('what came is no answer of HTTP/1.1');
      return;
    }
    this.#hasAnswered = true;
    this.#watcher.onAnswer(this.#index, answer);
    if (answer.isLast) this.#lose('the server closed the connection');
  }

  #lose(reason: string): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
    if (this.#isClosed) return;
    this.#watcher.onLost(this.#index, reason);
    this.#retry = setTimeout(() => this.#open(), this.#hasAnswered ? 0 : RETRY_MS);
  }
}

function readInto(read: (bytes: Buffer) => void) {
  return (length: number, buffer: Uint8Array): boolean => {
    read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
    return true;
  };
}
