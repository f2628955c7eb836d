/**
 * `GET /metrics` on a port of its own, for Prometheus.
 *
 * Control plane, on the main thread, which does nothing per hit: whoever asks, and however often, holds
 * up no request for hits or statistics. The port is for those who watch the service, so it has neither
 * accounts nor limits; nothing in the text is of a site or a visitor.
 */

import { createServer, type ServerResponse } from 'node:http';
import { MINUTE_MS } from '../../model/limits.ts';
import { metricsTable, THREAD_KINDS } from '../../model/metrics.ts';
import { METRICS_TYPE, metricsText } from './metrics-text.ts';
import { readThreadCpu } from './thread-metrics.ts';

const PATH = '/metrics';
const CONNECTION_COUNT_MAX = 32;

/** What ends a page. */
export type MetricsPage = { close(): void };

/**
 * Serves the metrics. The address is known to be free.
 *
 * @param refresh sets the gauges of this thread that nobody sets as they change.
 */
export async function openMetricsPage(
  { host, port }: { host: string; port: number },
  refresh: () => void,
): Promise<MetricsPage> {
  const server = createServer({ requestTimeout: MINUTE_MS }, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://metrics');
    if (pathname !== PATH) answer(response, 404, `metrics are at ${PATH}\n`);
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      answer(response, 405, `ask for ${PATH} with GET\n`);
    } else {
      refresh();
      readThreadCpu();
      answer(response, 200, metricsText(metricsTable, THREAD_KINDS));
    }
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

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' });
  response.end(text);
}
