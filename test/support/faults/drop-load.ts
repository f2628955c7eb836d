/**
 * Items that must not be stored, sent while the service is killed: bots, foreign hostnames, repeats; and
 * what the ledger must say of them afterwards (P-31).
 *
 * A batch has a key and is sent until it is answered, so what became of each item is known for sure; how
 * often it was counted as a repeat lies between what was answered and what was sent. A single hit of a
 * foreign hostname cannot have a key: without an answer it may count or not.
 */
import type { ApiClient } from '../clients/client.ts';
import type { DomainCredentials } from '../service.ts';
import { pause } from '../until.ts';

const DAY_MS = 86_400_000;
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** Share of the batches that are sent once more after their answer. */
const REPEATED = 0.3;
const RETRY_MS = 30;
/** Instead of a status: nobody listens. */
const NOBODY = -1;

/** A row of GET /api/v1/ledger. */
export interface LedgerRow {
  received: number;
  stored: { page_views: number; events: number; keep_alives: number };
  opening_events: number;
  dropped: Record<string, number>;
  duplicates: number;
}

/** The sum of the rows that a run may touch. */
export async function ledgerOf(reader: ApiClient, id: string): Promise<LedgerRow> {
  const [from, to] = [-DAY_MS, DAY_MS].map((ms) =>
    new Date(Date.now() + ms).toISOString().slice(0, 10),
  );
  const path = `/api/v1/ledger?id=${id}&from=${from}&to=${to}`;
  const { status, body } = await reader.request('GET', path);
  if (status !== 200) throw new Error(`the ledger is answered ${status}: ${JSON.stringify(body)}`);
  const sum: LedgerRow = {
    ...{ received: 0, stored: { page_views: 0, events: 0, keep_alives: 0 } },
    ...{ opening_events: 0, dropped: {}, duplicates: 0 },
  };
  for (const row of body as LedgerRow[]) {
    sum.received += row.received;
    sum.duplicates += row.duplicates;
    sum.opening_events += row.opening_events;
    for (const [kind, count] of Object.entries(row.stored)) {
      sum.stored[kind as keyof LedgerRow['stored']] += count;
    }
    for (const [reason, count] of Object.entries(row.dropped)) {
      sum.dropped[reason] = (sum.dropped[reason] ?? 0) + count;
    }
  }
  return sum;
}

/** Least and most that may have been counted. */
type Bounds = [least: number, most: number];

/** Sends to one domain until it is stopped. */
export class DropLoad {
  /** What was sent for sure, and how often it may have been. */
  readonly sent = { views: 0, bots: 0, foreign: [0, 0] as Bounds, repeats: [0, 0] as Bounds };
  readonly #domain: DomainCredentials;
  readonly #baseUrl: () => string;
  readonly #random: () => number;
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();
  #count = 0;

  constructor(domain: DomainCredentials, baseUrl: () => string, random: () => number) {
    this.#domain = domain;
    this.#baseUrl = baseUrl;
    this.#random = random;
  }

  start(): void {
    this.#running = Promise.all([this.#sendBatches(), this.#sendForeign()]);
  }

  /** What it has begun it brings to its end. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #sendBatches(): Promise<void> {
    while (!this.#isOver) {
      const key = `drops-${this.#count++}`;
      const [views, bots, foreign] = [0, 1, 2].map(() => Math.floor(this.#random() * 4));
      const items = [
        ...this.#items(views!, { user_agent: PERSON }),
        ...this.#items(bots!, { user_agent: BOT }),
        ...this.#items(foreign!, { url: 'https://elsewhere.test/' }),
      ];
      const { sent } = this;
      sent.repeats[1] += items.length * ((await this.#insist(key, items)) - 1);
      sent.views += views!;
      sent.bots += bots!;
      sent.foreign[0] += foreign!;
      sent.foreign[1] += foreign!;
      if (this.#random() < REPEATED) {
        sent.repeats[0] += items.length;
        sent.repeats[1] += items.length * (await this.#insist(key, items));
      }
    }
  }

  async #sendForeign(): Promise<void> {
    const { sent } = this;
    while (!this.#isOver) {
      const [item] = this.#items(1, { url: 'https://elsewhere.test/' });
      const status = await this.#send('hit', '', item);
      if (status === 400) sent.foreign[0]++;
      if (status === 400 || status === 0) sent.foreign[1]++;
      await pause(RETRY_MS);
    }
  }

  #items(count: number, fields: object): object[] {
    return Array.from({ length: count }, () => ({
      time: new Date().toISOString(),
      url: `https://${this.#domain.hostname}/`,
      // Everybody is somebody else.
      ip: `10.${Math.floor(this.#random() * 250)}.${this.#count % 250}.${this.#count >> 8}`,
      user_agent: PERSON,
      ...fields,
    }));
  }

  /** @returns how often it may have arrived. */
  async #insist(key: string, items: readonly object[]): Promise<number> {
    for (let times = 0; ; ) {
      const status = await this.#send('hit/batch', key, items);
      if (status !== NOBODY) times++;
      if (status === 200) return times;
      if (status !== NOBODY && status !== 0 && status !== 503)
        throw new Error(`a batch is answered ${status}`);
      await pause(RETRY_MS);
    }
  }

  /** @returns the status, 0 without an answer, `NOBODY` when nothing was sent. */
  async #send(path: string, key: string, body: unknown): Promise<number> {
    try {
      const reply = await fetch(`${this.#baseUrl()}/api/v1/${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${this.#domain.access_key}`,
          ...(key === '' ? {} : { 'Idempotency-Key': key }),
        },
        body: JSON.stringify(body),
      });
      await reply.arrayBuffer();
      return reply.status;
    } catch (error) {
      const { cause } = error as { cause?: NodeJS.ErrnoException };
      return cause?.code === 'ECONNREFUSED' ? NOBODY : 0;
    }
  }
}

/** What the ledger says that cannot be, given what was sent; empty when it adds up. */
export function wrongEntries({ sent }: DropLoad, ledger: LedgerRow): string[] {
  const { hostname = 0, ...others } = ledger.dropped;
  const bots = Object.values(others).reduce((sum, count) => sum + count, 0);
  const { page_views: views } = ledger.stored;
  const total = views + bots + hostname + ledger.duplicates;
  const found: [what: string, counted: number, bounds: Bounds][] = [
    ['stored page views', views, [sent.views, sent.views]],
    ['dropped bots', bots, [sent.bots, sent.bots]],
    ['foreign hostnames', hostname, sent.foreign],
    ['duplicates', ledger.duplicates, sent.repeats],
    ['received', ledger.received, [total, total]],
  ];
  return found
    .filter(([, counted, [least, most]]) => counted < least || counted > most)
    .map(([what, counted, [least, most]]) => `${what}: ${counted}, not ${least} to ${most}`);
}
