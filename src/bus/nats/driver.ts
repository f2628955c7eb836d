/** The log on JetStream, as a row of `bus/drivers.ts`. Control plane. */

import { join } from 'node:path';
import { errors } from '../../model/errors.ts';
import type { ShardId } from '../../model/ids.ts';
import type { Settings } from '../../settings/schema.ts';
import type { LogDriver, LogIdentity, OpenLog } from '../log/driver.ts';
import type { LogControl, LogWriterLink } from '../log/links.ts';
import type { NatsAccess } from './connection.ts';
import type { FeedStart } from './feeds.ts';
import type { NatsLog, NatsLogOptions } from './log.ts';

/** What the main thread may ask of the log's thread. */
export type NatsLogCall =
  /** Reads a shard from behind a position: the position of its last record, once it was handed on. */
  | { kind: 'start'; from: FeedStart }
  | { kind: 'stop'; shard: ShardId }
  /** Position of the shard's last record in the stream, asked of the stream now. */
  | { kind: 'latest'; shard: ShardId };

export const natsDriver = {
  kind: 'nats',
  isShared: true,
  isAsked: ({ natsServers }: Settings) => natsServers.length > 0,
  options(settings: Settings, shards: number): NatsLogOptions {
    return {
      access: natsAccess(settings),
      name: `footfall ${settings.host}:${settings.port}`,
      prefix: settings.natsPrefix,
      shards,
      replicas: settings.natsReplicas,
      bytesMax: settings.natsStreamBytes,
      spool: {
        dir: join(settings.dataDir, 'spool'),
        bytesMax: settings.spoolBytes,
        isOn: settings.spool === 'on',
      },
    };
  },
  async open(
    options: NatsLogOptions,
    link: LogWriterLink,
    onFault: (error: Error) => void,
  ): Promise<OpenLog> {
    const { NatsLog } = await import('./log.ts');
    const { hitStreamName } = await import('./streams.ts');
    const log = await NatsLog.open(options, link, onFault);
    const stream = hitStreamName(options.prefix);
    return {
      identity: { kind: 'nats', stream, created: log.created },
      answer: (call: NatsLogCall) => answerNatsCall(log, call),
      run: () => closed(log, link),
    };
  },
  reader: () => null,
  whereabouts: ({ stream }: LogIdentity) => `the stream ${stream}; set FOOTFALL_NATS_SERVERS`,
  replaced(bound: LogIdentity, { stream = '', created = '' }: LogIdentity): Error | null {
    if (bound['stream'] === stream && bound['created'] === created) return null;
    return errors.STREAM_REPLACED({ stream, made: bound['created'] ?? '', found: created });
  },
} as const satisfies LogDriver;

/** How the NATS servers of the settings are reached. */
export function natsAccess(settings: Settings): NatsAccess {
  return {
    servers: settings.natsServers,
    user: settings.natsUser,
    password: settings.natsPassword,
    token: settings.natsToken,
    credentials: settings.natsCredentials,
  };
}

/** Carries out a call of the main thread. */
export function answerNatsCall(log: NatsLog, call: NatsLogCall): unknown {
  if (call.kind === 'start') return log.feeds.start(call.from);
  return call.kind === 'stop' ? log.feeds.stop(call.shard) : log.feeds.latest(call.shard);
}

/** Resolves when the supervisor has closed the log and what the edges had sent is answered. */
function closed(log: NatsLog, link: LogWriterLink): Promise<void> {
  return new Promise((resolve, reject) => {
    link.control.on('message', (message: LogControl) => {
      // Forgetting is the snapshots' business: only behind one that is stored.
      if (message === 'close') log.close().then(resolve, reject);
    });
  });
}
