/**
 * An object store on JetStream, in the layout that all NATS clients share.
 *
 * Control plane. The client's own reads and writes hash in JavaScript, at some 15 MB a second of a
 * core; a node that takes over shards has better things to do. Layout: an object's bytes are messages
 * of one subject, and what belongs to them is a document that replaces the one before.
 *
 *     $O.<bucket>.C.<id>                 chunks, in order
 *     $O.<bucket>.M.<name in base64url>  { name, nuid: id, size, chunks, digest, sequences, … }
 *
 * `sequences`, of the chunks, are not part of that layout: objects are deleted message by message,
 * because a purge is not safe (see `forgetting.ts`).
 */

import { createHash } from 'node:crypto';
import {
  headers,
  type JetStreamClient,
  type JetStreamManager,
  JsHeaders,
  type MsgRequest,
  type NatsConnection,
  nuid,
  type StoredMsg,
} from 'nats';
import { errors } from '../../../model/errors.ts';
import { deleteMessages, sequencesOf } from './forgetting.ts';

/** Bytes of a chunk: within the least `max_payload` that servers are run with. */
const CHUNK_BYTES = 512 * 1_024;
/** Chunks of an object that wait for their acknowledgement at once. */
const CHUNKS_AT_ONCE = 4;
const NO_MESSAGE = 404;

interface ObjectInfo {
  nuid: string;
  size: number;
  chunks: number;
  digest: string;
  deleted?: boolean;
  /** Absent where another client, or an earlier version, stored it. */
  sequences?: readonly number[];
}

/** A document, and the message that it is. */
interface Found {
  info: ObjectInfo;
  sequence: number;
}

/** The objects of one bucket. */
export class NatsObjects {
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  readonly #bucket: string;

  private constructor(connection: NatsConnection, manager: JetStreamManager, bucket: string) {
    this.#manager = manager;
    this.#client = connection.jetstream();
    this.#bucket = bucket;
  }

  /** Opens a bucket, and makes it when there is none. */
  static async open(
    connection: NatsConnection,
    { name, replicas }: { name: string; replicas: number },
  ): Promise<NatsObjects> {
    await connection.jetstream().views.os(name, { replicas });
    return new NatsObjects(connection, await connection.jetstreamManager(), name);
  }

  /** Stores an object; one of the same name is replaced. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    const before = await this.#find(name);
    const id = nuid.next();
    const subject = this.#chunks(id);
    const sequences: number[] = [];
    const chunks = Math.ceil(bytes.length / CHUNK_BYTES);
    for (let first = 0; first < chunks; first += CHUNKS_AT_ONCE) {
      const some = Array.from({ length: Math.min(CHUNKS_AT_ONCE, chunks - first) }, (_, at) => {
        const start = (first + at) * CHUNK_BYTES;
        return this.#client.publish(subject, bytes.subarray(start, start + CHUNK_BYTES));
      });
      for (const { seq } of await Promise.all(some)) sequences.push(seq);
    }
    const digest = digestOf(bytes);
    await this.#describe(name, { nuid: id, size: bytes.length, chunks, digest, sequences });
    if (before !== null) await this.#deleteChunks(before.info);
  }

  /** @returns null when there is none. @throws SNAPSHOT_DAMAGED when it is not what was stored. */
  async get(name: string): Promise<Uint8Array | null> {
    const info = (await this.#find(name))?.info;
    if (info === undefined || info.deleted === true) return null;
    const bytes = info.chunks === 0 ? new Uint8Array(0) : await this.#read(info);
    if (digestOf(bytes) !== info.digest) {
      const fault = `its digest is not ${info.digest}; restore ${this.#stream()} from a backup`;
      throw errors.SNAPSHOT_DAMAGED({ name, fault });
    }
    return bytes;
  }

  async delete(name: string): Promise<void> {
    const found = await this.#find(name);
    if (found === null) return;
    await this.#deleteChunks(found.info);
    // Nobody lists deleted objects here: the document goes as well, unless it was replaced meanwhile.
    await deleteMessages(this.#manager, this.#stream(), [found.sequence]);
  }

  #stream(): string {
    return `OBJ_${this.#bucket}`;
  }

  #chunks(id: string): string {
    return `$O.${this.#bucket}.C.${id}`;
  }

  #document(name: string): string {
    const text = Buffer.from(name).toString('base64');
    return `$O.${this.#bucket}.M.${text.replaceAll('+', '-').replaceAll('/', '_')}`;
  }

  async #find(name: string): Promise<Found | null> {
    const message = await this.#message({ last_by_subj: this.#document(name) });
    return message === null ? null : { info: message.json<ObjectInfo>(), sequence: message.seq };
  }

  async #message(query: MsgRequest): Promise<StoredMsg | null> {
    try {
      return await this.#manager.streams.getMessage(this.#stream(), query);
    } catch (error) {
      const isNone = (error as { api_error?: { code?: number } }).api_error?.code === NO_MESSAGE;
      if (isNone) return null;
      throw error;
    }
  }

  async #describe(name: string, info: ObjectInfo): Promise<void> {
    const head = headers();
    head.set(JsHeaders.RollupHdr, JsHeaders.RollupValueSubject);
    const options = { max_chunk_size: CHUNK_BYTES };
    const text = JSON.stringify({ name, bucket: this.#bucket, options, ...info });
    await this.#client.publish(this.#document(name), text, { headers: head });
  }

  async #deleteChunks({ nuid: id, chunks, sequences }: ObjectInfo): Promise<void> {
    const stream = this.#stream();
    const all = { stream, subject: this.#chunks(id), sequence: Number.MAX_SAFE_INTEGER };
    const found = sequences ?? (await sequencesOf(this.#manager, all, { from: 1, most: chunks }));
    await deleteMessages(this.#manager, stream, found);
  }

  /** From the leader, whose copy is what was acknowledged (see `nats/leader-feed.ts`). */
  async #read({ nuid: id, chunks }: ObjectInfo): Promise<Uint8Array> {
    const found: Uint8Array[] = [];
    for (let sequence = 0; found.length < chunks; ) {
      const query = { seq: sequence + 1, next_by_subj: this.#chunks(id) };
      const message = await this.#message(query);
      // What is missing shows in the digest.
      if (message === null) break;
      found.push(message.data);
      sequence = message.seq;
    }
    return Buffer.concat(found);
  }
}

function digestOf(bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest('base64');
  return `SHA-256=${digest.replaceAll('+', '-').replaceAll('/', '_')}`;
}
