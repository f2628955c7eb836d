/**
 * A site with the tag on its pages, in a real browser, and a domain that counts it.
 *
 * Its pages come from a server of its own under any hostname that ends in `.example`, so that the
 * service is another site. What a page sends is seen at the browser's network, and what counts by
 * statistics.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { BROWSER_AGENT, startBrowser } from './browser.ts';
import { sharedSite, type TestDomain, type TestSite } from './domains.ts';

const DAY_LENGTH = 10;
/** A page that sends nothing has had this long to do it. */
const QUIET_MS = 250;

/** What a test says of the pages that follow. */
export interface Tagged {
  /** Of the tag, beside its code. */
  attributes?: string;
  /** Path of the script at the service; default: `/js/footfall.js`. */
  script?: string;
  /** Before the tag. */
  head?: string;
  body?: string;
  status?: number;
  headers?: Record<string, string>;
  hostname?: string;
}

/** The kinds of requests that pages send, as the service's paths. */
const SENDING = /\/(hit|event|session)(\?|$)/;

export class TaggedSite {
  readonly service: TestSite;
  readonly browser: Browser;
  readonly #server: Server;
  /** Of the test at hand. */
  domain!: TestDomain;
  code = '';
  context!: BrowserContext;
  page!: Page;
  tagged: Tagged = {};
  /** What the pages sent, in order, and what went to the console or was thrown. */
  sent: Request[] = [];
  methods: string[] = [];
  faults: string[] = [];
  answered = 0;

  static async open(hostname = 'script.example'): Promise<TaggedSite> {
    const service = await sharedSite({ hostname });
    const browser = await startBrowser([
      '--host-resolver-rules=MAP *.example 127.0.0.1',
      // What leaves with a page that goes away has the program's own user agent, not the window's.
      `--user-agent=${BROWSER_AGENT}`,
    ]);
    const site = new TaggedSite(service, browser);
    await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  private constructor(service: TestSite, browser: Browser) {
    this.service = service;
    this.browser = browser;
    this.#server = createServer((request, response) => {
      const { status = 200, headers = {} } = this.tagged;
      response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
      response.end(this.#html(request.url ?? ''));
    });
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A domain and a window that no test has had. */
  async begin(): Promise<void> {
    this.domain = await this.service.next();
    this.code = await this.codeOf(this.domain);
    this.tagged = {};
    this.context = await this.browser.newContext({
      userAgent: BROWSER_AGENT,
      viewport: { width: 1_000, height: 600 },
      screen: { width: 1_920, height: 1_080 },
    });
    this.page = await this.newPage();
    this.sent = [];
    this.methods = [];
    this.faults = [];
    this.answered = 0;
    this.context.on('request', (request) => {
      this.methods.push(request.method());
      if (SENDING.test(request.url())) this.sent.push(request);
    });
    this.context.on('response', (response) => {
      if (SENDING.test(response.url())) this.answered++;
    });
  }

  async newPage(): Promise<Page> {
    const page = await this.context.newPage();
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && this.faults.push(message.text()));
    return page;
  }

  async codeOf(domain: TestDomain): Promise<string> {
    const { body } = await this.service.reader.request('GET', `/api/v1/domain?id=${domain.id}`);
    return (body as { identification_code: string }).identification_code;
  }

  url(path: string, hostname = this.tagged.hostname ?? this.domain.hostname): string {
    return `http://${hostname}:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Opens a page and waits until `count` requests of it in all have been answered. */
  async visit(path: string, tagged: Tagged = {}, count = 1): Promise<void> {
    this.tagged = { ...this.tagged, ...tagged };
    await this.page.goto(this.url(path));
    await this.untilAnswered(count);
  }

  /** @param count of requests since the test began. */
  async untilAnswered(count: number): Promise<void> {
    const endMs = performance.now() + 15_000;
    while (this.answered < count && performance.now() < endMs) await pause(10);
    if (this.answered !== count) {
      throw new Error(`${this.answered} of ${count} were answered: ${this.kinds()}`);
    }
  }

  /** What was sent until nothing more comes. */
  async untilQuiet(): Promise<string> {
    await pause(QUIET_MS);
    return this.kinds();
  }

  kinds(): string {
    return this.sent.map((request) => SENDING.exec(request.url())?.[1]).join(' ');
  }

  /** A parameter of each request. */
  parameters(name: string): (string | null)[] {
    return this.sent.map((request) => new URL(request.url()).searchParams.get(name));
  }

  async statistic(
    name: string,
    more: Record<string, string> = {},
    id = this.domain.id,
    // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect
  ): Promise<any> {
    const day = new Date().toISOString().slice(0, DAY_LENGTH);
    return this.service.reader.statistics(name, { id, from: day, to: day, ...more });
  }

  /** Path and views of each page, most viewed first. */
  async views(id = this.domain.id): Promise<Record<string, number>> {
    const rows: { path: string; views: number }[] = await this.statistic('page', {}, id);
    return Object.fromEntries(rows.map(({ path, views }) => [path, views]));
  }

  /** Name and number of events. */
  async events(): Promise<Record<string, number>> {
    const rows: { name: string; count: number }[] = await this.statistic('events');
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }

  #html(path: string): string {
    const { attributes = '', head = '', body = '', script = '/js/footfall.js' } = this.tagged;
    const src = this.service.service.baseUrl + script;
    const code = script.includes(this.code) ? '' : ` data-code="${this.code}"`;
    return (
      `<!doctype html><title>Title of ${path}</title>${head}` +
      `<script defer src="${src}"${code} ${attributes}></script><body>${body}`
    );
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
