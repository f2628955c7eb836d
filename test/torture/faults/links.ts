/**
 * The links between nodes and NATS, from the main thread's side.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LinkState } from './link-proxy.ts';
import type { LinkEnds, LinkOrder } from './proxy-thread.ts';

/** One proxy for each node and server, on a thread of their own. */
export class Links {
  readonly #thread: Worker;
  /** Of 127.0.0.1, by node and server. */
  readonly ports: readonly (readonly number[])[];
  #orders = 0;

  private constructor(thread: Worker, ports: readonly (readonly number[])[]) {
    this.#thread = thread;
    this.ports = ports;
  }

  /** @param targets ports of the NATS servers. @param count nodes. */
  static async open(targets: readonly number[], count: number): Promise<Links> {
    const thread = new Worker(new URL('./proxy-thread.js', import.meta.url), {
      workerData: { targets, count },
    });
    const [{ ports }] = (await once(thread, 'message')) as [{ ports: number[][] }];
    return new Links(thread, ports);
  }

  /** Resolves when a link is in that state. */
  become(link: LinkEnds, state: LinkState): Promise<void> {
    return this.#order(link, state);
  }

  /** Ends the connections of a link at once. */
  cut(link: LinkEnds): Promise<void> {
    return this.#order(link, null);
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #order(link: LinkEnds, state: LinkState | null): Promise<void> {
    const id = ++this.#orders;
    return new Promise((resolve) => {
      const listen = (answer: { id: number }): void => {
        if (answer.id !== id) return;
        this.#thread.off('message', listen);
        resolve();
      };
      this.#thread.on('message', listen);
      this.#thread.postMessage({ id, link, state } satisfies LinkOrder);
    });
  }
}
