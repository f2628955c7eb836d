/**
 * Every metric of the service: one row each with kind, name, help and labels, and the writers of this
 * thread.
 *
 * Both planes; what the memory is like and what a write costs says `base/metrics/`. A name is what is
 * counted, then the unit; the text for Prometheus puts `footfall_` in front and `_total` behind a
 * counter. Durations are recorded in microseconds and shown in seconds.
 */

import { MetricsTable } from '../base/metrics/table.ts';
import { errors } from './errors.ts';

/** Kinds of threads, as a thread names itself; `main` is the process's first. */
export const THREAD_KINDS = ['main', 'log', 'actor', 'snapshots', 'edge', 'scan'] as const;

/** Codes of errors, as the label `code` has them. */
const ERROR_CODES = Object.keys(errors);
const errorNumbers = new Map(ERROR_CODES.map((code, index) => [code, index]));
const UNKNOWN_CODE = errorNumbers.get('INTERNAL')!;

/** Index of an error's code in the label `code`; that of INTERNAL for any other text. */
export function errorNumber(code: string): number {
  return errorNumbers.get(code) ?? UNKNOWN_CODE;
}

/** What requests are for, as the label `area` has it. */
const REQUEST_AREAS = ['single', 'batch', 'statistics', 'other'] as const;
export type RequestArea = (typeof REQUEST_AREAS)[number];

/** Index of an area in its label. */
export function requestAreaNumber(area: RequestArea): number {
  return REQUEST_AREAS.indexOf(area);
}

/** The table. */
export const metricsTable = new MetricsTable({
  answers: {
    kind: 'counter',
    name: 'http_answers',
    help: 'Requests that were answered, by what they were for and the class of the status.',
    labels: { area: REQUEST_AREAS, class: ['2xx', '3xx', '4xx', '5xx'] },
  },
  answerSeconds: {
    kind: 'timer',
    name: 'http_answer_seconds',
    help: 'Time from the head of a request to its answer; of hits until they are durable.',
    labels: { area: REQUEST_AREAS },
  },
  requestBodyBytes: {
    kind: 'counter',
    name: 'http_request_body_bytes',
    help: 'Bytes of the bodies of requests that were answered, as far as they came.',
    labels: { area: REQUEST_AREAS },
  },
  collectRefused: {
    kind: 'counter',
    name: 'collect_refused_requests',
    help: 'Requests to collect hits of which nothing was taken, by the code of the error.',
    labels: { code: ERROR_CODES },
  },
});

/** What this thread counts with. */
export const metrics = metricsTable.writers;
