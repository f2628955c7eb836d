/**
 * Where snapshots of shards are kept: an object store for their parts, a document for what belongs
 * together.
 *
 * Control plane. Objects are named by their content, so a part that has not changed is stored once.
 */

import type { NatsConnection, ObjectStore } from 'nats';
import { errors } from '../model/errors.ts';
import { NatsDocuments } from './nats-document.ts';

/** The snapshots of an installation. */
export class NatsSnapshots {
  readonly #objects: ObjectStore;
  readonly #documents: NatsDocuments;

  private constructor(objects: ObjectStore, documents: NatsDocuments) {
    this.#objects = objects;
    this.#documents = documents;
  }

  /** Opens the object store and the documents, and makes them when there are none. */
  static async open(
    connection: NatsConnection,
    options: { prefix: string; replicas: number },
  ): Promise<NatsSnapshots> {
    const { prefix, replicas } = options;
    const objects = await connection.jetstream().views.os(`${prefix}_state`, { replicas });
    const name = `${prefix}_snapshots`;
    return new NatsSnapshots(objects, await NatsDocuments.open(connection, { name, replicas }));
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
    await this.#objects.putBlob({ name }, bytes);
  }

  /** @throws SNAPSHOT_DAMAGED when it is not there. */
  async getObject(name: string): Promise<Uint8Array> {
    const bytes = await this.#objects.getBlob(name);
    if (bytes === null) throw errors.SNAPSHOT_DAMAGED({ name, fault: 'it is missing' });
    return bytes;
  }

  async deleteObject(name: string): Promise<void> {
    await this.#objects.delete(name);
  }
}
