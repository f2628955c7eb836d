/**
 * Every operating error: one row each with code, status and the text made from its typed detail; the
 * rows stand by subject in `errors/`.
 *
 * The text is the operator's: it may name files, servers and the system's words. Clients are told it
 * only where it holds nothing of the machine: rows of status 500 tell them INTERNAL, and rows below
 * it whose detail comes from the machine have a sentence of their own (`told`).
 *
 * Made only here (`throw errors.X({...})`), caught only where it is answered (edge, cli, jobs) or
 * retried (bus). The answer's shape is A-11: validation, error and context, all three present.
 */

import { CLUSTER_ERRORS } from './errors/cluster.ts';
import { REQUEST_ERRORS } from './errors/request.ts';
import { type ErrorRow, type ErrorRows, FAULT_TOLD } from './errors/row.ts';
import { START_ERRORS } from './errors/start.ts';
import { STORAGE_ERRORS } from './errors/storage.ts';

/** An error that a client or an operator may be told. */
export class OperatingError extends Error {
  readonly code: string;
  /** HTTP status it is answered with. */
  readonly status: number;
  /** What a client reads: the message, or less where that names what is on the machine. */
  readonly told: string;
  /** Parameter name → what to change; empty for general errors. */
  readonly validation: Readonly<Record<string, string>>;
  /** Seconds for the header Retry-After; 0 sends none. */
  readonly retryAfterSeconds: number;
  /** What was not found may be known after one more look at the registry (M-5). */
  readonly mayBeNew: boolean;
  /** For the operator's log only: files and keys; '' when the text says all. */
  readonly detail: string;

  constructor(code: string, row: ErrorAnswer, cause: unknown) {
    super(row.text, cause === undefined ? undefined : { cause });
    this.name = 'OperatingError';
    this.code = code;
    this.status = row.status;
    this.told = row.told ?? row.text;
    this.validation = row.validation ?? {};
    this.retryAfterSeconds = row.retryAfterSeconds ?? 0;
    this.mayBeNew = row.mayBeNew ?? false;
    this.detail = row.detail ?? '';
  }
}

/** An operating error on its way to another thread. */
export interface SentError {
  code: string;
  status: number;
  text: string;
  told: string;
  validation: Readonly<Record<string, string>>;
  retryAfterSeconds: number;
  detail: string;
}

/** Makes an error ready for structured clone, which would drop its class. */
export function sendError(error: OperatingError): SentError {
  const { code, status, message, told, validation, retryAfterSeconds, detail } = error;
  return { code, status, text: message, told, validation, retryAfterSeconds, detail };
}

/** The error that `sendError` was given. */
export function restoreError(sent: SentError): OperatingError {
  return new OperatingError(sent.code, sent, undefined);
}

/** An error as JSON; a problem of parameters has no general message beside it. */
export function errorBody({
  told,
  validation,
}: Pick<OperatingError, 'told' | 'validation'>): string {
  const hasEntries = Object.keys(validation).length > 0;
  return JSON.stringify({ validation, error: hasEntries ? [] : [told], context: {} });
}

interface ErrorAnswer {
  status: number;
  text: string;
  told?: string;
  validation?: Readonly<Record<string, string>>;
  retryAfterSeconds?: number;
  mayBeNew?: boolean;
  detail?: string;
}

type Makers<Rows> = {
  readonly [Code in keyof Rows]: Rows[Code] extends ErrorRow<infer Detail>
    ? (detail: Detail, cause?: unknown) => OperatingError
    : never;
};

const FAULT_STATUS = 500;

function defineErrors<Rows extends ErrorRows>(rows: Rows): Makers<Rows> {
  const makers: Record<string, unknown> = {};
  for (const [code, row] of Object.entries(rows)) {
    const told = row.told ?? (row.status === FAULT_STATUS ? FAULT_TOLD : undefined);
    makers[code] = (detail: unknown, cause?: unknown) =>
      new OperatingError(
        code,
        {
          status: row.status,
          text: row.text(detail),
          ...(told === undefined ? {} : { told }),
          validation: row.validation?.(detail) ?? {},
          retryAfterSeconds: row.retryAfter?.(detail) ?? row.retryAfterSeconds ?? 0,
          mayBeNew: row.mayBeNew ?? false,
          detail: row.detail?.(detail) ?? '',
        },
        cause,
      );
  }
  return makers as Makers<Rows>;
}

/** The table. Keys are stable: logs, tests and the README name them. */
export const errors = defineErrors({
  ...REQUEST_ERRORS,
  ...START_ERRORS,
  ...STORAGE_ERRORS,
  ...CLUSTER_ERRORS,
});
