/**
 * Every metric of the service: one row each with kind, name, help and labels, and the writers of this
 * thread.
 *
 * Both planes; what the memory is like and what a write costs says `base/metrics/`. A name is what is
 * counted, then the unit; the text for Prometheus puts `footfall_` in front and `_total` behind a
 * counter. Durations are recorded in microseconds and shown in seconds.
 */

import { MetricsTable } from '../base/metrics/table.ts';
import { DROP_REASONS } from './drop-reasons.ts';
import { errors } from './errors.ts';

/** Kinds of threads, as a thread names itself; `main` is the process's first. */
export const THREAD_KINDS = ['main', 'log', 'actor', 'snapshots', 'edge', 'scan', 'jobs'] as const;

/** Codes of errors, as the label `code` has them. */
const ERROR_CODES = Object.keys(errors);
const errorNumbers = new Map(ERROR_CODES.map((code, index) => [code, index]));
const UNKNOWN_CODE = errorNumbers.get('INTERNAL')!;

/** Index of an error's code in the label `code`; that of INTERNAL for any other text. */
export function errorNumber(code: string): number {
  return errorNumbers.get(code) ?? UNKNOWN_CODE;
}

/** What requests are for, as the label `area` has it. */
const REQUEST_AREAS = ['single', 'batch', 'browser', 'statistics', 'other'] as const;
export type RequestArea = (typeof REQUEST_AREAS)[number];

/** Index of an area in its label. */
export function requestAreaNumber(area: RequestArea): number {
  return REQUEST_AREAS.indexOf(area);
}

/** Kinds of questions by where their figures come from, as the label `kind` of their time has it. */
const QUERY_KINDS = ['nothing', 'counters', 'rollups', 'rows', 'active', 'usage', 'batch'] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

/** Index of a kind of questions in its label. */
export function queryKindNumber(kind: QueryKind): number {
  return QUERY_KINDS.indexOf(kind);
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
  hits: {
    kind: 'counter',
    name: 'hits',
    help: 'Hits that passed the checks, by kind: acknowledged as durable, or refused with 503.',
    labels: { kind: ['page_view', 'event', 'keep_alive'], outcome: ['acknowledged', 'refused'] },
  },
  drops: {
    kind: 'counter',
    name: 'dropped_hits',
    help: 'Hits that were dropped, by reason, as actors count them; after a start replayed ones, too.',
    labels: { reason: DROP_REASONS.map((reason) => reason || 'none') },
  },
  pendingHits: {
    kind: 'gauge',
    name: 'pending_hits',
    help: 'Hits, dropped ones too, that edges hold until the log has taken those before them.',
  },
  pendingBytes: {
    kind: 'gauge',
    name: 'pending_bytes',
    help: 'Bytes of these hits as records of the log.',
  },
  appendSeconds: {
    kind: 'timer',
    name: 'log_append_seconds',
    help: 'Time from the hand-over of hits to the log until an edge knows that they are durable.',
  },
  appendBytes: {
    kind: 'histogram',
    name: 'log_append_bytes',
    help: 'Bytes that an edge handed over to the log at once.',
  },
  commitSeconds: {
    kind: 'timer',
    name: 'log_commit_seconds',
    help: 'Time of one write to the log of this machine, its sync included.',
  },
  commitBytes: {
    kind: 'histogram',
    name: 'log_commit_bytes',
    help: 'Bytes of one write to the log of this machine.',
  },
  backlogBytes: {
    kind: 'gauge',
    name: 'backlog_bytes',
    help: 'Bytes of durable records that actors have not counted yet.',
  },
  recordsApplied: {
    kind: 'counter',
    name: 'applied_records',
    help: 'Records of the log that actors have applied; after a start those that are replayed, too.',
  },
  hitsApplied: {
    kind: 'counter',
    name: 'applied_hits',
    help: 'Hits in these records, those included that were dropped then.',
  },
  checkpointSeconds: {
    kind: 'timer',
    name: 'checkpoint_seconds',
    help: 'Time for which an actor was held up by one write of state.',
  },
  checkpointBytes: {
    kind: 'histogram',
    name: 'checkpoint_bytes',
    help: 'Bytes of values that one write of state wrote.',
  },
  querySeconds: {
    kind: 'timer',
    name: 'query_seconds',
    help: 'Time to the answer of a question, waiting included, by where its figures come from.',
    labels: { kind: QUERY_KINDS },
  },
  waitingQueries: {
    kind: 'gauge',
    name: 'waiting_queries',
    help: 'Questions that wait for a query thread.',
  },
  loopDelaySeconds: {
    kind: 'timer',
    name: 'event_loop_delay_seconds',
    help: 'How late a timer fired, once a second: what an event waited for its turn then.',
    isPerThread: true,
  },
  threadCpuSeconds: {
    kind: 'counter',
    name: 'thread_cpu_seconds',
    help: 'Processor time of a thread since it began; Linux only.',
    isPerThread: true,
  },
});

/** What this thread counts with. */
export const metrics = metricsTable.writers;
