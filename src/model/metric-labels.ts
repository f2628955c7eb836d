/**
 * What the labels of metrics can be: every value that there will ever be, and its index.
 *
 * Both planes. No label takes a value that a client sends, so the number of series is known.
 */

import { DROP_REASONS } from './drop-reasons.ts';
import { errors } from './errors.ts';
import { JOB_NAMES, type JobName } from './job-names.ts';

/** Kinds of threads, as a thread names itself; `main` is the process's first. */
export const THREAD_KINDS = [
  ...(['main', 'log', 'actor', 'snapshots', 'edge', 'scan', 'jobs', 'export'] as const),
] as const;

/** Codes of errors, as the label `code` has them. */
export const ERROR_CODES = Object.keys(errors);
const errorNumbers = new Map(ERROR_CODES.map((code, index) => [code, index]));
const UNKNOWN_CODE = errorNumbers.get('INTERNAL')!;

/** Index of an error's code in the label `code`; that of INTERNAL for any other text. */
export function errorNumber(code: string): number {
  return errorNumbers.get(code) ?? UNKNOWN_CODE;
}

/** What requests are for, as the label `area` has it. */
export const REQUEST_AREAS = ['single', 'batch', 'browser', 'statistics', 'other'] as const;
export type RequestArea = (typeof REQUEST_AREAS)[number];

/** Index of an area in its label. */
export function requestAreaNumber(area: RequestArea): number {
  return REQUEST_AREAS.indexOf(area);
}

/** Kinds of questions by where their figures come from, as the label `kind` of their time has it. */
export const QUERY_KINDS = [
  'nothing',
  'counters',
  'rollups',
  'rows',
  'active',
  'usage',
  'batch',
] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

/** Index of a kind of questions in its label. */
export function queryKindNumber(kind: QueryKind): number {
  return QUERY_KINDS.indexOf(kind);
}

/** Reasons of dropped hits, as the label `reason` has them; the first is none. */
export const REASON_LABELS = DROP_REASONS.map((reason) => reason || 'none');

/** Parts of the data directory that grow, by their folders. */
export const DATA_PARTS = ['log', 'state', 'registry', 'spool'] as const;

/** Index of a job in the label `task`; `job` is Prometheus' own. */
export function jobNumber(name: JobName): number {
  return JOB_NAMES.indexOf(name);
}

/** What became of an attempt to tell a webhook, as the label `outcome` has it. */
export const ATTEMPT_OUTCOMES = ['taken', 'failed'] as const;
/** What became of an attempt to send a mail. */
export const MAIL_OUTCOMES = ['sent', 'retried', 'given_up'] as const;
/** What became of a turn of a job. */
export const TURN_OUTCOMES = ['done', 'failed'] as const;
/** Of the shards of a cluster, as the label `state` has it: those open here, being opened, nobody's. */
export const SHARD_STATES = ['open', 'opening', 'ownerless'] as const;
