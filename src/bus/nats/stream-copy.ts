/**
 * Reads what the stream of hits has, shard by shard, for a backup: everything that was acknowledged
 * before a shard is asked for, and is in no snapshot.
 *
 * Control plane. It makes no stream, and changes none but for the marks that every question leaves in a
 * replicated one.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { JetStreamManager, NatsConnection } from 'nats';
import { monotonicMs } from '../../base/clock.ts';
import { errors } from '../../model/errors.ts';
import { asSequence, type Sequence, type ShardId } from '../../model/ids.ts';
import { SECOND_MS } from '../../model/limits.ts';
import { checkFrame } from '../log/record-frame.ts';
import { type NatsAccess, openNats } from './connection.ts';
import { LeaderFeed } from './leader-feed.ts';
import { NatsPublisher } from './publisher.ts';
import { type Feed, ShardFeed } from './shard-feed.ts';
import {
  findStream,
  hitStreamName,
  hitSubject,
  jetStreamError,
  lastSequenceOf,
  onceElected,
  shardCountOf,
} from './streams.ts';

const NO_BYTES = new Uint8Array(0);
const LOOK_MS = 20;
/** A shard of which nothing comes for so long cannot be read. */
const STILL_MS_MAX = 30 * SECOND_MS;
/** How often it is asked meanwhile whether a snapshot has what is waited for. */
const SNAPSHOT_LOOK_MS = SECOND_MS;

/** A connection to the stream of an installation. */
export class StreamCopy {
  readonly name: string;
  readonly shards: number;
  readonly replicas: number;
  /** When it was made. */
  readonly created: string;
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #prefix: string;
  readonly #publisher: NatsPublisher;

  private constructor(
    connection: NatsConnection,
    manager: JetStreamManager,
    found: { prefix: string; shards: number; replicas: number; created: string },
  ) {
    this.#connection = connection;
    this.#manager = manager;
    this.#prefix = found.prefix;
    this.name = hitStreamName(found.prefix);
    this.shards = found.shards;
    this.replicas = found.replicas;
    this.created = found.created;
    const endMs = monotonicMs() + STILL_MS_MAX;
    this.#publisher = new NatsPublisher(connection, this.name, () => monotonicMs() > endMs);
  }

  /** @throws NATS_UNREACHABLE, NATS_REFUSED, JETSTREAM_UNAVAILABLE, STREAM_MISMATCH. */
  static async open(access: NatsAccess, prefix: string): Promise<StreamCopy> {
    const connection = await openNats(access, 'footfall backup');
    const name = hitStreamName(prefix);
    try {
      const manager = await connection.jetstreamManager();
      const info = await onceElected(() => findStream(manager, name));
      if (info === null) {
        const fault = 'there is no such stream: no node has ever run there';
        throw errors.STREAM_MISMATCH({ stream: name, fault });
      }
      const { config, created } = info;
      const found = { prefix, replicas: config.num_replicas, created, shards: shardCountOf(info) };
      return new StreamCopy(connection, manager, found);
    } catch (cause) {
      await connection.close();
      throw jetStreamError(name, cause);
    }
  }

  /** Sequence of the last message that the stream has had. */
  async end(): Promise<Sequence> {
    const { state } = await onceElected(() => this.#manager.streams.info(this.name));
    return asSequence(state.last_seq);
  }

  /**
   * Visits the records of a shard behind a position, in order, at least up to what was acknowledged
   * before the call. What a node forgets meanwhile, because a snapshot has it, may be missing.
   *
   * @param snapshotPosition asks which records the newest snapshot has.
   * @throws LOG_UNAVAILABLE, LOG_FOREIGN_RECORD.
   */
  async copy(
    shard: ShardId,
    from: { after: Sequence; snapshotPosition: () => Promise<Sequence> },
    visit: (sequence: Sequence, frame: Uint8Array) => void,
  ): Promise<void> {
    const last = await this.#lastConfirmed(shard);
    let fault: Error | null = null;
    const feed: Feed = new (this.replicas === 1 ? ShardFeed : LeaderFeed)({
      ...{ connection: this.#connection, manager: this.#manager, stream: this.name },
      ...{ subject: hitSubject(this.#prefix, shard), after: from.after },
      visit: (sequence, frame) => {
        const wrong = checkFrame(frame, shard);
        if (wrong === null) visit(sequence, frame);
        else fault ??= errors.LOG_FOREIGN_RECORD({ stream: this.name, sequence, fault: wrong });
      },
    });
    feed.open();
    try {
      let seen = feed.position;
      let movedMs = monotonicMs();
      let askedMs = movedMs;
      while (feed.position < last && fault === null) {
        await pause(LOOK_MS);
        const nowMs = monotonicMs();
        if (feed.position > seen) movedMs = nowMs;
        seen = feed.position;
        if (nowMs - askedMs > SNAPSHOT_LOOK_MS) {
          if ((await from.snapshotPosition()) >= last) return;
          askedMs = nowMs;
        }
        if (nowMs - movedMs > STILL_MS_MAX) {
          const reason = `shard ${shard} of ${this.name} is not read in time`;
          throw errors.LOG_UNAVAILABLE({ reason });
        }
      }
      if (fault !== null) throw fault;
    } finally {
      feed.close();
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** As `NatsFeeds` asks for it: of a replicated stream a mark tells, wherever its leader is. */
  async #lastConfirmed(shard: ShardId): Promise<Sequence> {
    if (this.replicas > 1) {
      return await this.#publisher.publish(hitSubject(this.#prefix, shard), NO_BYTES);
    }
    return await onceElected(() => lastSequenceOf(this.#manager, { prefix: this.#prefix, shard }));
  }
}
