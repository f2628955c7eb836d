/**
 * The thread of the proxies: the model's arithmetic in the main thread must not slow a link down.
 *
 * Told what to do by `links.ts`, one message a change, each answered.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { LinkProxy, type LinkState } from './link-proxy.ts';

/** What the thread is asked. */
export interface LinkOrder {
  id: number;
  link: number;
  /** null: cut the connections. */
  state: LinkState | null;
}

const { target, count } = workerData as { target: number; count: number };
const proxies: LinkProxy[] = [];
for (let link = 0; link < count; link++) {
  const proxy = new LinkProxy(target);
  await proxy.open();
  proxies.push(proxy);
}
parentPort?.on('message', ({ id, link, state }: LinkOrder) => {
  if (state === null) proxies[link]?.cut();
  else proxies[link]?.become(state);
  parentPort?.postMessage({ id });
});
parentPort?.postMessage({ ports: proxies.map(({ port }) => port) });
