/** Endpoints for whoever watches the process. */
import type { Endpoint } from './endpoint.ts';

const OK = '{"status":"ok"}';

const health = { method: 'GET', scope: null, allowsAccessKeys: false, body: null } as const;

/** `/livez` while the process works; `/readyz` is refused like everything else until it is ready. */
export const healthEndpoints: readonly Endpoint[] = [
  { ...health, path: '/livez', needsReady: false, handle: () => OK },
  { ...health, path: '/readyz', needsReady: true, handle: () => OK },
];
