/**
 * A client of server-sent events, for end-to-end tests.
 *
 *   const stream = await EventClient.open(`${baseUrl}/api/v1/statistics/live?id=…`, bearer);
 *   await stream.next('hit');
 *   stream.close();
 */
import { type ClientRequest, get, type IncomingMessage } from 'node:http';

export interface ReceivedEvent {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect
  data: any;
  atMs: number;
}

const WAIT_MS = 10_000;

/** One open stream. */
export class EventClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly events: ReceivedEvent[] = [];
  comments = 0;
  /** What is neither an event of the service nor a comment. */
  readonly strayLines: string[] = [];
  /** Resolves when the service has ended it. */
  readonly ended: Promise<void>;
  isOver = false;
  readonly #request: ClientRequest;
  #text = '';
  #taken = 0;
  #wake: () => void = () => undefined;

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#receive(text));
    this.ended = new Promise((resolve) => {
      response.once('close', () => {
        this.isOver = true;
        resolve();
        this.#wake();
      });
    });
  }

  static open(url: string, bearer = ''): Promise<EventClient> {
    return EventClient.openWith(url, bearer === '' ? {} : { authorization: `Bearer ${bearer}` });
  }

  /** With any credentials. */
  static openWith(url: string, headers: Record<string, string>): Promise<EventClient> {
    return new Promise((resolve, reject) => {
      const request = get(url, { headers, agent: false });
      request.once('response', (response) => resolve(new EventClient(request, response)));
      request.on('error', reject);
    });
  }

  /** The next event of a name that nobody has taken; those before it are passed over. */
  async next(name: string, withinMs = WAIT_MS): Promise<ReceivedEvent> {
    const endMs = performance.now() + withinMs;
    for (;;) {
      while (this.#taken < this.events.length) {
        const event = this.events[this.#taken++] as ReceivedEvent;
        if (event.name === name) return event;
      }
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw new Error(`no '${name}' came within ${withinMs} ms`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, leftMs);
      });
    }
  }

  close(): void {
    this.#request.destroy();
  }

  #receive(text: string): void {
    this.#text += text;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block === ':') this.comments++;
      else this.#take(block);
    }
    this.#wake();
  }

  #take(block: string): void {
    const [, name, data] = /^event: ([a-z]+)\ndata: ([^\r\n]*)$/.exec(block) ?? [];
    if (name === undefined || data === undefined) this.strayLines.push(block);
    else this.events.push({ name, data: JSON.parse(data), atMs: performance.now() });
  }
}
