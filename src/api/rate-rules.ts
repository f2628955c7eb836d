/**
 * Which endpoints have a limit of requests, and in which window a request counts (M-90).
 *
 * A row of its own stands here only for what does not follow from the endpoint: whatever manages and
 * is no reading has the limit of changes.
 */
import type { Endpoint } from './endpoint.ts';

/** `security`: what checks passwords, codes and the like. Each kind is one window of a caller. */
export type RateKind = 'security' | 'change';

/** Where the requests of an endpoint count. */
export interface RateRule {
  readonly kind: RateKind;
  /** With this field in its body a request counts as `security` instead. */
  readonly securityField?: string;
}

const CHANGE: RateRule = { kind: 'change' };
const SECURITY: RateRule = { kind: 'security' };

/** What does not follow; the first that fits decides. A path that ends with * stands for all below. */
const ROWS: readonly (readonly [method: string, path: string, rule: RateRule | null])[] = [
  // Whoever sends hits may ask for tokens as often as it likes.
  ['POST', '/api/v1/token', null],
  ['DELETE', '/api/v1/statistics', null],
  ['POST', '/api/v1/login', SECURITY],
  ['POST', '/api/v1/logout*', SECURITY],
  ['POST', '/api/v1/password/*', SECURITY],
  ['POST', '/api/v1/access', SECURITY],
  ['POST', '/api/v1/user/totp*', SECURITY],
  ['DELETE', '/api/v1/user/totp*', SECURITY],
  ['PUT', '/api/v1/user', { ...CHANGE, securityField: 'password' }],
];

/** Where requests of an endpoint count; null: as many as one likes. */
export function rateRuleOf({
  method,
  path,
  auth,
  isReading,
}: Pick<Endpoint, 'method' | 'path' | 'auth' | 'isReading'>): RateRule | null {
  const row = ROWS.find(([itsMethod, its]) => itsMethod === method && isAt(path, its));
  if (row !== undefined) return row[2];
  const isManaging = path.startsWith('/api/v1/') && method !== 'GET' && isReading !== true;
  const isCollecting = auth?.callers.includes('key') ?? false;
  return isManaging && !isCollecting ? CHANGE : null;
}

function isAt(path: string, pattern: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
