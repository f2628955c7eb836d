/**
 * Fresh domains for tests that need one per case, on a service that runs.
 *
 *   const site = await sharedSite({ timezone: 'Europe/Berlin' });   // on the service all suites share
 *   const site = await openSite(running, { count: 12 });            // on a service of one's own
 *   const domain = await site.next();
 *   await site.writerOf(domain).collect('hit/batch', […]);
 *   await site.reader.statistics('total', { id: domain.id, … });
 *
 * Uses the registry directly, as the CLI does, but without a process per domain.
 */
import { inject } from 'vitest';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { ApiClient } from './clients/client.ts';

export interface TestDomain {
  id: string;
  hostname: string;
  clientId: string;
  clientSecret: string;
  accessKey: string;
}

export interface SiteOptions {
  /** Of all domains, or of the n-th one. Default: example.org. */
  hostname?: string | ((index: number) => string);
  timezone?: string;
  /** Domains that are there from the start. */
  count?: number;
}

/** Where a service is. */
interface ServicePlace {
  readonly baseUrl: string;
  readonly dataDir: string;
}

/** Domains that are made at once when none is left. */
const MORE_COUNT = 40;
/** A running service knows new domains within a second; busy machines take longer. */
const KNOWN_WITHIN_MS = 10_000;
/** Connections in a row that must know a domain: they are dealt to the edges by turns. */
const CONNECTION_COUNT = 6;

/** An account with its domains. */
export class TestSite {
  readonly service: ServicePlace;
  readonly domains: TestDomain[] = [];
  /** Reads and writes all of them. */
  readonly reader: ApiClient;
  readonly #email: string;
  readonly #options: SiteOptions;
  #used = 0;

  constructor(service: ServicePlace, email: string, options: SiteOptions) {
    this.service = service;
    this.reader = new ApiClient(service.baseUrl);
    this.#email = email;
    this.#options = options;
  }

  /** A domain that no test has had. */
  async next(): Promise<TestDomain> {
    if (this.#used === this.domains.length) await this.more(MORE_COUNT);
    return this.domains[this.#used++] as TestDomain;
  }

  /** Sends to a domain, with its access key. */
  writerOf({ accessKey }: TestDomain): ApiClient {
    return new ApiClient(this.service.baseUrl, accessKey);
  }

  /** Reads a domain and writes to it, by an access token of its own. */
  readerOf({ clientId, clientSecret }: TestDomain): Promise<ApiClient> {
    return ApiClient.withSecret(this.service.baseUrl, clientId, clientSecret);
  }

  /** Makes domains; every edge of the service knows them then. */
  async more(count: number): Promise<void> {
    const { hostname = 'example.org', timezone = 'UTC' } = this.#options;
    const nowMs = Date.now();
    const registry = Registry.open(this.service.dataDir, nowMs);
    try {
      for (let made = 0; made < count; made++) {
        const host = typeof hostname === 'string' ? hostname : hostname(this.domains.length);
        const wish = { hostname: host, timezone, email: this.#email };
        // Each a millisecond younger than the one before: the oldest of one hostname is the first (I-9).
        const { domain, ...keys } = await createDomain(registry, wish, nowMs - count + made);
        const { clientId, clientSecret, accessKey } = keys;
        this.domains.push({ id: domain.id, hostname: host, clientId, clientSecret, accessKey });
      }
    } finally {
      await registry.close();
    }
    await this.#untilKnown(this.domains.at(-1) as TestDomain);
  }

  async #untilKnown({ clientId, clientSecret }: TestDomain): Promise<void> {
    const endMs = performance.now() + KNOWN_WITHIN_MS;
    const body = { client_id: clientId, client_secret: clientSecret };
    // A connection for each request.
    const headers = { connection: 'close' };
    const client = new ApiClient(this.service.baseUrl);
    for (let inRow = 0; inRow < CONNECTION_COUNT; ) {
      const { status } = await client.request('POST', '/api/v1/token', { body, headers });
      inRow = status === 200 ? inRow + 1 : 0;
      if (status === 200) continue;
      if (performance.now() > endMs) throw new Error(`not known within ${KNOWN_WITHIN_MS} ms`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

let sitesOpened = 0;

/** An account of its own on a service that runs. */
export async function openSite(
  service: ServicePlace,
  options: SiteOptions = {},
): Promise<TestSite> {
  const nowMs = Date.now();
  const email = `owner-${nowMs}-${process.pid}-${sitesOpened++}@example.org`;
  const registry = Registry.open(service.dataDir, nowMs);
  const made = await createAccount(registry, { email, name: 'Owner' }, nowMs).finally(() =>
    registry.close(),
  );
  const site = new TestSite(service, email, options);
  await site.more(options.count ?? 1);
  const { baseUrl } = service;
  const { bearer } = await ApiClient.whenKnown(baseUrl, made.clientId, made.clientSecret);
  site.reader.bearer = bearer;
  return site;
}

/** An account of its own on the service that all suites of `test/end-to-end/site` share. */
export function sharedSite(options: SiteOptions = {}): Promise<TestSite> {
  return openSite(inject('sharedService'), options);
}
