/**
 * A TCP proxy between one node and NATS that can be slow, lossy, deaf, mute, cut or gone.
 *
 * Data plane of the test: chunks are handed on in order, each not before its due time. TCP hides
 * loss from programs and shows it as a stall until the chunk is sent again, so loss is a stall
 * here. What was held in a partition is lost when an end goes away, as packets of a dead machine
 * are.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What a link does to what is sent over it. */
export interface LinkState {
  /** Milliseconds that each chunk takes. */
  delayMs: number;
  /** At most so many more, at random. */
  jitterMs: number;
  /** Share of the chunks (0 to 1) that are lost once, and the stall until they come again. */
  lossShare: number;
  stallMs: number;
  /** Nothing gets through in that direction; connections stay open. */
  isMute: boolean;
  isDeaf: boolean;
  /** New connections are refused. */
  isClosed: boolean;
}

/** A link without any fault. */
export const SOUND: LinkState = {
  delayMs: 0,
  jitterMs: 0,
  lossShare: 0,
  stallMs: 0,
  isMute: false,
  isDeaf: false,
  isClosed: false,
};

/** Beyond it the sender is held up by TCP itself. */
const HELD_BYTES_MAX = 4 * 1_024 * 1_024;

interface Chunk {
  bytes: Buffer;
  dueMs: number;
}

/** One direction of one connection. */
class Pipe {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #state: () => LinkState;
  readonly #isBlocked: () => boolean;
  #held: Chunk[] = [];
  #heldBytes = 0;
  #lastDueMs = 0;
  #hasEnded = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(ends: [Socket, Socket], state: () => LinkState, isBlocked: () => boolean) {
    [this.#from, this.#to] = ends;
    this.#state = state;
    this.#isBlocked = isBlocked;
    this.#from.on('data', (bytes: Buffer) => this.#take(bytes));
    this.#from.on('end', () => {
      this.#hasEnded = true;
      this.flush();
    });
  }

  #take(bytes: Buffer): void {
    const { delayMs, jitterMs, lossShare, stallMs } = this.#state();
    if (this.#held.length === 0 && delayMs + lossShare === 0 && !this.#isBlocked()) {
      this.#send(bytes);
      return;
    }
    const isLost = lossShare > 0 && Math.random() < lossShare;
    const wait = delayMs + Math.random() * jitterMs + (isLost ? stallMs : 0);
    this.#lastDueMs = Math.max(this.#lastDueMs, performance.now() + wait);
    this.#held.push({ bytes, dueMs: this.#lastDueMs });
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > HELD_BYTES_MAX) this.#from.pause();
    this.flush();
  }

  /** Hands on what is due. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isBlocked()) return;
    const nowMs = performance.now();
    while (this.#held.length > 0 && (this.#held[0] as Chunk).dueMs <= nowMs) {
      const { bytes } = this.#held.shift() as Chunk;
      this.#heldBytes -= bytes.length;
      this.#send(bytes);
    }
    if (this.#heldBytes <= HELD_BYTES_MAX) this.#from.resume();
    const next = this.#held[0];
    if (next !== undefined) this.#timer = setTimeout(() => this.flush(), next.dueMs - nowMs);
    else if (this.#hasEnded) this.#to.end();
  }

  #send(bytes: Buffer): void {
    if (this.#to.destroyed) return;
    if (this.#to.write(bytes)) return;
    this.#from.pause();
    this.#to.once('drain', () => this.#from.resume());
  }

  /** What is held is lost. */
  drop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#held = [];
    this.#heldBytes = 0;
  }
}

/** One node's link to NATS. */
export class LinkProxy {
  readonly #target: number;
  readonly #server: Server;
  readonly #connections = new Set<{ sockets: [Socket, Socket]; pipes: [Pipe, Pipe] }>();
  #state: LinkState = SOUND;
  port = 0;

  /** @param target port of the NATS server. */
  constructor(target: number) {
    this.#target = target;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Listens on a free port of 127.0.0.1. */
  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Connections there are now. */
  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Puts the link into a state; what is in flight goes on under it. */
  become(state: LinkState): void {
    this.#state = state;
    for (const { pipes } of this.#connections) for (const pipe of pipes) pipe.flush();
  }

  /** Ends every connection at once, as a router that forgot them does. */
  cut(): void {
    for (const { sockets } of this.#connections)
      for (const socket of sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: Socket): void {
    if (this.#state.isClosed) {
      socket.resetAndDestroy();
      return;
    }
    const server = connect(this.#target, '127.0.0.1');
    const state = (): LinkState => this.#state;
    const pipes: [Pipe, Pipe] = [
      new Pipe([socket, server], state, () => this.#state.isMute),
      new Pipe([server, socket], state, () => this.#state.isDeaf),
    ];
    const connection = { sockets: [socket, server] as [Socket, Socket], pipes };
    this.#connections.add(connection);
    const end = (): void => {
      if (!this.#connections.delete(connection)) return;
      for (const pipe of pipes) pipe.drop();
      socket.destroy();
      server.destroy();
    };
    for (const one of connection.sockets) {
      one.setNoDelay(true);
      one.on('error', end);
      one.on('close', end);
    }
  }
}
