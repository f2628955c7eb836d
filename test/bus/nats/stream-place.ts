/** Logs on JetStream, a stream of its own each. */

import { connect } from 'nats';
import { LogLinkAppender } from '../../../src/bus/log/appender.ts';
import { LogLinkFeed } from '../../../src/bus/log/feed.ts';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { createLogLinks } from '../../../src/bus/log/links.ts';
import { readFrames } from '../../../src/bus/log/record-frame.ts';
import { NatsLog, type NatsLogOptions } from '../../../src/bus/nats/log.ts';
import { asSequence, asShardId } from '../../../src/model/ids.ts';
import type { LogPlace, OpenLog, StoredLog } from '../../conformance/log.conformance.ts';
import type { NatsServer } from '../../support/nats-server.ts';

let places = 0;

/** Where the suite of every log finds one. */
export function natsPlace(server: NatsServer): LogPlace {
  return (extent) => {
    const options = streamOn(server, extent.shards);
    return { open: () => openLog(options, extent), remove: () => removeStream(options) };
  };
}

/** A stream of its own on a server. */
export function streamOn(server: NatsServer, shards: number): NatsLogOptions {
  places++;
  const bytesMax = 64 * 1_024 * 1_024;
  return {
    access: accessOf(server),
    name: 'test',
    prefix: `t${places}`,
    shards,
    replicas: 1,
    bytesMax,
  };
}

export function accessOf({ url }: NatsServer) {
  return { servers: [url], user: null, password: null, token: null, credentials: null };
}

/** Opens the log on this thread and reads all of its shards. */
export async function openLog(
  options: NatsLogOptions,
  extent: { edges: number; actors: number; shards: number },
  after = 0,
  onFault: (error: Error) => void = (error) => {
    throw error;
  },
): Promise<OpenLog> {
  const links = createLogLinks(extent);
  const log = await NatsLog.open(options, links.writer, onFault);
  const delivered: LogRecord[][] = links.actors.map(() => []);
  const feeds = links.actors.map((link) => new LogLinkFeed(link));
  for (const [actor, feed] of feeds.entries()) {
    feed.onRecords((records) => delivered[actor]!.push(...records));
  }
  const appenders = links.edges.map((link) => new LogLinkAppender(link));
  const close = async () => {
    await log.close();
    for (const appender of appenders) appender.close();
    for (const feed of feeds) feed.close();
    links.control.close();
  };
  const shards = Array.from({ length: extent.shards }, (_, shard) => shard);
  try {
    await Promise.all(
      shards.map((shard) =>
        log.feeds.start({ shard: asShardId(shard), after: asSequence(after), opening: 1 }),
      ),
    );
  } catch (error) {
    await close();
    throw error;
  }
  return { appenders, delivered, reader: () => storedIn(options), close };
}

/** The stream read message by message, by another client than ours. */
function storedIn(options: NatsLogOptions): StoredLog {
  return {
    async replay(after, visit) {
      const nc = await connect({ servers: options.access.servers as string[] });
      const manager = await nc.jetstreamManager();
      const name = `${options.prefix.toUpperCase()}_HITS`;
      const { state } = await manager.streams.info(name);
      for (let sequence = after + 1; sequence <= state.last_seq; sequence++) {
        const { data } = await manager.streams.getMessage(name, { seq: sequence });
        readFrames(data, asSequence(sequence), visit);
      }
      await nc.close();
      return state.last_seq;
    },
  };
}

export async function removeStream(options: NatsLogOptions): Promise<void> {
  const nc = await connect({ servers: options.access.servers as string[] });
  await (await nc.jetstreamManager()).streams.delete(`${options.prefix.toUpperCase()}_HITS`);
  await nc.close();
}
