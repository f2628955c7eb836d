/**
 * A service with the demo's visitors in it and a person who is signed in: what is shown to others, and
 * what Lighthouse judges. The same seed makes the same visits, counted from now.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceChild } from '../../src/demo/child.ts';
import { ApiClient } from '../../src/demo/client.ts';
import { Ledger } from '../../src/demo/ledger.ts';
import { Player } from '../../src/demo/player.ts';
import { Seeded } from '../../src/demo/simulator/seeded.ts';
import type { SiteProfile } from '../../src/demo/simulator/site.ts';
import { SITES } from '../../src/demo/simulator/sites.ts';
import { Traffic } from '../../src/demo/simulator/traffic.ts';

/** The built program; this file is built too, into `dist/test/showcase`. */
const FOOTFALL = new URL('../../src/main.js', import.meta.url).pathname;
const EMAIL = 'you@example.org';
const PASSWORD = 'a password for pictures';
const SEED = 42;
const DAYS = 60;
const VISITS_PER_DAY = 1_200;
const CONNECTIONS = 8;
/** How long people come while nobody looks, so that somebody is there from the first look on. */
const PRESENT_MS = 8_000;

const GOALS = [
  { name: 'Saw a product', path_pattern: '/p/*', visitors: 20_000 },
  { name: 'Began to pay', path_pattern: '/checkout' },
  { name: 'Bought', path_pattern: '/thanks', visitors: 1_000 },
];
const STEPS = [
  ['Product', '^/p/'],
  ['Cart', '^/cart$'],
  ['Checkout', '^/checkout$'],
  ['Bought', '^/thanks$'],
] as const;

/** Who is there while it is open. */
interface Cast {
  /** Further sites, to which nobody comes meanwhile. */
  readonly quiet?: readonly SiteProfile[];
  /** Nobody comes to any site. */
  readonly isEmpty?: boolean;
}

/** The service, open for browsers. */
export class Stage {
  readonly #service: ServiceChild;
  readonly #accessKeys = new Map<string, string>();
  readonly #end = new AbortController();
  #present: Promise<void> = Promise.resolve();
  address = '';
  /** Name and value of the cookie of the person. */
  cookie = { name: '', value: '' };

  /** @param program another build of `footfall`. */
  constructor(program = FOOTFALL) {
    this.#service = new ServiceChild(program);
  }

  /** Starts it, and sends what happened in the last weeks. */
  async open({ quiet = [], isEmpty = false }: Cast = {}): Promise<void> {
    await this.#service.ask('account', 'create', '--email', EMAIL);
    const ids = new Map<string, string>();
    const sites = [...SITES, ...quiet];
    for (const { hostname, timezone } of sites) {
      const made = await this.#service.ask<{ id: string; access_key: string }>(
        ...['domain', 'create', '--email', EMAIL, '--hostname', hostname, '--timezone', timezone],
      );
      ids.set(hostname, made.id);
      this.#accessKeys.set(hostname, made.access_key);
    }
    const { link } = await this.#service.ask<{ link: string }>(
      ...['account', 'password', '--email', EMAIL],
    );
    this.address = await this.#service.start();
    await this.#signIn(new URL(link).searchParams.get('token'));
    for (const { hostname } of [{ hostname: 'shop.example' }, ...quiet])
      await this.#setUp(ids.get(hostname) ?? '');
    await this.#play(sites, isEmpty);
  }

  /** Sends a hit of one of the sites. */
  async hit(hostname: string, hit: Readonly<Record<string, unknown>>): Promise<void> {
    const headers = { Authorization: `Bearer ${this.#accessKeys.get(hostname)}` };
    const sent = { method: 'POST', headers, body: JSON.stringify(hit) };
    const response = await fetch(`${this.address}/api/v1/hit`, sent);
    if (!response.ok) throw new TypeError(await response.text());
  }

  /** Ends it and removes its data. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#present;
    await this.#service.stop();
  }

  async #signIn(token: string | null): Promise<void> {
    await this.#post('/api/v1/password/reset', { token, password: PASSWORD });
    const response = await this.#post('/api/v1/login', { email: EMAIL, password: PASSWORD });
    const [pair = ''] = (response.headers.get('set-cookie') ?? '').split(';');
    const [name = '', value = ''] = pair.split('=');
    this.cookie = { name, value };
  }

  async #setUp(domainId: string): Promise<void> {
    for (const goal of GOALS) await this.#post('/api/v1/goal', { domain_id: domainId, ...goal });
    const steps = STEPS.map(([name, pattern]) => ({ name, filter: { pattern: [pattern] } }));
    await this.#post('/api/v1/funnel', { domain_id: domainId, name: 'To an order', steps });
  }

  async #play(sites: readonly SiteProfile[], isEmpty: boolean): Promise<void> {
    const client = new ApiClient(this.address, CONNECTIONS);
    const ledger = new Ledger();
    const player = new Player({ client, ledger, accessKeys: this.#accessKeys });
    const of = { random: new Seeded(SEED), peakPerSecond: 40 };
    const traffic = new Traffic({ sites: SITES, ...of });
    const everybody = new Traffic({ sites, ...of });
    const shareSum = SITES.reduce((sum, site) => sum + site.share, 0);
    for (const site of sites) {
      const visitsPerDay = (VISITS_PER_DAY * site.share) / shareSum;
      const past = { nowMs: Date.now(), days: DAYS, visitsPerDay };
      await player.sendPast(site.hostname, everybody.past(site, past));
    }
    if (isEmpty) {
      client.close();
      return;
    }
    // Somebody is there, and comes, while it is looked at.
    this.#present = player.playPresent(traffic, this.#end.signal).then(() => client.close());
    await sleep(PRESENT_MS);
  }

  async #post(path: string, body: unknown): Promise<Response> {
    const { name, value } = this.cookie;
    const headers = { Origin: this.address, Cookie: `${name}=${value}` };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(this.address + path, sent);
    if (!response.ok) throw new TypeError(`${path}: ${await response.text()}`);
    return response;
  }
}
