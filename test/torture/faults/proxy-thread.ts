/**
 * The thread of the proxies: the model's arithmetic in the main thread must not slow a link down.
 *
 * Told what to do by `links.ts`, one message a change, each answered.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { LinkProxy, type LinkState } from './link-proxy.ts';

/** The link between a node and a NATS server. */
export interface LinkEnds {
  readonly node: number;
  /** −1: the links to all of them. */
  readonly server: number;
}

/** What the thread is asked. */
export interface LinkOrder {
  id: number;
  link: LinkEnds;
  /** null: cut the connections. */
  state: LinkState | null;
}

const { targets, count } = workerData as { targets: number[]; count: number };
/** By node and server. */
const links: LinkProxy[][] = [];
for (let node = 0; node < count; node++) {
  const proxies = targets.map((target) => new LinkProxy(target));
  await Promise.all(proxies.map((proxy) => proxy.open()));
  links.push(proxies);
}
parentPort?.on('message', ({ id, link, state }: LinkOrder) => {
  for (const [server, proxy] of (links[link.node] ?? []).entries()) {
    if (link.server >= 0 && link.server !== server) continue;
    if (state === null) proxy.cut();
    else proxy.become(state);
  }
  parentPort?.postMessage({ id });
});
parentPort?.postMessage({ ports: links.map((proxies) => proxies.map(({ port }) => port)) });
