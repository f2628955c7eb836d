/**
 * Log lines: pino on standard error, so that standard output stays for people and scripts.
 *
 * Control plane. Written synchronously: a line that was logged is out before the process can die,
 * and every worker thread may open its own.
 */
import { createRequire } from 'node:module';
import { pino } from 'pino';

const STANDARD_ERROR = 2;

/** Writes log lines; `child({...})` adds fields to every line. */
export type Log = pino.Logger;

/**
 * Opens a log.
 *
 * @param options.level least severe line written.
 * @param options.format 'pretty' is for people.
 * @param options.thread which thread writes, in every line.
 */
export function openLog(options: {
  level: string;
  format: 'json' | 'pretty';
  thread: string;
}): Log {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: { pid: process.pid, thread: options.thread },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (options.format === 'json') {
    return pino(settings, pino.destination({ fd: STANDARD_ERROR, sync: true }));
  }
  // Loaded only when asked for: it costs every thread some 20 ms of start.
  const { build } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  const isTerminal = process.stderr.isTTY === true;
  return pino(settings, build({ destination: STANDARD_ERROR, sync: true, colorize: isTerminal }));
}
