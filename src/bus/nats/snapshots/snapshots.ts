/**
 * Where snapshots of shards are kept: an object store for their parts, a document for what belongs
 * together; and the stream that may be forgotten behind them.
 *
 * Control plane, with a connection of its own. Objects are named by their content, so a part that has
 * not changed is stored once.
 */

import type { JetStreamManager, NatsConnection } from 'nats';
import { errors, OperatingError } from '../../../model/errors.ts';
import { openNats } from '../connection.ts';
import { NatsDocuments } from '../document.ts';
import type { NatsLogOptions } from '../log.ts';
import { forgetRecords, hitStreamName, hitSubject, onceElected } from '../streams.ts';
import { ReplicatedForgetting } from './forgetting.ts';
import { NatsObjects } from './objects.ts';

/** The snapshots of an installation. */
export class NatsSnapshots {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #objects: NatsObjects;
  readonly #documents: NatsDocuments;
  readonly #prefix: string;
  /** null: the stream has one copy. */
  readonly #forgetting: ReplicatedForgetting | null;

  private constructor(parts: {
    connection: NatsConnection;
    manager: JetStreamManager;
    objects: NatsObjects;
    documents: NatsDocuments;
    prefix: string;
    replicas: number;
  }) {
    this.#connection = parts.connection;
    this.#manager = parts.manager;
    this.#objects = parts.objects;
    this.#documents = parts.documents;
    this.#prefix = parts.prefix;
    this.#forgetting = parts.replicas > 1 ? new ReplicatedForgetting(parts.manager) : null;
  }

  /**
   * Connects; opens the object store and the documents, and makes them when there are none.
   *
   * @throws NATS_UNREACHABLE, NATS_REFUSED, JETSTREAM_UNAVAILABLE.
   */
  static async open(options: NatsLogOptions): Promise<NatsSnapshots> {
    const { prefix, replicas } = options;
    const connection = await openNats(options.access, `${options.name} snapshots`);
    try {
      return await onceElected(async () => {
        const manager = await connection.jetstreamManager();
        const objects = await NatsObjects.open(connection, { name: `${prefix}_state`, replicas });
        const name = `${prefix}_snapshots`;
        const documents = await NatsDocuments.open(connection, { name, replicas });
        return new NatsSnapshots({ connection, manager, objects, documents, prefix, replicas });
      });
    } catch (cause) {
      await connection.close();
      const reason = (cause as Error).message;
      throw errors.JETSTREAM_UNAVAILABLE({ stream: `${prefix}_state`, reason }, cause);
    }
  }

  /** Name of the stream whose records the snapshots hold. */
  get stream(): string {
    return hitStreamName(this.#prefix);
  }

  /** What a shard's newest snapshot is made of, null when there is none. */
  readManifest<Manifest>(shard: number): Promise<{ value: Manifest; revision: number } | null> {
    return this.#documents.read(`shard.${shard}`);
  }

  /** @returns false when somebody else was first. */
  async writeManifest(shard: number, manifest: unknown, revision: number): Promise<boolean> {
    return (await this.#documents.write(`shard.${shard}`, manifest, revision)) !== null;
  }

  async putObject(name: string, bytes: Uint8Array): Promise<void> {
    await reached(() => this.#objects.put(name, bytes));
  }

  /** @throws SNAPSHOT_DAMAGED when it is not there. */
  async getObject(name: string): Promise<Uint8Array> {
    const bytes = await reached(() => this.#objects.get(name));
    if (bytes !== null) return bytes;
    const fault = `it is missing; restore the object store OBJ_${this.#prefix}_state from a backup`;
    throw errors.SNAPSHOT_DAMAGED({ name, fault });
  }

  async deleteObject(name: string): Promise<void> {
    await reached(() => this.#objects.delete(name));
  }

  /** Sequence of the last message that the stream of hits has had. */
  async lastSequence(): Promise<number> {
    return (await reached(() => this.#manager.streams.info(this.stream))).state.last_seq;
  }

  /** Forgets a shard's hits up to a sequence; in a replicated stream it goes on behind this call. */
  async forgetRecords(shard: number, sequence: number): Promise<void> {
    const { stream } = this;
    await reached(async () => {
      if (this.#forgetting === null) {
        await forgetRecords(this.#manager, { prefix: this.#prefix, shard, sequence });
      } else {
        this.#forgetting.forget({ stream, subject: hitSubject(this.#prefix, shard), sequence });
      }
    });
  }

  async close(): Promise<void> {
    this.#forgetting?.close();
    await this.#connection.close();
  }
}

/** @throws LOG_UNAVAILABLE for whatever the client throws. */
async function reached<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof OperatingError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw errors.LOG_UNAVAILABLE({ reason }, cause);
  }
}
