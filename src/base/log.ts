/**
 * Log lines: pino on standard error, so that standard output stays for people and scripts.
 *
 * Control plane. Written synchronously: a line that was logged is out before the process can die,
 * and every worker thread may open its own. What can be told is a table of events, so that whoever
 * watches the lines matches names that stay, not texts (P-32).
 */
import { createRequire } from 'node:module';
import { pino } from 'pino';

const STANDARD_ERROR = 2;

/** What is known of one event. */
export interface LogEventRow {
  readonly level: 'info' | 'warn' | 'error';
  /** The line's text for people; what differs from line to line is in the fields. */
  readonly text: string;
  /** What it means, and what is to be done, for an operator. */
  readonly help: string;
  /** What each field says; one that is undefined is not in the line. */
  readonly fields: Readonly<Record<string, string>>;
  /** Written at every level but `silent`. */
  readonly isAlwaysTold?: true;
}

/** Events by their names. */
export type LogEventRows = Readonly<Record<string, LogEventRow>>;

/** No more and no fewer fields than the table has. */
type FieldsOf<Row extends LogEventRow> = keyof Row['fields'] extends never
  ? []
  : [fields: { readonly [Name in keyof Row['fields']]: unknown }];

/** How lines are written. */
export interface LogOptions {
  /** Least severe line written. */
  readonly level: string;
  /** 'pretty' is for people. */
  readonly format: 'json' | 'pretty';
  /** Which thread writes, in every line. */
  readonly thread: string;
}

/** Writes lines about the events of a table. */
export class EventLog<const Rows extends LogEventRows> {
  readonly #rows: Rows;
  readonly #lines: pino.Logger;
  /** Of events that are always told. */
  readonly #always: pino.Logger;

  constructor(rows: Rows, options: LogOptions) {
    this.#rows = rows;
    this.#lines = openLines(options);
    const isSilent = options.level === 'silent';
    this.#always = isSilent ? this.#lines : this.#lines.child({}, { level: 'info' });
  }

  /** Writes one line, if its level is asked for. */
  tell<Name extends keyof Rows & string>(event: Name, ...[fields]: FieldsOf<Rows[Name]>): void {
    const { level, text, isAlwaysTold } = this.#rows[event] as LogEventRow;
    const lines = isAlwaysTold === true ? this.#always : this.#lines;
    lines[level]({ event, ...fields }, text);
  }
}

function openLines(options: LogOptions): pino.Logger {
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
