/** Rows of the table of errors (`model/errors.ts`): what NATS, its streams and the other nodes refuse. */

import type { ErrorRows, None } from './row.ts';

export const CLUSTER_ERRORS = {
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
  /** Everybody waits until it is whole: what is there is a part. */
  RESTORE_UNFINISHED: {
    status: 500,
    text: (d: { stream: string; restored: string }) =>
      `the stream ${d.stream} waits for the end of a restore of ${d.restored}: let it end; if it was broken off, run 'footfall restore' of that backup again`,
  },
  /** Somebody would be counted with the wrong numbers. */
  RESTORE_REFUSED: {
    status: 500,
    text: (d: { reason: string }) =>
      `the backup cannot be restored into these NATS servers: ${d.reason}`,
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
} satisfies ErrorRows;
