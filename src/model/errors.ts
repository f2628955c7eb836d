/**
 * Every operating error: one row each with code, status and the text made from its typed detail.
 *
 * The text is the operator's: it may name files, servers and the system's words. Clients are told it
 * only where it holds nothing of the machine: rows of status 500 tell them INTERNAL, and rows below
 * it whose detail comes from the machine have a sentence of their own (`told`).
 *
 * Made only here (`throw errors.X({...})`), caught only where it is answered (edge, cli, jobs) or
 * retried (bus). The answer's shape is A-11: validation, error and context, all three present.
 */

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

interface ErrorAnswer {
  status: number;
  text: string;
  told?: string;
  validation?: Readonly<Record<string, string>>;
  retryAfterSeconds?: number;
  detail?: string;
}

interface ErrorRow<Detail> {
  status: number;
  text: (detail: Detail) => string;
  /** What clients are told instead of the text; a row of status 500 needs none. */
  told?: string;
  validation?: (detail: Detail) => Readonly<Record<string, string>>;
  retryAfterSeconds?: number;
  detail?: (detail: Detail) => string;
}

type Makers<Rows> = {
  readonly [Code in keyof Rows]: Rows[Code] extends ErrorRow<infer Detail>
    ? (detail: Detail, cause?: unknown) => OperatingError
    : never;
};

const FAULT_TOLD = 'the service failed to answer; the fault is logged';
const FAULT_STATUS = 500;

// biome-ignore lint/suspicious/noExplicitAny: each row has a detail type of its own
function defineErrors<Rows extends Record<string, ErrorRow<any>>>(rows: Rows): Makers<Rows> {
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
          retryAfterSeconds: row.retryAfterSeconds ?? 0,
          detail: row.detail?.(detail) ?? '',
        },
        cause,
      );
  }
  return makers as Makers<Rows>;
}

type None = Record<string, never>;

interface Damaged {
  domainId: string;
  /** yyyy-mm-dd; '' when the damage is to the site as a whole. */
  day: string;
  /** For the operator only, as is the fault. */
  path: string;
  fault: string;
}

/** The table. Keys are stable: logs, tests and the README name them. */
export const errors = defineErrors({
  /** Parameters or body fields that have to change; keys as in A-9 and A-11. */
  VALIDATION_FAILED: {
    status: 400,
    text: (_: { validation: Record<string, string> }) => 'the request has invalid parameters',
    validation: (detail: { validation: Record<string, string> }) => detail.validation,
  },
  BODY_NOT_JSON: {
    status: 400,
    text: (d: { reason: string }) => `the body is not valid JSON: ${d.reason}`,
  },
  BODY_NOT_MULTIPART: {
    status: 400,
    text: (_: None) => 'the body is not multipart/form-data with the boundary its header names',
  },
  TOKEN_MISSING: {
    status: 401,
    text: (_: None) => 'send the header Authorization: Bearer <access token or access key>',
  },
  TOKEN_INVALID: {
    status: 401,
    text: (_: None) => 'the access token is unknown or expired; get a new one at /api/v1/token',
  },
  CLIENT_UNKNOWN: {
    status: 401,
    text: (_: None) => 'client_id and client_secret do not match a client',
  },
  SCOPE_MISSING: {
    status: 403,
    text: (d: { area: string; access: 'r' | 'w' }) =>
      `this client lacks the scope ${d.area}=${d.access}`,
  },
  /** The caller sees the object, but may not do this (M-4). */
  ROLE_MISSING: {
    status: 403,
    text: (d: { needed: string }) => `the caller may not do this: it needs ${d.needed}`,
  },
  /** Access keys only collect (A-17). */
  ACCESS_KEY_LIMITED: {
    status: 403,
    text: (_: None) => 'an access key can only send data; use an access token of /api/v1/token',
  },
  PATH_NOT_FOUND: {
    status: 404,
    text: (d: { path: string }) => `there is no endpoint ${d.path}`,
  },
  DOMAIN_UNMATCHED: {
    status: 404,
    text: (d: { parameter: string; value: string }) =>
      `no domain of this client has the ${d.parameter} '${d.value}'`,
  },
  /** Also one of a domain that the client cannot see (F-36). */
  RECORD_NOT_FOUND: {
    status: 404,
    text: (d: { kind: string; id: string }) => `no ${d.kind} has the id '${d.id}'`,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    text: (d: { method: string; allowed: string }) =>
      `${d.method} is not allowed; use ${d.allowed}`,
  },
  /** The rest of a body did not come: the connection ends with the answer. */
  BODY_LATE: {
    status: 408,
    text: (d: { seconds: number }) =>
      `the body did not arrive within ${d.seconds} seconds; send it again on another connection`,
  },
  /** Where it ends is not sure, so nothing more is read from its connection (RFC 9112, section 6.3). */
  REQUEST_AMBIGUOUS: {
    status: 400,
    text: (d: { reason: string }) =>
      `where the request ends is not clear: ${d.reason}; send one Host, and with a body either ` +
      'one Content-Length or Transfer-Encoding: chunked',
  },
  BODY_ENCODED: {
    status: 415,
    text: (d: { encoding: string }) =>
      `the body is sent with Content-Encoding: ${d.encoding}; send it as it is, without that header`,
  },
  BODY_TOO_LARGE: {
    status: 413,
    text: (d: { bytesMax: number }) => `the body is larger than the limit of ${d.bytesMax} bytes`,
  },
  BATCH_TOO_LONG: {
    status: 413,
    text: (d: { items: number; itemsMax: number }) =>
      `the batch has ${d.items} items; the limit is ${d.itemsMax}`,
  },
  INTERNAL: {
    status: 500,
    text: (_: None) => FAULT_TOLD,
  },
  OVERLOADED: {
    status: 503,
    text: (d: { reason: string }) => `the service cannot take this now: ${d.reason}; try again`,
    retryAfterSeconds: 1,
  },
  /** The lease of the site's shard is not this node's, or not any more: whoever asked asks again. */
  SHARD_MOVED: {
    status: 503,
    text: (_: None) => 'another node is taking over this site; try again',
    retryAfterSeconds: 1,
  },
  /** The node that answers for the site cannot be asked: whoever asked asks its successor. */
  NODE_AWAY: {
    status: 503,
    text: (d: { reason: string }) => `the node of this site is away (${d.reason}); try again`,
    told: 'the node of this site is away; try again',
    retryAfterSeconds: 1,
  },
  NOT_READY: {
    status: 503,
    text: (d: { reason: string }) => `the service is not ready: ${d.reason}`,
    retryAfterSeconds: 1,
  },
  /** A name that is no setting; `nearest` is '' when nothing is close. */
  SETTING_UNKNOWN: {
    status: 500,
    text: (d: { name: string; nearest: string }) =>
      `${d.name} is not a setting; ${
        d.nearest === '' ? "'footfall settings' lists them" : `did you mean ${d.nearest}?`
      }`,
  },
  SETTING_MALFORMED: {
    status: 500,
    text: (d: { name: string; given: string; bounds: string }) =>
      `${d.name} must be ${d.bounds}; it is ${d.given}`,
  },
  CONFIG_FILE_UNREADABLE: {
    status: 500,
    text: (d: { path: string; reason: string }) =>
      `the settings file ${d.path} cannot be used: ${d.reason}`,
  },
  DATA_DIR_UNUSABLE: {
    status: 500,
    text: (d: { dataDir: string; reason: string }) =>
      `the data directory ${d.dataDir} cannot be used: ${d.reason}`,
  },
  /** `needed` is what this installation opens without a single client. */
  OPEN_FILES_TOO_FEW: {
    status: 500,
    text: (d: { limit: number; needed: number }) =>
      `this process may have ${d.limit} files open and needs ${d.needed}, and one more for each ` +
      'connection: raise the limit (ulimit -n 65536, LimitNOFILE= of systemd, --ulimit nofile= of Docker)',
  },
  DATA_DIR_IN_USE: {
    status: 500,
    text: (d: { dataDir: string; holder: string }) =>
      `the data directory ${d.dataDir} is in use by ${d.holder}; ` +
      'stop that service or set another --data-dir',
  },
  ADDRESS_UNUSABLE: {
    status: 500,
    text: (d: { host: string; port: number; reason: string }) =>
      `cannot listen on ${d.host}:${d.port}: ${d.reason}`,
  },
  /** The HTTP engine is native code: its builds for Node 24 and later want a newer C library. */
  HTTP_ENGINE_UNUSABLE: {
    status: 500,
    text: (d: { node: string; reason: string }) =>
      `the HTTP engine cannot be loaded by Node ${d.node}: ${d.reason}; ` +
      'use Node 22 or 20, or Node 24 on a system with glibc 2.38 or later (Debian 13, Ubuntu 24.04)',
  },
  /** So many others changed the registry at once that this change never got its turn. */
  REGISTRY_BUSY: {
    status: 503,
    text: (d: { attempts: number }) =>
      `the registry was changed by others ${d.attempts} times in a row; try again`,
    retryAfterSeconds: 1,
  },
  /** The records of this directory and those of the stream are not the same registry. */
  REGISTRY_DIVERGED: {
    status: 500,
    text: (d: { stream: string; fault: string }) =>
      `accounts and sites of this data directory do not belong to the stream ${d.stream}: ${d.fault}; restore that stream from its backup, or start with an empty data directory`,
  },
  /** A newer version runs on another node. */
  REGISTRY_NEWER: {
    status: 500,
    text: (d: { stream: string; sequence: number; kind: string }) =>
      `message ${d.sequence} of the stream ${d.stream} is a '${d.kind}' of a newer version; install that version here, too`,
  },
  REGISTRY_RECORD_TOO_LARGE: {
    status: 413,
    text: (d: { bytes: number; bytesMax: number }) =>
      `the change has ${d.bytes} bytes; NATS takes messages of ${d.bytesMax}`,
  },
  USER_NOT_FOUND: {
    status: 404,
    text: (d: { email: string }) => `no account has the email '${d.email}'`,
  },
  /** The state knows more than the log: the log was lost, replaced or restored from a backup. */
  LOG_BEHIND_CHECKPOINT: {
    status: 500,
    text: (d: { checkpoint: number; last: number }) =>
      `the log ends at ${d.last} but a checkpoint says ${d.checkpoint}: restore the directories log and state together, from the same backup`,
  },
  DEMO_FAILED: {
    status: 500,
    text: (d: { reason: string }) => `the demo cannot go on: ${d.reason}`,
  },
  TORTURE_MISSING: {
    status: 500,
    text: (_: object) => "torture is not in this build: run 'npm run build' in the sources",
  },
  /** The disk refused a commit: nothing of it counts. */
  LOG_WRITE_FAILED: {
    status: 503,
    text: (d: { reason: string }) => `the log cannot be written: ${d.reason}`,
    told: 'the service cannot store this now; nothing of the request counts; try again',
    retryAfterSeconds: 1,
  },
  /** The disk refused a checkpoint: the log still has everything. */
  STATE_WRITE_FAILED: {
    status: 503,
    text: (d: { reason: string }) => `the state cannot be written: ${d.reason}`,
    told: 'the service cannot save now; nothing acknowledged is lost; try again',
    retryAfterSeconds: 1,
  },
  /** What was stored of a site is not what was written: it is not counted with, nor on top of it. */
  STATE_DAMAGED: {
    status: 503,
    text: ({ day }: Damaged) =>
      `stored data of this site${day === '' ? '' : ` (${day})`} is damaged; the operator has to restore it from a backup`,
    told: 'stored data of this site is damaged; the operator has to restore it from a backup',
    retryAfterSeconds: 60,
    detail: ({ domainId, day, path, fault }: Damaged) =>
      `${path}: ${fault}; site ${domainId}${day === '' ? '' : `, day ${day}`}`,
  },
  /** An environment that cannot be trusted as a whole: at the start, before it is opened. */
  STORE_DAMAGED: {
    status: 500,
    text: (d: { path: string; fault: string; remedy: string }) =>
      `${d.path} is damaged: ${d.fault}; ${d.remedy}`,
  },
  /** Nobody can tell what reached the disk: the process ends and recovers. */
  LOG_SYNC_FAILED: {
    status: 500,
    text: (d: { file: string; reason: string }) =>
      `the log ${d.file} cannot be synced: ${d.reason}; check the disk and start again`,
  },
  /** A log file that recovery cannot read to where it must; a torn tail is no damage. */
  LOG_DAMAGED: {
    status: 500,
    text: (d: { file: string; fault: string }) =>
      `the log file ${d.file} cannot be used: ${d.fault}; restore the directories log and state from one backup`,
  },
  NATS_UNREACHABLE: {
    status: 500,
    text: (d: { servers: string; reason: string }) =>
      `no NATS server answers at ${d.servers} (${d.reason}); start it or correct FOOTFALL_NATS_SERVERS`,
  },
  NATS_CONNECTION_STUCK: {
    status: 500,
    text: (d: { server: string }) =>
      `the connection to NATS at ${d.server} is gone and is not tried again; start this node again`,
  },
  NATS_REFUSED: {
    status: 500,
    text: (d: { servers: string; reason: string }) =>
      `NATS at ${d.servers} refuses the credentials (${d.reason}); set FOOTFALL_NATS_USER and FOOTFALL_NATS_PASSWORD, FOOTFALL_NATS_TOKEN or FOOTFALL_NATS_CREDENTIALS`,
  },
  NATS_CREDENTIALS_UNREADABLE: {
    status: 500,
    text: (d: { path: string; reason: string }) =>
      `the NATS credentials ${d.path} cannot be read (${d.reason}); correct FOOTFALL_NATS_CREDENTIALS`,
  },
  JETSTREAM_UNAVAILABLE: {
    status: 500,
    text: (d: { stream: string; reason: string }) =>
      `the stream ${d.stream} cannot be opened: ${d.reason}; start nats-server with JetStream (-js) and room for the stream`,
  },
  /** Another installation's stream, or ours with other settings. */
  STREAM_MISMATCH: {
    status: 500,
    text: (d: { stream: string; fault: string }) =>
      `the stream ${d.stream} is not usable: ${d.fault}; use the settings it was made with, or another FOOTFALL_NATS_PREFIX`,
  },
  /** Hits were counted that the stream does not have any more: it was restored from a backup. */
  STREAM_WENT_BACK: {
    status: 500,
    text: (d: { stream: string; shard: number; counted: number; last: number }) =>
      `the stream ${d.stream} ends at ${d.last}, but shard ${d.shard} has been counted up to ${d.counted}: restore the stream from a newer backup, or everything (streams, snapshots, data directories) from one`,
  },
  /** The stream of this data directory is gone, or another one has taken its place. */
  STREAM_REPLACED: {
    status: 500,
    text: (d: { stream: string; made: string; found: string }) =>
      `the stream ${d.stream} was made at ${d.found}, but this data directory belongs to the one made at ${d.made}: restore that stream, or start with an empty data directory`,
  },
  LOG_FOREIGN_RECORD: {
    status: 500,
    text: (d: { stream: string; sequence: number; fault: string }) =>
      `message ${d.sequence} of the stream ${d.stream} is not ours: ${d.fault}; find out who writes to it and delete that message`,
  },
  SNAPSHOT_DAMAGED: {
    status: 500,
    text: (d: { name: string; fault: string }) =>
      `the snapshot ${d.name} cannot be used: ${d.fault}`,
  },
  /** Nobody said that the hits are stored: the client tries again. */
  LOG_UNAVAILABLE: {
    status: 503,
    text: (d: { reason: string }) => `the log cannot be reached: ${d.reason}`,
    told: 'the log cannot be reached; try again',
    retryAfterSeconds: 1,
  },
  LOG_FULL: {
    status: 503,
    text: (_: None) => 'the log is full; the operator has to give its stream more room',
    retryAfterSeconds: 10,
  },
  /** The servers are away for longer than the operator gave room for. */
  SPOOL_FULL: {
    status: 503,
    text: (_: None) =>
      'the NATS servers are away and the spool is full; the operator has to bring them back or raise FOOTFALL_SPOOL_BYTES',
    retryAfterSeconds: 10,
  },
  DATA_DIR_LAYOUT: {
    status: 500,
    text: (d: { dataDir: string; fault: string }) =>
      `the data directory ${d.dataDir} cannot be used: ${d.fault}`,
  },
  QUERY_BUDGET_EXCEEDED: {
    status: 503,
    text: (d: { budget: string }) => `the query exceeds its budget of ${d.budget}; narrow it`,
    retryAfterSeconds: 5,
  },
  LOCATION_DATABASE_UNREADABLE: {
    status: 500,
    text: (d: { path: string; reason: string }) =>
      `the location database ${d.path} cannot be read (${d.reason}); name a .mmdb file`,
  },
});
