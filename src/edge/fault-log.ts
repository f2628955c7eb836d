/** What an operator is told of requests that failed. */
import type { Endpoint } from '../api/endpoint.ts';
import { errors, type OperatingError } from '../model/errors.ts';
import { MINUTE_MS } from '../model/limits.ts';
import type { ExchangeHost } from './route.ts';

/** Tells what a client is not told: once a minute per code, for every hit may fail. */
export function logUntold(
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

/** Tells a fault of ours. @returns what its client is answered. */
export function faultOf(
  error: unknown,
  { method, path }: Endpoint,
  { ports }: ExchangeHost,
): OperatingError {
  ports.logError(error, `${method} ${path}`);
  return errors.INTERNAL({}, error);
}
