/** What an operator is told of requests that failed. */
import type { Endpoint } from '../api/endpoint.ts';
import { errors, OperatingError } from '../model/errors.ts';
import { MINUTE_MS } from '../model/limits.ts';
import type { ExchangeHost } from './route.ts';

/** What a client is told of an error; what it is not told, the operator is. */
export function toldError(
  error: unknown,
  endpoint: Endpoint,
  host: ExchangeHost,
  nowMs: number,
): OperatingError {
  const known = knownError(error, endpoint, host);
  if (known.told !== known.message) logUntold(known, endpoint, host, nowMs);
  return known;
}

/** An error that is foreseen; in place of any other, which is told the operator, a fault of ours. */
export function knownError(
  error: unknown,
  { method, path }: Endpoint,
  { ports }: ExchangeHost,
): OperatingError {
  if (error instanceof OperatingError) return error;
  ports.logError(error, `${method} ${path}`);
  return errors.INTERNAL({}, error);
}

/** Once a minute per code, for every hit may fail. */
function logUntold(
  error: OperatingError,
  { method, path }: Endpoint,
  { ports, loggedMs }: ExchangeHost,
  nowMs: number,
): void {
  const lastMs = loggedMs.get(error.code) ?? Number.NEGATIVE_INFINITY;
  if (nowMs - lastMs < MINUTE_MS || error.code === 'INTERNAL') return;
  loggedMs.set(error.code, nowMs);
  ports.logError(error, `${method} ${path}`);
}
