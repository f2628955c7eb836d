/** What a run of the fuzzer sends, and how often. */
import { COLLECTING_AND_READING, type Makers, managed } from './good-requests.ts';
import { pageEvent, pageSending } from './page-requests.ts';

export const SUBJECTS = {
  all: [[60, managed], [12, pageSending], [8, pageEvent], ...COLLECTING_AND_READING],
  management: [[1, managed]],
} as const satisfies Record<string, Makers>;
