/**
 * The stream of the registry: every change of accounts and sites, in the one order that all nodes
 * apply.
 *
 * Control plane. A record is stored only directly behind the one its writer has seen (expected last
 * sequence), so that a rule that was checked still holds when the record counts. The
 * stream has no bounds and is never trimmed: a new node gets everything from it.
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
  type StreamInfo,
} from 'nats';
import { monotonicMs } from '../../base/clock.ts';
import { errors } from '../../model/errors.ts';
import { asSequence } from '../../model/ids.ts';
import { MINUTE_MS } from '../../model/limits.ts';
import { type NatsAccess, openNats } from './connection.ts';
import { LeaderFeed } from './leader-feed.ts';
import { type Feed, ShardFeed } from './shard-feed.ts';
import { apiCode, findStream, jetStreamError, makeStream, onceElected } from './streams.ts';

/** What a stream of the registry has to be, and how it is reached. */
export interface RegistryStreamOptions {
  access: NatsAccess;
  /** Shown in the server's list of connections. */
  name: string;
  /** First part of every name: `footfall` makes the stream FOOTFALL_REGISTRY. */
  prefix: string;
  replicas: number;
  /** What is restored into it; nobody else may use it until that is finished (`restore-target.ts`). */
  restoreOf?: string;
}

/** What the stream says it is. */
export const REGISTRY_DESCRIPTION = 'footfall registry, format 1';
const UNFINISHED = 'footfall registry, unfinished restore of ';
/** An append that has no answer is repeated under its id for this long. */
const APPEND_MS = 5_000;
const ATTEMPT_MS = 1_500;
const RETRY_WAIT_MS = 100;
/** Room that headers and protocol take in a message. */
const MESSAGE_HEAD_BYTES = 1_024;

/** Codes of the JetStream API. */
const WRONG_LAST_SEQUENCE = 10_071;
const NO_MESSAGE = 404;

/** One process's end of the stream. */
export class RegistryStream {
  readonly name: string;
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #subject: string;
  readonly #isKeptByOne: boolean;
  #feed: Feed | null = null;

  private constructor(
    connection: NatsConnection,
    manager: JetStreamManager,
    { prefix, replicas }: RegistryStreamOptions,
  ) {
    this.#connection = connection;
    this.#manager = manager;
    this.name = registryStreamName(prefix);
    this.#subject = `${prefix}.registry`;
    this.#isKeptByOne = replicas === 1;
    void this.#follow();
  }

  /**
   * Connects and opens the stream, and makes it when there is none.
   *
   * @param mayMake false: records of it are known, so that it must be there.
   * @throws REGISTRY_DIVERGED when it must be there and is not; NATS_UNREACHABLE, NATS_REFUSED,
   *   NATS_CREDENTIALS_UNREADABLE, JETSTREAM_UNAVAILABLE, STREAM_MISMATCH, RESTORE_UNFINISHED.
   */
  static async open(options: RegistryStreamOptions, mayMake: boolean): Promise<RegistryStream> {
    const connection = await openNats(options.access, options.name);
    const name = registryStreamName(options.prefix);
    try {
      return await onceElected(async () => {
        const manager = await connection.jetstreamManager();
        if (!mayMake && (await findStream(manager, name)) === null) {
          throw errors.REGISTRY_DIVERGED({ stream: name, fault: 'it is gone' });
        }
        checkStream(await makeStream(manager, registryConfig(options)), options);
        return new RegistryStream(connection, manager, options);
      });
    } catch (cause) {
      await connection.close();
      throw jetStreamError(name, cause);
    }
  }

  /** Bytes that a record may have. */
  get recordBytesMax(): number {
    return (this.#connection.info?.max_payload ?? 1_048_576) - MESSAGE_HEAD_BYTES;
  }

  /**
   * Where it ends.
   *
   * @returns the last record's sequence, 0 when there is none, and the last that was ever given: it
   *   is later when messages that are not ours were deleted. (Asked for the last message of a
   *   subject, NATS 2.9 says then that there is none.)
   */
  async end(): Promise<{ last: number; given: number }> {
    return await this.#asked(async () => {
      const { state } = await this.#manager.streams.info(this.name);
      const { first_seq, last_seq: given } = state;
      let last = state.messages === 0 ? 0 : given;
      while (last > first_seq && (await this.#found(last)) === null) last--;
      return { last, given };
    });
  }

  /** A record's bytes, null when it is not there. */
  async read(sequence: number): Promise<Uint8Array | null> {
    return await this.#asked(async () => (await this.#found(sequence))?.data ?? null);
  }

  /**
   * Appends a record, if the stream has given no sequence after `given`.
   *
   * @param id the server knows a repeated append by it.
   * @returns its sequence; null when it has: to an earlier attempt of the same append
   *   perhaps, which only a look at it can tell.
   * @throws LOG_UNAVAILABLE when the stream did not answer in time.
   */
  async append(given: number, bytes: Uint8Array, id: string): Promise<number | null> {
    const client = this.#connection.jetstream({ timeout: ATTEMPT_MS });
    const expect = { streamName: this.name, lastSequence: given };
    const deadlineMs = monotonicMs() + APPEND_MS;
    for (;;) {
      try {
        return (await client.publish(this.#subject, bytes, { msgID: id, expect })).seq;
      } catch (error) {
        if (apiCode(error) === WRONG_LAST_SEQUENCE) return null;
        if (!isWorthRetrying(error) || monotonicMs() >= deadlineMs) throw unavailable(error);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_WAIT_MS));
    }
  }

  /** Visits every record after `after`, in order, those to come included. Once. */
  follow(after: number, visit: (sequence: number, bytes: Uint8Array) => void): void {
    const { name: stream } = this;
    this.#feed = new (this.#isKeptByOne ? ShardFeed : LeaderFeed)({
      ...{ connection: this.#connection, manager: this.#manager, stream, subject: this.#subject },
      // Positions in the registry's own stream, which the reader counts like those of the log.
      ...{ after: asSequence(after), visit },
    });
    this.#feed.open();
  }

  /** There is something to visit. */
  nudge(): void {
    this.#feed?.nudge();
  }

  /** Visits nothing any more. */
  unfollow(): void {
    this.#feed?.close();
    this.#feed = null;
  }

  async close(): Promise<void> {
    this.unfollow();
    await this.#connection.close();
  }

  async #found(seq: number) {
    try {
      return await this.#manager.streams.getMessage(this.name, { seq });
    } catch (error) {
      if ((error as { api_error?: { code?: number } }).api_error?.code === NO_MESSAGE) return null;
      throw error;
    }
  }

  async #asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      throw unavailable(error);
    }
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'reconnect') this.#feed?.renew();
    }
  }
}

/** Name of the stream. */
export function registryStreamName(prefix: string): string {
  return `${prefix.toUpperCase()}_REGISTRY`;
}

/** What the stream says it is, while something is restored into it or not. */
export function registryDescription(restoreOf: string | undefined): string {
  return restoreOf === undefined ? REGISTRY_DESCRIPTION : `${UNFINISHED}${restoreOf}`;
}

/** What is being restored into a stream that says so; null for others. */
export function unfinishedRestore(description: string): string | null {
  return description.startsWith(UNFINISHED) ? description.slice(UNFINISHED.length) : null;
}

/** What the stream is made with. */
export function registryConfig({
  prefix,
  replicas,
  restoreOf,
}: Pick<RegistryStreamOptions, 'prefix' | 'replicas' | 'restoreOf'>) {
  return {
    name: registryStreamName(prefix),
    subjects: [`${prefix}.registry`],
    description: registryDescription(restoreOf),
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    duplicate_window: nanos(2 * MINUTE_MS),
    deny_purge: true,
  };
}

function checkStream({ config }: StreamInfo, { replicas, restoreOf }: RegistryStreamOptions): void {
  const { name: stream, description = '' } = config;
  const refuse = (fault: string) => errors.STREAM_MISMATCH({ stream, fault });
  const wanted = registryDescription(restoreOf);
  if (description !== wanted) {
    const restored = unfinishedRestore(description);
    if (restored !== null) throw errors.RESTORE_UNFINISHED({ stream, restored });
    throw refuse(`it says '${description}' where '${wanted}' is needed`);
  }
  if (config.storage !== StorageType.File) throw refuse('it is kept in memory');
  const isBounded =
    config.max_age !== 0 ||
    config.max_msgs > 0 ||
    config.max_bytes > 0 ||
    config.max_msgs_per_subject > 0 ||
    config.retention !== RetentionPolicy.Limits;
  if (isBounded) throw refuse('it forgets records');
  if (config.num_replicas !== replicas) {
    throw refuse(`it has ${config.num_replicas} replicas, the setting says ${replicas}`);
  }
}

/** No answer, or nobody there: the id and the expected sequence make a repeat harmless. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof NatsError)) return false;
  const { code } = error;
  if (code === ErrorCode.ConnectionClosed || code === ErrorCode.ConnectionDraining) return false;
  return apiCode(error) === 0 || error.api_error?.code === 503;
}

function unavailable(cause: unknown): unknown {
  if (!(cause instanceof NatsError)) return cause;
  const reason = cause.api_error?.description ?? cause.message;
  return errors.LOG_UNAVAILABLE({ reason }, cause);
}
