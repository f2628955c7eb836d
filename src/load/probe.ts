/**
 * One request before the load: whether the target is there, takes the key, and takes hits.
 *
 * Control plane. What is wrong is said in one sentence before anything is measured.
 */
import { errors } from '../model/errors.ts';
import { Connection, endpointOf } from './send/connection.ts';
import type { Requests } from './send/requests.ts';
import type { TargetWish } from './wish.ts';

const PROBE_MS_MAX = 15_000;
const SAID_LENGTH_MAX = 200;

/**
 * Sends the first request.
 *
 * @throws BENCH_REFUSED unless it is accepted.
 */
export async function probe({ url, product }: TargetWish, requests: Requests): Promise<void> {
  const reason = await new Promise<string | null>((resolve) => {
    const end = (found: string | null) => {
      clearTimeout(timer);
      connection.close();
      resolve(found);
    };
    const timer = setTimeout(
      () => end(`${url.origin} did not answer within ${PROBE_MS_MAX / 1_000} s`),
      PROBE_MS_MAX,
    );
    const connection = new Connection({
      endpoint: endpointOf(url),
      index: 0,
      bytesMax: requests.bytesMax,
      watcher: {
        onOpen: () => connection.send(requests.writeNext(connection.buffer)),
        onLost: (_, fault) => end(`${url.origin} cannot be reached: ${fault}`),
        onAnswer: (_, { status, bytes }) => {
          const text = bytes.toString('utf8');
          const isOk = status >= 200 && status <= 299;
          if (isOk && product.isRefused?.(text) !== true) end(null);
          else end(refusalOf(status, text, `${product.name} at ${url.origin}`));
        },
      },
    });
  });
  if (reason !== null) throw errors.BENCH_REFUSED({ reason });
}

function refusalOf(status: number, text: string, who: string): string {
  const head = text.slice(0, text.indexOf('\r\n\r\n'));
  const dropped = /\r\n(x-plausible-dropped: *\S+)/i.exec(head)?.[1];
  const body = text.slice(head.length).trim().replace(/\s+/g, ' ').slice(0, SAID_LENGTH_MAX);
  const said = dropped ?? body;
  const what = status === 401 || status === 403 ? 'refuses the key' : 'refuses hits';
  return `${who} ${what}: ${status}${said === '' ? '' : ` ${said}`}`;
}
