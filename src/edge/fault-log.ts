/** What an operator is told of requests that failed. */
import type { Endpoint } from '../api/endpoint.ts';
import { errors, OperatingError } from '../model/errors.ts';
import { MINUTE_MS } from '../model/limits.ts';
import type { ExchangeHost } from './route.ts';

/** A request that failed. */
interface Failed {
  readonly endpoint: Endpoint;
  readonly host: ExchangeHost;
  readonly nowMs: number;
}

/** What a client is told of an error; what it is not told, the operator is. */
export function toldError(error: unknown, failed: Failed): OperatingError {
  if (!(error instanceof OperatingError)) return faultOf(error, failed.endpoint, failed.host);
  if (error.told !== error.message) logUntold(error, failed);
  return error;
}

/** Once a minute per code, for every hit may fail. */
function logUntold(error: OperatingError, { endpoint, host, nowMs }: Failed): void {
  const { ports, loggedMs } = host;
  const lastMs = loggedMs.get(error.code) ?? Number.NEGATIVE_INFINITY;
  if (nowMs - lastMs < MINUTE_MS || error.code === 'INTERNAL') return;
  loggedMs.set(error.code, nowMs);
  ports.logError(error, `${endpoint.method} ${endpoint.path}`);
}

/** Tells a fault of ours. @returns what its client is answered. */
export function faultOf(
  error: unknown,
  { method, path }: Endpoint,
  { ports }: ExchangeHost,
): OperatingError {
  ports.logError(error, `${method} ${path}`);
  return errors.INTERNAL({}, error);
}
