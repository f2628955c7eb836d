/**
 * `GET /metrics` on a port of its own, for Prometheus.
 *
 * Control plane, on the main thread, which does nothing per hit: whoever asks, and however often, holds
 * up no request for hits or statistics. The port is for those who watch the service: it knows no
 * accounts, and a token only where the settings have one. Nothing in the text is of a site or a visitor.
 */

import { createServer, type ServerResponse } from 'node:http';
import { isSameSecret } from '../../base/hash.ts';
import { errors } from '../../model/errors.ts';
import { MINUTE_MS } from '../../model/limits.ts';
import { METRICS_TYPE } from './metrics-text.ts';

const SCHEME = /^bearer +/i;
const PATH = '/metrics';
const CONNECTION_COUNT_MAX = 32;

/** What ends a page. */
export type MetricsPage = { close(): void };

/** Where the page is, and who may see it. */
export interface PageAddress {
  readonly host: string;
  readonly port: number;
  /** What is to be sent as Bearer; null: nothing. */
  readonly token: string | null;
}

/** Serves the metrics. The address is known to be free. @param text of now. */
export async function openMetricsPage(
  { host, port, token }: PageAddress,
  text: () => string,
): Promise<MetricsPage> {
  const server = createServer({ requestTimeout: MINUTE_MS }, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://metrics');
    if (pathname !== PATH) answer(response, 404, `metrics are at ${PATH}\n`);
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      answer(response, 405, `ask for ${PATH} with GET\n`);
    } else if (token !== null && !isBearer(request.headers.authorization, token)) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      answer(response, 401, `${errors.METRICS_TOKEN_WRONG({}).told}\n`);
    } else answer(response, 200, text());
  });
  server.maxConnections = CONNECTION_COUNT_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isBearer(header = '', token: string): boolean {
  return SCHEME.test(header) && isSameSecret(header.replace(SCHEME, ''), token);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' });
  response.end(text);
}
