/**
 * All that the service tells in its log, a row an event (P-32).
 *
 * Control plane. A name is `area.what` and never changes its meaning: alerts match it. The page of them,
 * `docs/operating/log-events.md`, is written by `npm run generate:pages`.
 */

import type { LogEventRows } from '../base/log.ts';

const ERROR = 'what went wrong, with its code where it has one';
const SITE = "the site's id";
const DAYS = 'dates, UTC';
const MAIL = {
  mail: 'its kind',
  to: 'whom it is for',
} as const;
const WAITS = 'Nothing is lost, and nothing needs to be done while it happens now and then.';

/** By name. */
export const LOG_EVENTS = {
  'node.started': {
    level: 'info',
    text: 'node started',
    help: 'Hits are accepted and statistics answered from now on.',
    fields: {
      shards: 'number of shards',
      actors: 'threads that own them',
      edges: 'threads that answer requests',
    },
  },
  'node.stopped': {
    level: 'info',
    text: 'node stopped',
    help: 'Everything was saved; the process ends.',
    fields: {},
  },
  'shards.recovered': {
    level: 'info',
    text: 'shards recovered',
    help: "One of the actors has read what came after its last save, at the process's start.",
    fields: {
      shards: 'number of its shards',
      replayedHits: 'hits read from the log again',
      tookMs: 'how long it took',
    },
  },
  'hits.dropped': {
    level: 'info',
    text: 'hits dropped by rule',
    help: 'What was not counted in the last minute by a rule (A-8); the ledger has the exact numbers.',
    fields: { dropped: 'number by reason' },
    isAlwaysTold: true,
  },
  'requests.refused': {
    level: 'warn',
    text: 'requests with hits refused',
    help: 'Requests to collect that were answered 503 in the last minute; their senders may try again.',
    fields: { refused: 'number by reason' },
  },
  'requests.refusals-not-kept': {
    level: 'warn',
    text: 'refused requests are not kept for now',
    help: 'The counts of refused requests cannot be written to the data directory; it is tried again.',
    fields: { err: ERROR },
  },
  'request.failed': {
    level: 'error',
    text: 'a request failed',
    help: 'A request was answered 500: an error of the service itself. Please report it.',
    fields: { err: ERROR, request: 'method and path' },
  },
  'query.failed': {
    level: 'error',
    text: 'a query failed',
    help: 'A question of statistics ended with an error of the service itself. Please report it.',
    fields: { err: ERROR },
  },
  'query.slow': {
    level: 'warn',
    text: 'a query was slow',
    help: 'A question took long on its thread; its plan says what had to be read.',
    fields: {
      domainId: SITE,
      plan: 'how it was answered',
      filters: 'names of what was filtered by',
      days: 'how many days it asked about',
      ms: 'how long it took, without waiting for a thread',
    },
  },
  'write.failed': {
    level: 'error',
    text: 'something cannot be written',
    help: 'The log or the state cannot be written: make room on the disk, or mend it.',
    fields: { fault: 'what cannot be written, and why' },
  },
  'write.mended': {
    level: 'info',
    text: 'log and state can be written again',
    help: 'What `write.failed` told is over.',
    fields: {},
  },
  'checkpoint.failed': {
    level: 'error',
    text: 'a checkpoint failed; it is tried again',
    help: 'The state of shards could not be saved; hits are safe in the log meanwhile.',
    fields: { err: ERROR },
  },
  'state.damaged': {
    level: 'error',
    text:
      'stored data is damaged; what needs it is refused, hits that need it stay in the log; ' +
      "'footfall verify' says what else is damaged; restore the data directory from a backup, as a whole",
    help: 'A checksum does not fit what it stands beside. Told once for each place.',
    fields: { code: "the error's code", detail: 'file, key, site and day' },
  },
  'state.rest-counts-failed': {
    level: 'error',
    text: 'counts of days at rest are not kept',
    help: 'A count that makes later questions faster could not be saved; answers are right without it.',
    fields: { err: ERROR },
  },
  'registry.change-failed': {
    level: 'error',
    text: 'a change of the registry failed',
    help: 'A change of accounts, sites or their settings ended with an error of the service itself.',
    fields: { err: ERROR },
  },
  'visitor-keys.made': {
    level: 'info',
    text: 'days have keys for their visitors',
    help: 'This node has keys of its own for the visitor ids of these days (P-22); all nodes of a cluster have the same.',
    fields: { days: DAYS },
  },
  'visitor-keys.destroyed': {
    level: 'info',
    text: 'keys of days were destroyed',
    help: 'The keys of these days are gone from the memory and the disk of this node: no visitor id of them can be made again (P-22).',
    fields: { days: DAYS },
  },
  'visitor-keys.replaced': {
    level: 'warn',
    text: 'keys of days were replaced by those of the other nodes',
    help: 'This node had others while it was apart from its cluster. Visitors of these days who come again may count once more.',
    fields: { days: DAYS },
  },
  'visitor-keys.damaged': {
    level: 'warn',
    text: 'damaged keys of days were destroyed',
    help: 'Their days have others now: visitors of these days who come again count once more.',
    fields: { count: 'how many places of the file were damaged' },
  },
  'visitor-keys.failed': {
    level: 'error',
    text: 'the file of the keys of days cannot be written for now',
    help: 'Keys cannot be made or destroyed; it is tried again every second. There are some for the next two days, so no hit waits for it.',
    fields: { err: ERROR },
  },
  'visitor-keys.apart': {
    level: 'warn',
    text: 'keys of days cannot be agreed on with the other nodes for now',
    help: 'The NATS servers have not answered for a minute. Nodes go on with the keys they have, for two days; after that each makes its own.',
    fields: { err: ERROR },
  },
  'places.changed': {
    level: 'info',
    text: 'new location databases are in use',
    help: 'Hits from now on are located by them.',
    fields: { files: 'their paths, kinds and dates' },
  },
  'places.stay': {
    level: 'error',
    text: 'the location databases of before stay in use',
    help: 'New ones cannot be read; they are tried again when their files change.',
    fields: { err: ERROR },
  },
  'certificate.taken': {
    level: 'info',
    text: 'HTTPS is served with this certificate',
    help: 'At the start, and again when the files of certificate and key have changed (P-41).',
    fields: {
      path: 'file of the certificate',
      names: 'hosts that it is for',
      validTo: 'when it is over',
    },
  },
  'certificate.over': {
    level: 'warn',
    text: 'the certificate is over',
    help: 'Browsers refuse to connect until the file of the certificate is replaced.',
    fields: { path: 'file of the certificate', validTo: 'when it was over' },
  },
  'certificate.stays': {
    level: 'error',
    text: 'the certificate of before stays in use',
    help: 'A new pair of certificate and key cannot be used; it is tried again when a file changes.',
    fields: { err: ERROR },
  },
  'address-lists.stay': {
    level: 'error',
    text: 'the address lists stay as they were',
    help: 'A file of addresses could not be read when the service was told to reload it.',
    fields: { err: ERROR },
  },
  'job.failed': {
    level: 'error',
    text: 'a job failed, and is tried again',
    help: '`footfall jobs` says when it ran last, and when it runs next.',
    fields: { err: ERROR, job: 'its name' },
  },
  'jobs.not-kept': {
    level: 'warn',
    text: 'how jobs go is not written down for now',
    help: '`footfall jobs` is out of date: its file cannot be written.',
    fields: { err: ERROR },
  },
  'export.file-not-read': {
    level: 'error',
    text: 'a file of an export could not be read for another node',
    help: 'Somebody fetches it there and gets less than all of it. Check the disk of this node.',
    fields: { err: ERROR },
  },
  'webhook.failed': {
    level: 'warn',
    text: 'webhooks: it is tried again',
    help: `What happened to an attempt could not be written down. ${WAITS}`,
    fields: { err: ERROR },
  },
  'webhook.inactive': {
    level: 'warn',
    text: 'a webhook is inactive: too many failures',
    help: 'Its receiver has failed for too long; whoever owns the site makes it active again.',
    fields: { webhook: 'its id', site: SITE, endpoint: 'the address that failed' },
  },
  'webhook.shed': {
    level: 'warn',
    text: 'events are not told to a webhook',
    help: 'More waited for it than may wait (O-2).',
    fields: { webhookId: 'its id', count: 'number of events', reason: 'which bound was reached' },
  },
  'webhook.test-failed': {
    level: 'error',
    text: 'a test of a webhook failed',
    help: 'A test that somebody asked for ended with an error of the service itself.',
    fields: { err: ERROR },
  },
  'mail.sent': {
    level: 'info',
    text: 'a mail was sent',
    help: 'The mail server has taken it.',
    fields: { ...MAIL, subject: 'its subject', answer: "the server's answer" },
  },
  'mail.not-set-up': {
    level: 'info',
    text: 'nothing sends mails: this one was not sent',
    help: 'There is no mail server in the settings.',
    fields: { ...MAIL, subject: 'its subject' },
  },
  'mail.no-sender': {
    level: 'warn',
    text: 'no mails are sent: FOOTFALL_MAIL_FROM says whom they are from',
    help: 'There is a mail server in the settings, but no sender.',
    fields: {},
  },
  'mail.retried': {
    level: 'warn',
    text: 'a mail was not sent, and is tried again',
    help: 'The mail server refused it for now, or could not be reached.',
    fields: { ...MAIL, attempts: 'attempts until now', answer: 'what the server said' },
  },
  'mail.given-up': {
    level: 'error',
    text: 'a mail is given up',
    help: 'The mail server refused it for good, or for too long.',
    fields: { ...MAIL, attempts: 'attempts until now', answer: 'what the server said' },
  },
  'mail.waits': {
    level: 'error',
    text: 'a mail is still to be sent',
    help: 'It could not be made or kept for now; it is tried again.',
    fields: { err: ERROR },
  },
  'mail.file-failed': {
    level: 'error',
    text: 'a mail was not written to the file',
    help: 'The file of FOOTFALL_MAIL_FILE cannot be written; the mail is sent all the same.',
    fields: { err: ERROR, ...MAIL },
  },
  'cluster.joined': {
    level: 'info',
    text: 'node joined its cluster',
    help: 'The node takes part from now on, and takes its share of the shards.',
    fields: { node: 'its name of this run', previous: 'its name of the run before' },
  },
  'cluster.turn-failed': {
    level: 'warn',
    text: 'a turn on the board failed; leases lapse meanwhile',
    help: 'The node cannot reach the servers of the stream; others take its shards when that lasts.',
    fields: { err: ERROR },
  },
  'cluster.query-failed': {
    level: 'error',
    text: 'a query of another node failed',
    help: 'A question that another node passed on ended with an error.',
    fields: { err: ERROR },
  },
  'cluster.shards-left': {
    level: 'warn',
    text: 'not all shards were closed; others read again what was not saved',
    help: 'The node left before all its shards were handed over; nothing is lost.',
    fields: {},
  },
  'shards.opened': {
    level: 'info',
    text: 'shards opened',
    help: 'The node has taken shards of its cluster.',
    fields: {
      shards: 'how many',
      restored: 'how many of them from a snapshot',
      tookMs: 'how long it took',
    },
  },
  'shard.open-failed': {
    level: 'warn',
    text: 'a shard cannot be opened; tried again',
    help: 'Its hits wait in the stream, its sites are not answered meanwhile.',
    fields: { err: ERROR, shard: 'its number' },
  },
  'shard.closed-unsaved': {
    level: 'warn',
    text: 'a shard was closed without its snapshot',
    help: 'Whoever takes it reads again from the stream what the snapshot would have had.',
    fields: { err: ERROR, shard: 'its number' },
  },
  'snapshot.failed': {
    level: 'warn',
    text: 'a snapshot failed; it is tried again',
    help: `A shard could not be stored for other nodes. ${WAITS}`,
    fields: { err: ERROR },
  },
} as const satisfies LogEventRows;
