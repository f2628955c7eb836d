/** The log of the service: lines about the events of its table, and no others (P-32). Control plane. */

import { EventLog, type LogOptions } from '../base/log.ts';
import { LOG_EVENTS } from './log-events.ts';

/** Writes log lines: `log.tell('node.stopped')`. */
export type Log = EventLog<typeof LOG_EVENTS>;

/** Opens a log for one thread. */
export function openLog(options: LogOptions): Log {
  return new EventLog(LOG_EVENTS, options);
}
