/**
 * Load from several connections for the crash test, with a ledger of what became of every request.
 *
 * Every request has a visitor and a page of its own, so that the page statistics tell for each one
 * how often it was counted. A request's fate is `acknowledged` (answered 2xx), `unknown` (no
 * answer came) or `refused`. Requests with an Idempotency-Key are sent until they are acknowledged,
 * and now and then once more after that.
 */
import { Agent, request } from 'node:http';
import { pause } from '../until.ts';

export type Fate = 'acknowledged' | 'unknown' | 'refused';

/** What was sent, and what is known of it. */
export interface LedgerEntry {
  path: string;
  /** Page views that it stores when it counts. */
  views: number;
  /** '' when it has no events. */
  eventName: string;
  events: number;
  hasKey: boolean;
  attempts: number;
  fate: Fate;
}

interface Shot {
  entry: LedgerEntry;
  endpoint: string;
  body: string;
  key: string;
}

/** Numbers from 0 up to 1 that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface LoadOptions {
  baseUrl: string;
  accessKey: string;
  hostname: string;
  connections: number;
  /** Most milliseconds that a connection rests between two requests. */
  restMsMax: number;
  random: () => number;
}

const BATCH_ITEMS = 20;
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 Footfall/test';

/** Runs until `stop`; it survives any failure of the service. */
export class LoadClient {
  readonly ledger: LedgerEntry[] = [];
  /** Page views of acknowledged requests so far: what the service owes. */
  acknowledgedViews = 0;
  private readonly options: LoadOptions;
  private readonly agents: Agent[] = [];
  private readonly loops: Promise<void>[] = [];
  private isStopping = false;
  private nextId = 0;

  constructor(options: LoadOptions) {
    this.options = options;
  }

  start(): void {
    for (let connection = 0; connection < this.options.connections; connection++) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      this.agents.push(agent);
      this.loops.push(this.run(agent));
    }
  }

  /** Lets every request with a key come to its end, then ends. The service must be up. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.loops);
    for (const agent of this.agents) agent.destroy();
  }

  private async run(agent: Agent): Promise<void> {
    const { random, restMsMax } = this.options;
    while (!this.isStopping) {
      const shot = this.makeShot();
      this.ledger.push(shot.entry);
      await this.fire(agent, shot);
      if (shot.key !== '' && random() < 0.1) await this.fire(agent, shot);
      await pause(random() * restMsMax);
    }
  }

  /** Sends once, or with a key until the service has said yes. */
  private async fire(agent: Agent, shot: Shot): Promise<void> {
    const { entry } = shot;
    for (;;) {
      entry.attempts++;
      const fate = await this.send(agent, shot);
      if (entry.fate !== 'acknowledged') {
        entry.fate = fate;
        if (fate === 'acknowledged') this.acknowledgedViews += entry.views;
      }
      if (shot.key === '' || fate === 'acknowledged') return;
      await pause(20 + this.options.random() * 30);
    }
  }

  private makeShot(): Shot {
    const { random, hostname } = this.options;
    const id = this.nextId++;
    const isBatch = random() < 0.4;
    const isEvent = random() < 0.25;
    const items = isBatch ? BATCH_ITEMS : 1;
    const path = `/p/${id}`;
    const hit: Record<string, unknown> = {
      url: `https://${hostname}${path}`,
      ip: `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`,
      user_agent: USER_AGENT,
    };
    const eventName = isEvent ? `event-${id}` : '';
    if (isEvent) hit.event_name = eventName;
    const kind = isEvent ? 'event' : 'hit';
    const hasKey = random() < 0.5;
    const time = new Date().toISOString();
    const body = isBatch ? Array.from({ length: items }, () => ({ ...hit, time })) : hit;
    return {
      // An event without a session opens one and stores one page view with it (I-50).
      entry: {
        path,
        views: isEvent ? 1 : items,
        eventName,
        events: isEvent ? items : 0,
        hasKey,
        attempts: 0,
        fate: 'unknown',
      },
      endpoint: isBatch ? `${kind}/batch` : kind,
      body: JSON.stringify(body),
      key: hasKey ? `key-${id}` : '',
    };
  }

  private send(agent: Agent, shot: Shot): Promise<Fate> {
    const headers: Record<string, string | number> = {
      Authorization: `Bearer ${this.options.accessKey}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(shot.body),
    };
    if (shot.key !== '') headers['Idempotency-Key'] = shot.key;
    return new Promise((resolve) => {
      const url = `${this.options.baseUrl}/api/v1/${shot.endpoint}`;
      const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode === 200 ? 'acknowledged' : 'refused'));
        answer.once('error', () => resolve('unknown'));
        answer.once('aborted', () => resolve('unknown'));
      });
      outgoing.once('error', () => resolve('unknown'));
      outgoing.setTimeout(30_000, () => outgoing.destroy());
      outgoing.end(shot.body);
    });
  }
}
