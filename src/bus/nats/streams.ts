/**
 * The stream that holds the hits: made when it is not there, checked when it is.
 *
 * Control plane. One subject per shard, file storage, bounded; a full stream refuses (`discard:
 * new`) instead of forgetting what nobody has counted yet. What the stream is for is written in its
 * description, so that two installations that mean different things never share one.
 */

import {
  DiscardPolicy,
  ErrorCode,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from 'nats';
import { monotonicMs } from '../../base/clock.ts';
import { errors, OperatingError } from '../../model/errors.ts';
import { asSequence, BEGINNING, type Sequence, type ShardId } from '../../model/ids.ts';
import { MINUTE_MS, SECOND_MS } from '../../model/limits.ts';
import { isReadable, PAYLOAD_FORMAT } from '../record/layout.ts';

/** What a stream of hits has to be. */
export interface HitStreamOptions {
  /** First part of every name: `footfall` makes the stream FOOTFALL_HITS. */
  prefix: string;
  shards: number;
  replicas: number;
  bytesMax: number;
}

/** A repeated publication within this time is told from a new one by its id. */
const DUPLICATE_WINDOW_MS = 2 * MINUTE_MS;

/** How long servers that elect a leader are waited for: an election takes up to ten seconds. */
const OPEN_MS = 30 * SECOND_MS;
const RETRY_MS = 250;

/** Codes of the JetStream API. */
const STREAM_NOT_FOUND = 10_059;
const NAME_IN_USE = 10_058;
const NO_MESSAGE = 404;
/** No leader, not enough servers for the replicas, unavailable, stream offline. */
const UNTIL_ELECTED = new Set([10_005, 10_008, 10_009, 10_118]);

/** Name of the stream. */
export function hitStreamName(prefix: string): string {
  return `${prefix.toUpperCase()}_HITS`;
}

/** Subject of a shard's records. */
export function hitSubject(prefix: string, shard: ShardId): string {
  return `${prefix}.hits.${shard}`;
}

/**
 * Opens the stream of hits, and makes it when there is none.
 *
 * @returns its state.
 * @throws JETSTREAM_UNAVAILABLE, STREAM_MISMATCH.
 */
export async function openHitStream(
  connection: NatsConnection,
  options: HitStreamOptions,
): Promise<{ manager: JetStreamManager; info: StreamInfo }> {
  const name = hitStreamName(options.prefix);
  try {
    return await onceElected(async () => {
      const manager = await connection.jetstreamManager();
      const info = await makeStream(manager, hitStreamConfig(options));
      checkStream(info, options);
      return { manager, info: await raiseFormat(manager, info, options) };
    });
  } catch (cause) {
    throw jetStreamError(name, cause);
  }
}

/** Asks servers that may have to elect a leader first: again, until they have, or half a minute. */
export async function onceElected<Value>(work: () => Promise<Value>): Promise<Value> {
  const endMs = monotonicMs() + OPEN_MS;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (!isElecting(cause) || monotonicMs() >= endMs) throw cause;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Servers that are agreeing on a leader do not answer, or say that they cannot yet. */
function isElecting(cause: unknown): boolean {
  if (cause instanceof OperatingError && cause.code === 'LOG_UNAVAILABLE') {
    return isElecting(cause.cause);
  }
  if (!(cause instanceof NatsError)) return false;
  return cause.code === ErrorCode.Timeout || UNTIL_ELECTED.has(apiCode(cause));
}

/** A stream, null when there is none of that name. */
export async function findStream(
  manager: JetStreamManager,
  name: string,
): Promise<StreamInfo | null> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (apiCode(error) === STREAM_NOT_FOUND) return null;
    throw error;
  }
}

function hitStreamConfig(options: HitStreamOptions): Partial<StreamConfig> & { name: string } {
  return {
    name: hitStreamName(options.prefix),
    subjects: [`${options.prefix}.hits.*`],
    description: descriptionOf(options),
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_bytes: options.bytesMax,
    num_replicas: options.replicas,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
}

/** Makes a stream. @returns what is there; of several nodes at once only one makes it. */
export async function makeStream(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { name: string },
): Promise<StreamInfo> {
  const known = await findStream(manager, config.name);
  if (known !== null) return known;
  try {
    return await manager.streams.add(config);
  } catch (error) {
    // Another node was first.
    if (apiCode(error) !== NAME_IN_USE) throw error;
    return await manager.streams.info(config.name);
  }
}

function checkStream(info: StreamInfo, options: HitStreamOptions): void {
  const { config } = info;
  const stream = config.name;
  const refuse = (fault: string) => errors.STREAM_MISMATCH({ stream, fault });
  if (!isOfUs(config, options)) {
    const description = descriptionOf(options);
    throw refuse(`it says '${config.description ?? ''}' where '${description}' is needed`);
  }
  if (config.storage !== StorageType.File) throw refuse('it is kept in memory');
  if (config.discard !== DiscardPolicy.New) throw refuse('it forgets old hits when it is full');
  if (config.retention !== RetentionPolicy.Limits) throw refuse('its retention is not by limits');
  if (config.max_age !== 0 || config.max_msgs_per_subject > 0) {
    throw refuse('it forgets hits by age or number');
  }
  if (config.num_replicas !== options.replicas) {
    throw refuse(`it has ${config.num_replicas} replicas, the setting says ${options.replicas}`);
  }
}

function descriptionOf(options: HitStreamOptions, format = PAYLOAD_FORMAT): string {
  return `footfall hits, record format ${format}, ${options.shards} shards`;
}

/** The number of shards of an installation, by its stream. @throws STREAM_MISMATCH. */
export function shardCountOf({ config }: StreamInfo): number {
  const { description = '', name: stream } = config;
  const found = /record format (\d+), (\d+) shards$/.exec(description);
  if (found !== null && isReadable(Number(found[1]))) return Number(found[2]);
  throw errors.STREAM_MISMATCH({ stream, fault: `it says '${description}'` });
}

/** Whether a stream is one of this installation whose records are read. */
function isOfUs({ description }: StreamConfig, options: HitStreamOptions): boolean {
  const format = Number(/record format (\d+)/.exec(description ?? '')?.[1]);
  return isReadable(format) && description === descriptionOf(options, format);
}

/** Makes an earlier build refuse the stream from now on, since it would not read our records. */
async function raiseFormat(
  manager: JetStreamManager,
  info: StreamInfo,
  options: HitStreamOptions,
): Promise<StreamInfo> {
  const description = descriptionOf(options);
  if (info.config.description === description) return info;
  return await manager.streams.update(info.config.name, { description });
}

/** Sequence of a shard's last message, 0 when it has none. */
export async function lastSequenceOf(
  manager: JetStreamManager,
  { prefix, shard }: { prefix: string; shard: ShardId },
): Promise<Sequence> {
  try {
    const subject = hitSubject(prefix, shard);
    const last = await manager.streams.getMessage(hitStreamName(prefix), { last_by_subj: subject });
    return asSequence(last.seq);
  } catch (error) {
    const isNone = (error as { api_error?: { code?: number } }).api_error?.code === NO_MESSAGE;
    if (isNone) return BEGINNING;
    throw error;
  }
}

/**
 * Forgets a shard's records before a sequence; those of other shards stay.
 *
 * The record that has the sequence stays, too: a stream without any message begins anew at 1 when its
 * server was killed (seen with NATS 2.9), and what came then would be taken for counted. Only of a
 * stream with one copy: of others see `nats/snapshots/forgetting.ts`.
 */
export async function forgetRecords(
  manager: JetStreamManager,
  { prefix, shard, sequence }: { prefix: string; shard: ShardId; sequence: Sequence },
): Promise<void> {
  const filter = hitSubject(prefix, shard);
  await manager.streams.purge(hitStreamName(prefix), { filter, seq: sequence });
}

/** Code of an error of the JetStream API; 0 for other errors. */
export function apiCode(error: unknown): number {
  return error instanceof NatsError ? (error.api_error?.err_code ?? 0) : 0;
}

/** What an error at the opening of a stream means. */
export function jetStreamError(stream: string, cause: unknown): OperatingError | unknown {
  if (!(cause instanceof NatsError)) return cause;
  const isOff =
    cause.code === ErrorCode.NoResponders || cause.code === ErrorCode.JetStreamNotEnabled;
  const reason = isOff ? 'JetStream is not enabled there' : cause.message;
  return errors.JETSTREAM_UNAVAILABLE({ stream, reason }, cause);
}
