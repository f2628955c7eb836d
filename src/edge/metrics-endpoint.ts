/**
 * `GET /metrics` among the endpoints, for who has the operator's token (P-30).
 *
 * Control plane. It is no part of the interface for clients: neither accounts nor their credentials have
 * to do with it, and without a token it is not there.
 */

import type { Endpoint } from '../api/endpoint.ts';
import { PUBLIC, READS } from '../api/presets.ts';
import { isSameSecret } from '../base/hash.ts';
import { errors } from '../model/errors.ts';
import { requestHead } from './http/request-head.ts';

const SCHEME = /^bearer +/i;

/** What it is made of. */
export interface MetricsSource {
  readonly token: string;
  /** Type of the text. */
  readonly type: string;
  /** The text as it is now, made by another thread. */
  readonly text: () => Promise<string>;
}

/** The endpoint. */
export function metricsEndpoint({ token, type, text }: MetricsSource): Endpoint {
  return {
    ...READS,
    ...PUBLIC,
    path: '/metrics',
    summary: 'What the service counts of itself, for Prometheus.',
    // Whoever watches it wants to know of a start and a stop, too.
    needsReady: false,
    answer: { kind: 'file', status: 200, schema: null, isPacked: true },
    handle(): Promise<{ body: string; headers: Record<string, string> }> {
      // There is no body to wait for, so this is still the request whose head was read.
      const given = requestHead.authorization;
      if (!SCHEME.test(given) || !isSameSecret(given.replace(SCHEME, ''), token)) {
        throw errors.METRICS_TOKEN_WRONG({});
      }
      return text().then((body) => ({ body, headers: { 'Content-Type': type } }));
    },
  };
}
