/**
 * Every metric of the service: one row each with kind, name, help and labels.
 *
 * Control plane. A name is what is counted, then the unit; the text for Prometheus puts `footfall_` in
 * front and `_total` behind a counter. Durations are recorded in microseconds and shown in seconds. The
 * page of them, `docs/operating/metrics.md`, is written by `npm run generate:pages`.
 */

import type { MetricRow } from '../base/metrics/table.ts';
import { JOB_NAMES } from './job-names.ts';
import {
  ATTEMPT_OUTCOMES,
  DATA_PARTS,
  ERROR_CODES,
  MAIL_OUTCOMES,
  QUERY_KINDS,
  REASON_LABELS,
  REQUEST_AREAS,
  SHARD_STATES,
  TURN_OUTCOMES,
} from './metric-labels.ts';

/** By what the code calls them. */
export const METRIC_ROWS = {
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
    labels: { reason: REASON_LABELS },
  },
  ledgerReceived: {
    kind: 'gauge',
    name: 'ledger_received_items',
    help: 'Ledger: items that were read and let in, ever; the sum of those stored and those dropped.',
  },
  ledgerStored: {
    kind: 'gauge',
    name: 'ledger_stored_items',
    help: 'Ledger: items that left a row, ever; exact over restarts, of the shards of this node.',
    labels: { kind: ['page_view', 'event', 'keep_alive'] },
  },
  ledgerDropped: {
    kind: 'gauge',
    name: 'ledger_dropped_items',
    help: 'Ledger: items that were dropped, ever, by reason; those of repeated requests are duplicate.',
    labels: { reason: REASON_LABELS },
  },
  ledgerRefused: {
    kind: 'gauge',
    name: 'ledger_refused_requests',
    help: 'Ledger: requests to collect that were refused, ever, by the code of the error.',
    labels: { code: ERROR_CODES },
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
  oldestUncountedSeconds: {
    kind: 'gauge',
    name: 'oldest_uncounted_record_seconds',
    help: 'For how long the oldest of these records has been durable; 0: there is none.',
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
  eventStreams: {
    kind: 'gauge',
    name: 'event_streams',
    help: 'Streams of live events that are open.',
  },
  dataBytes: {
    kind: 'gauge',
    name: 'data_bytes',
    help: 'Bytes of the files of the log, of the states (LMDB), of the registry (LMDB) and of the spool.',
    labels: { part: DATA_PARTS },
  },
  diskFreeBytes: {
    kind: 'gauge',
    name: 'disk_free_bytes',
    help: 'Bytes that are free where the data directory is.',
  },
  writeFaults: {
    kind: 'gauge',
    name: 'write_fault',
    help: 'Whether the log, or the state, cannot be written: 1 while it cannot.',
    labels: { what: ['log', 'state'] },
  },
  shards: {
    kind: 'gauge',
    name: 'shards',
    help: 'Shards that are open here, being opened here, and in a cluster without an owner.',
    labels: { state: SHARD_STATES },
  },
  clusterKnown: {
    kind: 'gauge',
    name: 'cluster_known',
    help: 'Whether the board of leases can be read: 1 while it can, and where there is no cluster.',
  },
  logAway: {
    kind: 'gauge',
    name: 'log_away',
    help: 'Whether the servers of the stream are away: 1 while they are.',
  },
  spooledBytes: {
    kind: 'gauge',
    name: 'spooled_bytes',
    help: 'Bytes of acknowledged hits that wait in the spool for the servers of the stream.',
  },
  dayKeys: {
    kind: 'counter',
    name: 'visitor_keys',
    help: 'Keys of days (P-22) that this node took into use, and that it destroyed.',
    labels: { event: ['made', 'destroyed'] },
  },
  dayKeysHeld: {
    kind: 'gauge',
    name: 'visitor_keys_held',
    help: 'Keys of days (P-22) that this node holds: 5 at most times, 0 with fixed keys.',
  },
  dayKeysOverdue: {
    kind: 'gauge',
    name: 'visitor_keys_overdue',
    help: 'Keys of days that are over and that the disk of this node has not let go of.',
  },
  outboxEntries: {
    kind: 'gauge',
    name: 'outbox_entries',
    help: 'Messages to webhooks that wait in the outbox.',
  },
  outboxBytes: {
    kind: 'gauge',
    name: 'outbox_bytes',
    help: 'Bytes of these messages.',
  },
  webhookAttempts: {
    kind: 'counter',
    name: 'webhook_attempts',
    help: 'Attempts to tell a webhook, by what became of them.',
    labels: { outcome: ATTEMPT_OUTCOMES },
  },
  webhookShed: {
    kind: 'counter',
    name: 'webhook_shed_events',
    help: 'Events that webhooks are not told of, since too many waited.',
  },
  mailAttempts: {
    kind: 'counter',
    name: 'mail_attempts',
    help: 'Attempts to send a mail, by what became of them.',
    labels: { outcome: MAIL_OUTCOMES },
  },
  jobTurns: {
    kind: 'counter',
    name: 'job_turns',
    help: 'Turns of what the service does by itself, by what became of them.',
    labels: { task: JOB_NAMES, outcome: TURN_OUTCOMES },
  },
  jobSuccessSeconds: {
    kind: 'gauge',
    name: 'job_last_success_timestamp_seconds',
    help: 'When the last good turn of a job ended; 0: not since the start, or another node does it.',
    labels: { task: JOB_NAMES },
  },
  jobTookSeconds: {
    kind: 'gauge',
    name: 'job_last_turn_seconds',
    help: 'How long the last turn of a job took.',
    labels: { task: JOB_NAMES },
  },
  droppedSpans: {
    kind: 'counter',
    name: 'dropped_spans',
    help: 'Spans of traces that the collector did not take, or that found no room in front of it.',
  },
  startSeconds: {
    kind: 'gauge',
    name: 'start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
  },
  residentBytes: {
    kind: 'gauge',
    name: 'resident_memory_bytes',
    help: 'Bytes of memory that the process holds.',
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
} as const satisfies Readonly<Record<string, MetricRow>>;
