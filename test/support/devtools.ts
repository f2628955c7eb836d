/**
 * A window of Chromium that nobody looks over the shoulder of: the few commands that are sent go through
 * a pipe, and none of the watching is switched on by which a test's own tools make a page work more.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { BROWSER_AGENT } from './browser.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

type Answer = Readonly<Record<string, unknown>>;

/** What the thread of the page has done so far, in milliseconds of processor time. */
export interface Work {
  readonly task: number;
  readonly script: number;
  readonly layout: number;
  readonly style: number;
}

/** One window. */
export class Window {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #told: (() => void)[] = [];
  #calls = 0;
  #tellings = 0;
  #session = '';

  /** Opens one. @param size of the window. */
  static async open(size = { width: 1_440, height: 900 }): Promise<Window> {
    const window = new Window(size);
    const { targetInfos } = await window.#send('Target.getTargets', {});
    const [target] = (targetInfos as { type: string; targetId: string }[]).filter(
      ({ type }) => type === 'page',
    );
    const attached = { targetId: target?.targetId, flatten: true };
    const { sessionId } = await window.#send('Target.attachToTarget', attached);
    window.#session = String(sessionId);
    await window.#send('Performance.enable', { timeDomain: 'threadTicks' });
    await window.#send('Runtime.enable', {});
    await window.#send('Runtime.addBinding', { name: 'tellTest' });
    return window;
  }

  private constructor({ width, height }: { width: number; height: number }) {
    this.#profile = mkdtempSync(join(tmpdir(), 'footfall-window-'));
    this.#child = spawn(
      '/usr/bin/chromium',
      [
        ...['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
        ...['--no-first-run', '--disable-background-networking', '--disable-extensions'],
        ...[`--user-agent=${BROWSER_AGENT}`, '--lang=en-GB', `--window-size=${width},${height}`],
        ...[`--user-data-dir=${this.#profile}`, '--remote-debugging-pipe', 'about:blank'],
      ],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    let rest = '';
    (this.#child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) this.#take(JSON.parse(message) as Message);
    });
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    await this.#send('Browser.close', {}).catch(() => undefined);
    await gone;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async setCookie(url: string, name: string, value: string): Promise<void> {
    await this.#send('Network.setCookie', { url, name, value, httpOnly: true });
  }

  /** Opens an address, and waits until the page is another one. */
  async go(url: string): Promise<void> {
    await this.#send('Page.navigate', { url });
    while (
      !(await this.evaluate<boolean>(
        "location.href !== 'about:blank' && document.documentElement !== null",
      ))
    ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Runs in every page before its own scripts. */
  async beforeScripts(source: string): Promise<void> {
    await this.#send('Page.enable', {});
    await this.#send('Page.addScriptToEvaluateOnNewDocument', { source });
  }

  /** What an expression comes to in the page; promises are waited for. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const asked = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', asked);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: Value }).value;
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    await this.evaluate(`new Promise((resolve) => {
      const look = () => { if (${expression}) { observer.disconnect(); resolve(); } };
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true,
        attributes: true, characterData: true });
      look();
    })`);
  }

  /** How often the page has called `tellTest('')`. */
  get tellings(): number {
    return this.#tellings;
  }

  /** Resolves with the next of them. */
  told(): Promise<void> {
    return new Promise((resolve) => this.#told.push(resolve));
  }

  async work(): Promise<Work> {
    const { metrics } = await this.#send('Performance.getMetrics', {});
    const list = metrics as { readonly name: string; readonly value: number }[];
    const ms = (name: string) => 1_000 * (list.find((one) => one.name === name)?.value ?? 0);
    return {
      ...{ task: ms('TaskDuration'), script: ms('ScriptDuration') },
      ...{ layout: ms('LayoutDuration'), style: ms('RecalcStyleDuration') },
    };
  }

  #take(message: Message): void {
    if (message.id !== undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    } else if (message.method === 'Runtime.bindingCalled') {
      this.#tellings++;
      for (const tell of this.#told.splice(0)) tell();
    }
  }

  #send(method: string, params: object): Promise<Answer> {
    const id = ++this.#calls;
    const sessionId = this.#session === '' ? {} : { sessionId: this.#session };
    const input = this.#child.stdio[3] as Writable;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ error, result }) => {
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(`${method}: ${error.message}`));
      });
      input.write(`${JSON.stringify({ id, method, params, ...sessionId })}\0`);
    });
  }
}
