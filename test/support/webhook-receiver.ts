/**
 * A receiver of webhooks that behaves as it is told, and remembers all that it was sent.
 *
 * What comes is verified by the package of Standard Webhooks, never by code of the service.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';

/** A request as it came. */
export interface Received {
  readonly path: string;
  readonly id: string;
  readonly atMs: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** Answers a request; without an answer the connection stays open and silent. */
export type Behaviour = (received: Received, response: ServerResponse) => void;

/** Answers 200. */
export const taken: Behaviour = (_, response) => response.end('thank you');

/** An HTTP server on this machine. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** What was wrong with requests, in words. */
  readonly faults: string[] = [];
  behaviour: Behaviour = taken;
  /** By path: the secret of the webhook that leads there. */
  readonly secrets = new Map<string, string>();
  readonly #server: Server;
  #port = 0;
  /** Requests that are not answered, and the most that there were at once, by path. */
  readonly open = new Map<string, number>();
  readonly mostOpen = new Map<string, number>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => this.#take(request, response));
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    await receiver.resume();
    return receiver;
  }

  /** Nobody listens any more. */
  async pause(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Listens, under the same address as before. */
  async resume(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** The address of a path here. */
  url(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  of(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  close(): Promise<void> {
    return this.pause();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    const count = (this.open.get(path) ?? 0) + 1;
    this.open.set(path, count);
    this.mostOpen.set(path, Math.max(this.mostOpen.get(path) ?? 0, count));
    response.on('close', () => this.open.set(path, (this.open.get(path) ?? 0) - 1));
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const body = JSON.parse(text) as Record<string, unknown>;
      const { headers } = request;
      const id = String(headers['webhook-id']);
      const received = { path, id, atMs: Date.now(), headers, text, body };
      this.#verify(received);
      this.received.push(received);
      this.behaviour(received, response);
    });
  }

  #verify({ path, headers, text, id, body }: Received): void {
    try {
      const secret = this.secrets.get(path);
      if (secret === undefined) throw new Error('no webhook leads here');
      new Verifier(secret).verify(text, headers as Record<string, string>);
      if (body['id'] !== id) throw new Error('the id of the body is another one');
    } catch (error) {
      this.faults.push(`${path}: ${(error as Error).message}`);
    }
  }
}
