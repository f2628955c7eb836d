/**
 * Bytes to an edge and what becomes of them, as one line that a table can hold:
 *
 *   "200 400 open: GET a, POST {"n":1}"
 *
 * the statuses of the answers, how the connection stands afterwards, and which requests reached an
 * endpoint. `open` means that one more request on the connection is answered as itself, so the
 * engine and the client agree where the last one ended.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { json, PUBLIC } from '../../../src/api/presets.ts';
import { type EdgeHandle, startEdge } from '../../../src/edge/server.ts';
import { fakePorts } from '../../support/fake-ports.ts';

/** One answer. */
export interface Answer {
  status: number;
  headers: string;
  body: string;
}

/** What a client sends. */
export interface Sent {
  /** Each is a write of its own, and with luck a read of its own. */
  pieces: readonly (string | Uint8Array)[];
  /** Milliseconds between the pieces; default: as few as keep them apart. */
  pauseMs?: number;
  /** The client closes its half after the last piece. */
  ends?: true;
  /** What is sent is not a whole request: there is nothing to ask whether it is over. */
  unfinished?: true;
  /** Answers to HEAD have a length and no body. */
  isHead?: true;
}

/** What came of it. */
export interface Outcome {
  answers: Answer[];
  line: string;
}

/** An edge with endpoints that tell what reached them. */
export interface Wire {
  edge: EdgeHandle;
  /** @param make what to send, given the mark for every query and body of this connection. */
  send(make: (mark: string) => Sent): Promise<Outcome>;
}

/** Between pieces and between looks. */
const TICK_MS = 5;
/** Looks without a byte that count as silence: looks, so that a busy machine only takes longer. */
const QUIET_TICKS = 50;
const BODY_BYTES_MAX = 100_000;

/** Requests that reached an endpoint, by the mark in their query or body. */
type Log = Map<string, string[]>;

const MARK = /~\d{4}/;

function endpoints(log: Log): Endpoint[] {
  const note = (text: string): void => {
    const mark = MARK.exec(text)?.[0] ?? '';
    log.set(mark, [...(log.get(mark) ?? []), text.replace(MARK, '')]);
  };
  const answer = json({});
  const open = { ...PUBLIC, summary: '', answer, needsReady: false } as const;
  const body = { kind: 'json', bytesMax: BODY_BYTES_MAX, validate: null, schema: {} } as const;
  return [
    {
      ...open,
      method: 'GET',
      path: '/ask',
      body: null,
      handle: ({ query }) => {
        note(`GET ${query}`);
        return '{"asked":true}';
      },
    },
    {
      ...open,
      method: 'POST',
      path: '/tell',
      body,
      handle: async ({ body: told, idempotencyKey }) => {
        note(
          `POST ${JSON.stringify(told)}${idempotencyKey === null ? '' : ` key ${idempotencyKey}`}`,
        );
        // Collection answers when the disk has it.
        await setTimeout(1);
        return '{"told":true}';
      },
    },
  ];
}

/** Starts an edge on a free port. */
export async function startWire(): Promise<Wire> {
  const log: Log = new Map();
  const { ports } = fakePorts();
  const where = { host: '127.0.0.1', port: 0, ports, endpoints: endpoints(log) };
  const edge = await startEdge(where);
  let count = 0;
  return {
    edge,
    async send(make) {
      const mark = `~${String(++count).padStart(4, '0')}`;
      const connection = new Connection(edge.port);
      const told = await connection.exchange(make(mark), mark);
      const seen = (log.get(mark) ?? []).filter((text) => text !== 'GET after');
      const statuses = told.answers.map(({ status }) => status);
      const how = [...statuses, told.end].join(' ');
      const line = seen.length > 0 ? `${how}: ${seen.join(', ')}` : how;
      return { answers: told.answers, line };
    },
  };
}

/** A connection of one test case. */
class Connection {
  #text = '';
  #quietTicks = 0;
  #isClosed = false;
  readonly #socket: Socket;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.#socket.on('data', (chunk) => {
      this.#text += chunk.toString('latin1');
      this.#quietTicks = 0;
    });
    const close = (): void => {
      this.#isClosed = true;
    };
    this.#socket.on('end', close);
    this.#socket.on('close', close);
    this.#socket.on('error', close);
  }

  async exchange(sent: Sent, mark: string): Promise<{ answers: Answer[]; end: string }> {
    await once(this.#socket, 'connect');
    for (const piece of sent.pieces) {
      if (this.#isClosed) break;
      this.#write(piece);
      await pause(sent.pauseMs ?? 1);
    }
    if (sent.ends === true) this.#socket.end();
    await this.#silence();
    const before = answersOf(this.#text, sent.isHead === true);
    let end = this.#isClosed ? 'closed' : 'waits';
    if (!this.#isClosed && sent.ends !== true && sent.unfinished !== true) {
      this.#text = '';
      this.#write(`GET /ask?after${mark} HTTP/1.1\r\nHost: edge\r\n\r\n`);
      await this.#silence();
      const [after] = answersOf(this.#text, false);
      end = after?.body === '{"asked":true}' ? 'open' : 'lost';
    }
    this.#socket.destroy();
    return { answers: before, end };
  }

  #write(piece: string | Uint8Array): void {
    this.#socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  }

  async #silence(): Promise<void> {
    this.#quietTicks = 0;
    while (this.#quietTicks < QUIET_TICKS && !this.#isClosed) {
      await pause(TICK_MS);
      this.#quietTicks++;
    }
  }
}

/** Longer on a busy machine; what was sent before has been read after whole turns of the event loop. */
async function pause(ms: number): Promise<void> {
  await setTimeout(ms);
  await setImmediate();
  await setImmediate();
}

/** Cuts what came back into answers; the rest of an answer that is cut short is dropped. */
function answersOf(text: string, isHead: boolean): Answer[] {
  const answers: Answer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const headers = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(headers)?.[1]);
    const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
    // Without a length an answer ends with its connection.
    const bytes =
      isHead || status === 100 ? 0 : length === undefined ? rest.length : Number(length);
    answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + bytes) });
    rest = rest.slice(end + 4 + bytes);
  }
}
