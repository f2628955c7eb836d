/**
 * Who is told of events by webhooks, and what it was told: once an id was seen it may come again, but it
 * stays the name of one event (O-1, O-10).
 *
 * While faults last it refuses some of what it sees for the first time, in the ways in which receivers
 * do: what is refused has to come again.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Stream } from '../random.ts';
import type { Ledger } from './ledger.ts';

/** Share of the entries that are refused when they come first. */
const REFUSED = 0.02;
const SECRET_PREFIX = 'whsec_';

/** How an entry is refused. */
const REFUSALS: readonly ((response: ServerResponse) => void)[] = [
  (response) => response.destroy(),
  (response) => response.writeHead(500).end('no'),
  (response) => response.writeHead(302, { location: '/' }).end(),
  (response) => response.socket?.end('this is no HTTP\r\n\r\n'),
];

/** What an event is told with, as far as the model knows it. */
export interface ToldEvent {
  readonly event_name: string;
  readonly event_meta: Readonly<Record<string, string>>;
  readonly time: string;
  readonly path: string;
  readonly title: string;
}

interface Webhook {
  readonly site: string;
  readonly event: string;
  readonly secret: string;
}

/** One HTTP server for the webhooks of all sites. */
export class Receiver {
  readonly #server: Server;
  readonly #ledger: Ledger;
  readonly #random: Stream;
  readonly #webhooks = new Map<string, Webhook>();
  /** By site, then by id: the body, as it came first. */
  readonly #told = new Map<string, Map<string, string>>();
  /** Nothing is refused. */
  isPatient = true;

  private constructor(ledger: Ledger, random: Stream) {
    this.#ledger = ledger;
    this.#random = random;
    this.#server = createServer((request, response) => this.#take(request, response));
  }

  /** Begins to listen on a free port. */
  static async open(ledger: Ledger, random: Stream): Promise<Receiver> {
    const receiver = new Receiver(ledger, random);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  /** The address for one webhook. */
  addressOf(site: string, event: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${pathOf(site, event)}`;
  }

  /** From here on requests to its address are those of a webhook. */
  expect(webhook: Webhook): void {
    this.#webhooks.set(pathOf(webhook.site, webhook.event), webhook);
  }

  /** Everything that was told of a site, each entry once. */
  told(site: string): ToldEvent[] {
    const texts = this.#told.get(site)?.values() ?? [];
    return [...texts].map((text) => JSON.parse(text) as ToldEvent);
  }

  /** Ends it. */
  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => this.#answer(request, Buffer.concat(parts).toString(), response));
  }

  #answer({ url = '', headers }: IncomingMessage, text: string, response: ServerResponse): void {
    const { counts } = this.#ledger;
    counts.deliveries++;
    const webhook = this.#webhooks.get(url);
    const id = String(headers['webhook-id']);
    const fault =
      webhook === undefined ? 'no webhook leads there' : faultOf(webhook, headers, text);
    if (webhook === undefined || fault !== '') {
      this.#ledger.differs(`a request to ${url} with the id ${id}: ${fault}`);
      response.end();
      return;
    }
    const told = this.#told.get(webhook.site) ?? new Map<string, string>();
    this.#told.set(webhook.site, told);
    const known = told.get(id);
    if (known !== undefined) counts.deliveriesRepeated++;
    if (known !== undefined && known !== text) {
      this.#ledger.differs(`${id} was the name of ${known}, and is of ${text}`);
    }
    told.set(id, text);
    if (known !== undefined || this.isPatient || !this.#random.chance(REFUSED)) {
      response.end('thank you');
      return;
    }
    counts.deliveriesRefused++;
    this.#random.pick(REFUSALS)(response);
  }
}

function pathOf(site: string, event: string): string {
  return `/${site}/${encodeURIComponent(event)}`;
}

/** What is wrong with a request by Standard Webhooks and the name of its event; '' is nothing. */
function faultOf(
  { event, secret }: Webhook,
  headers: IncomingMessage['headers'],
  text: string,
): string {
  const { id, event_name } = JSON.parse(text) as { id: string; event_name: string };
  if (event_name !== event) return `it tells of '${event_name}', not of '${event}'`;
  if (id !== headers['webhook-id']) return `the body has the id ${id}`;
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signed = `${id}.${String(headers['webhook-timestamp'])}.${text}`;
  const due = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return headers['webhook-signature'] === due ? '' : 'the signature is not that of its webhook';
}
