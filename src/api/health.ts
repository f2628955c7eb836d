/** Endpoints for whoever watches the process. */

import { errors } from '../model/errors.ts';
import type { Endpoint } from './endpoint.ts';
import type { Ports } from './ports.ts';

const OK = '{"status":"ok"}';

const health = { method: 'GET', scope: null, allowsAccessKeys: false, body: null } as const;

/**
 * `/livez` while the process works; `/readyz` is refused like everything else until it is ready, and
 * says what is missing: in the error while it is not ready, beside the status when it is.
 */
export const healthEndpoints: readonly Endpoint[] = [
  { ...health, path: '/livez', needsReady: false, handle: () => OK },
  { ...health, path: '/readyz', needsReady: true, handle: (_, ports) => readiness(ports) },
];

function readiness({ cluster }: Ports): string {
  const reason = cluster.unreadyReason();
  if (reason !== null) throw errors.NOT_READY({ reason });
  const missing = cluster.missing();
  return missing.length === 0 ? OK : JSON.stringify({ status: 'ok', missing });
}
