/**
 * The streams of an installation that a backup is restored into: claimed while nothing is there, and
 * nobody's until the end.
 *
 * Control plane. Nodes and commands look at the registry's stream before anything else. So its
 * description marks an unfinished restore, and with its change there is an installation:
 *
 *     check ─▶ claim: registry, "unfinished" ─▶ hits, positions, snapshots, records ─▶ finish
 */

import type { JetStreamManager, NatsConnection } from 'nats';
import { errors } from '../../model/errors.ts';
import type { Sequence } from '../../model/ids.ts';
import { type NatsAccess, openNats } from './connection.ts';
import {
  REGISTRY_DESCRIPTION,
  registryConfig,
  registryDescription,
  registryStreamName,
  unfinishedRestore,
} from './registry.ts';
import {
  findStream,
  type HitStreamOptions,
  hitStreamName,
  jetStreamError,
  makeStream,
  onceElected,
  openHitStream,
} from './streams.ts';

/** A connection to where an installation is to be. */
export class RestoreTarget {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #prefix: string;

  private constructor(connection: NatsConnection, manager: JetStreamManager, prefix: string) {
    this.#connection = connection;
    this.#manager = manager;
    this.#prefix = prefix;
  }

  /** @throws NATS_UNREACHABLE, NATS_REFUSED, NATS_CREDENTIALS_UNREADABLE, JETSTREAM_UNAVAILABLE. */
  static async open(access: NatsAccess, prefix: string): Promise<RestoreTarget> {
    const connection = await openNats(access, 'footfall restore');
    try {
      const manager = await onceElected(() => connection.jetstreamManager());
      return new RestoreTarget(connection, manager, prefix);
    } catch (cause) {
      await connection.close();
      throw jetStreamError(registryStreamName(prefix), cause);
    }
  }

  /** @throws RESTORE_REFUSED when there is something, and it is not a restore that was broken off. */
  async check(): Promise<void> {
    const prefix = this.#prefix;
    const registry = registryStreamName(prefix);
    const described = (await this.#find(registry))?.config.description ?? '';
    if (unfinishedRestore(described) !== null) return;
    const buckets = [`KV_${prefix}_leases`, `KV_${prefix}_snapshots`, `OBJ_${prefix}_state`];
    for (const name of [registry, hitStreamName(prefix), ...buckets]) {
      if ((await this.#find(name)) === null) continue;
      const reason = `there is the stream ${name}; take servers that have none of Footfall, or another FOOTFALL_NATS_PREFIX`;
      throw errors.RESTORE_REFUSED({ reason });
    }
  }

  /**
   * Nobody else may use it until `finish`; what was claimed for the same backup is gone on with.
   *
   * @throws RESTORE_UNFINISHED when it is claimed for another one, RESTORE_REFUSED when it is used.
   */
  async claim(backup: string, replicas: number): Promise<void> {
    await this.check();
    const config = registryConfig({ prefix: this.#prefix, replicas, restoreOf: backup });
    const { description = '' } = (await onceElected(() => makeStream(this.#manager, config)))
      .config;
    if (description === registryDescription(backup)) return;
    const restored = unfinishedRestore(description);
    if (restored !== null) throw errors.RESTORE_UNFINISHED({ stream: config.name, restored });
    throw errors.RESTORE_REFUSED({ reason: `a node has made the stream ${config.name} meanwhile` });
  }

  /**
   * Makes the stream of hits, without any: the next one has a sequence behind all that were counted.
   *
   * @returns when it was made. @throws RESTORE_REFUSED when the servers cannot do so.
   */
  async beginBehind(last: Sequence, options: HitStreamOptions): Promise<string> {
    const name = hitStreamName(this.#prefix);
    const { info } = await openHitStream(this.#connection, options);
    if (info.state.last_seq < last) {
      // What would be taken out of an empty stream moves its beginning.
      await onceElected(() => this.#manager.streams.purge(name, { seq: last + 1 }));
    }
    const { state, created } = await onceElected(() => this.#manager.streams.info(name));
    if (state.last_seq === last && state.messages === 0) return created;
    const reason = `the stream ${name} has ${state.messages} messages and ends at ${state.last_seq}, not at ${last}`;
    throw errors.RESTORE_REFUSED({ reason });
  }

  /** From now on there is an installation. */
  async finish(): Promise<void> {
    const name = registryStreamName(this.#prefix);
    await onceElected(() =>
      this.#manager.streams.update(name, { description: REGISTRY_DESCRIPTION }),
    );
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  #find(name: string) {
    return onceElected(() => findStream(this.#manager, name));
  }
}
