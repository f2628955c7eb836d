/** A whole run of the demo against a service that only counts. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { afterEach, expect, test } from 'vitest';
import { runDemo } from '../../src/demo/run.ts';
import { BOT_USER_AGENTS } from '../../src/demo/simulator/devices.ts';
import { SITES } from '../../src/demo/simulator/sites.ts';

// Goal: the closing summary is right when the service is right and says so when it is not.
// Method: a fake service keeps two counters per site; one variant loses a single page view.

interface Counters {
  views: number;
  events: number;
}

class FakeService {
  readonly dataDir = '/nowhere';
  readonly isRunning = true;
  readonly lastWords = '';
  readonly counters = new Map<string, Counters>();
  readonly idempotencyKeys = new Set<string>();
  viewsLost = 0;
  #server: Server | null = null;

  ask<T>(...args: string[]): Promise<T> {
    const hostname = args[args.indexOf('--hostname') + 1] ?? '';
    const made =
      args[0] === 'account'
        ? { client_id: 'c', client_secret: 's', link: `${args.at(-1)}/reset?token=t` }
        : { id: `id-${hostname}`, access_key: `pa_${hostname}` };
    if (args[0] === 'domain') this.counters.set(hostname, { views: 0, events: 0 });
    return Promise.resolve(made as T);
  }

  start(): Promise<string> {
    const server = createServer((request, response) => void this.#answer(request, response));
    this.#server = server;
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      });
    });
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '', 'http://fake');
    const path = url.pathname.replace('/api/v1', '');
    if (path === '/token') response.end('{"access_token":"t","expires_at":"2030-01-01T00:00:00Z"}');
    else if (path.startsWith('/statistics/')) response.end(JSON.stringify(this.#read(path, url)));
    else {
      const key = request.headers['idempotency-key'];
      if (typeof key === 'string') this.idempotencyKeys.add(key);
      const hostname = request.headers.authorization?.replace('Bearer pa_', '') ?? '';
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
      const items = (Array.isArray(body) ? body : [body]) as Record<string, string>[];
      this.#count(hostname, path.replace('/batch', ''), items);
      response.end(Array.isArray(body) ? `{"accepted":${items.length},"rejected":[]}` : '{}');
    }
  }

  #count(hostname: string, path: string, items: readonly Record<string, string>[]): void {
    const counters = this.counters.get(hostname) as Counters;
    const people = items.filter((item) => !BOT_USER_AGENTS.includes(item['user_agent'] ?? ''));
    if (path === '/hit') counters.views += people.length;
    if (path === '/event') counters.events += people.length;
  }

  #read(path: string, url: URL): unknown {
    const hostname = (url.searchParams.get('id') ?? '').replace('id-', '');
    const { views, events } = this.counters.get(hostname) as Counters;
    if (path === '/statistics/total') {
      return { visitors: 1, views: views - this.viewsLost, sessions: 1, bounce_rate: 0 };
    }
    if (path === '/statistics/active') return { visitors: 3, stats: [{ path: '/', visitors: 3 }] };
    if (path === '/statistics/events') return [{ name: 'any', count: events }];
    return [];
  }
}

let service: FakeService | null = null;
afterEach(() => service?.close());

async function run(viewsLost: number): Promise<{ isExact: boolean; text: string }> {
  service = new FakeService();
  service.viewsLost = viewsLost;
  const out = new PassThrough();
  const isExact = await runDemo(
    service,
    { seconds: 2, seed: 42, peakPerSecond: 300, days: 1, visitsPerDay: 300 },
    { out: out as unknown as WriteStream, signal: new AbortController().signal },
  );
  return { isExact, text: String(out.read()) };
}

test('a run ends with every acknowledged hit found in the statistics', async () => {
  const { isExact, text } = await run(0);
  expect(isExact).toBe(true);
  expect(text).toContain('every one is in the statistics');
  expect(text).toMatch(/demo@footfall\.example: http:\/\/127\.0\.0\.1:\d+\/reset\?token=t$/m);
  expect(text).toMatch(/^00:01 acknowledged \d+/m);
  for (const { hostname } of SITES) {
    const { views = 0, events = 0 } = service?.counters.get(hostname) ?? {};
    expect(views).toBeGreaterThan(20);
    expect(events).toBeGreaterThan(0);
  }
  expect(service?.idempotencyKeys.size).toBeGreaterThan(10);
});

test('a run that misses one page view in the statistics says so', async () => {
  const { isExact, text } = await run(1);
  expect(isExact).toBe(false);
  expect(text).toContain('DIFFERENT');
});
