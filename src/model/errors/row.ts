/** What a row of the table of errors is made of. */

/** One row; its text is made from the detail that whoever throws it gives. */
export interface ErrorRow<Detail> {
  status: number;
  text: (detail: Detail) => string;
  /** What clients are told instead of the text; a row of status 500 needs none. */
  told?: string;
  validation?: (detail: Detail) => Readonly<Record<string, string>>;
  retryAfterSeconds?: number;
  /** The same, when it depends on what happened. */
  retryAfter?: (detail: Detail) => number;
  /** What was not found may have been made elsewhere a moment ago: one more look decides (M-5). */
  mayBeNew?: true;
  detail?: (detail: Detail) => string;
}

// biome-ignore lint/suspicious/noExplicitAny: each row has a detail type of its own
export type ErrorRows = Record<string, ErrorRow<any>>;

/** The detail of a row whose text is always the same. */
export type None = Record<string, never>;

/** What clients are told of faults. */
export const FAULT_TOLD = 'the service failed to answer; the fault is logged';
