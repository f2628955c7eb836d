/**
 * The drivers of the log, one row each; nothing else knows which there are.
 *
 * Control plane. A row must pass `test/conformance/log.conformance.ts`. Rows are light: what a driver
 * needs of packages is loaded on its own thread.
 */

import { assert } from '../base/assert.ts';
import type { Settings } from '../settings/schema.ts';
import { localDriver } from './local/driver.ts';
import type { LogDriver } from './log/driver.ts';
import { natsDriver } from './nats/driver.ts';

/** The first that the settings ask for is the log. */
export const LOG_DRIVERS = [natsDriver, localDriver] as const satisfies readonly LogDriver[];

/** A driver's name. */
export type LogKind = (typeof LOG_DRIVERS)[number]['kind'];

/** The driver of the settings. */
export function askedDriver(settings: Settings): LogDriver {
  return LOG_DRIVERS.find((driver) => driver.isAsked(settings)) ?? localDriver;
}

/** The driver of a name that is in a data directory. */
export function driverOf(kind: string): LogDriver {
  const driver = LOG_DRIVERS.find((row) => row.kind === kind);
  assert(driver !== undefined, `there is a log driver ${kind}`);
  return driver;
}
