/**
 * Small documents that all nodes share: a key-value bucket on JetStream, changed by compare-and-set.
 *
 * Control plane. Reads go to the stream's leader, not to a copy that may be behind.
 */

import { type JetStreamManager, type KV, type NatsConnection, StorageType } from 'nats';
import { errors } from '../../model/errors.ts';
import { apiCode } from './streams.ts';

const WRONG_LAST_SEQUENCE = 10_071;
const NO_MESSAGE = 404;
/** How long an answer is waited for unless told. */
const ANSWER_MS = 5_000;

/** What a bucket is, beside its name. */
export interface BucketOptions {
  readonly replicas: number;
  /** How long a read or a write waits for its answer. */
  readonly timeoutMs?: number;
  /** Given: it lies in the memory of the servers alone, and what nobody wrote for so long is forgotten. */
  readonly forgetMs?: number;
}

/** The documents of one bucket. */
export class NatsDocuments {
  readonly #manager: JetStreamManager;
  readonly #bucket: KV;
  readonly #name: string;

  private constructor(manager: JetStreamManager, bucket: KV, name: string) {
    this.#manager = manager;
    this.#bucket = bucket;
    this.#name = name;
  }

  /** Opens a bucket, and makes it when there is none. */
  static async open(
    connection: NatsConnection,
    options: BucketOptions & { readonly name: string },
  ): Promise<NatsDocuments> {
    const { name, replicas, forgetMs, timeoutMs: timeout = ANSWER_MS } = options;
    const views = connection.jetstream({ timeout }).views;
    const inMemory = { storage: StorageType.Memory, ttl: forgetMs ?? 0 };
    const place = forgetMs === undefined ? {} : inMemory;
    const bucket = await views.kv(name, { history: 1, replicas, ...place });
    return new NatsDocuments(await connection.jetstreamManager({ timeout }), bucket, name);
  }

  /** A document and its revision, null when there is none. */
  async read<Document>(key: string): Promise<{ value: Document; revision: number } | null> {
    try {
      const stored = await this.#manager.streams.getMessage(`KV_${this.#name}`, {
        last_by_subj: `$KV.${this.#name}.${key}`,
      });
      return { value: stored.json<Document>(), revision: stored.seq };
    } catch (error) {
      if ((error as { api_error?: { code: number } }).api_error?.code === NO_MESSAGE) return null;
      throw unavailable(error);
    }
  }

  /**
   * Writes a document if it still has the revision that is given; 0 is for one that is new.
   *
   * @returns its new revision, null when somebody else was first.
   */
  async write(key: string, value: unknown, revision: number): Promise<number | null> {
    try {
      const bytes = JSON.stringify(value);
      const previousSeq = revision;
      return await this.#bucket.put(key, bytes, { previousSeq });
    } catch (error) {
      if (apiCode(error) === WRONG_LAST_SEQUENCE) return null;
      throw unavailable(error);
    }
  }
}

function unavailable(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return errors.LOG_UNAVAILABLE({ reason }, cause);
}
