/**
 * One LMDB environment with the state of one shard: a sorted map from key parts to bytes.
 *
 * Sole owner of write transactions is the shard's actor; any number of threads read snapshots.
 * A commit is on disk before anybody sees it: its pages are synced, then the page that names them. One
 * whose sync fails was never made, and the next writes all of its pages anew: the kernel drops what it
 * could not write, and says yes when it is asked again. What cannot be undone is a meta page of which
 * nobody knows whether it was written: LMDB refuses everything then, and the process has to end
 * (`lost`).
 *
 * Every value has a checksum (`checked-values.ts`), looked at whenever it is read. Whether the file as a
 * whole can be trusted is found out before it is opened (`environment-check.ts`).
 *
 * Measured (2 cores): eight 60 KB values a commit cost 0.45 ms CPU uncompressed, 4.9 ms with LMDB's
 * LZ4. Columns are narrowed before they come here, so compression is off.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase, type Transaction, type TransactionFlags } from 'lmdb';
import { makePrivateDirectory } from '../base/private-directory.ts';
import { syncDirectory } from '../base/sync-directory.ts';
import { errors, OperatingError } from '../model/errors.ts';
import { asDomainId, type DomainId } from '../model/ids.ts';
import { DAY_MS } from '../model/limits.ts';
import { checkValue, isOfKey, sealValue, valueWithin } from './checked-values.ts';
import { EnvironmentGate, throughGate } from './environment-gate.ts';
import { makeRoom } from './environment-room.ts';
import { keyValueToBuffer } from './lmdb-keys.ts';

const READERS_MAX = 256;

/** Parts of a key, compared part by part. */
export type StateKey = (string | number)[];

/**
 * lmdb's SYNCHRONOUS_COMMIT alone, without the overlapping sync that the environment is opened with.
 * Older versions made commits that were seen before they were synced; LMDB takes those back at the
 * open when the machine was started again since. Measured: a commit takes as long either way.
 */
const SYNCED_COMMIT = 0x2 as TransactionFlags;

/** Its types leave out that reads of bytes take a transaction as `get` does. */
type Database = RootDatabase<Buffer, StateKey> & {
  getBinary(key: StateKey, options: HeldMoment['options'] | undefined): Buffer | undefined;
  getBinaryFast(key: StateKey, options: HeldMoment['options'] | undefined): Buffer | undefined;
};

const DATE_LENGTH = 'yyyy-mm-dd'.length;

/** First parts of keys that go on with a domain, and of those that go on with a day after it. */
const OF_DOMAIN = new Set(['b', 'c', 'd', 'g', 'h', 'i', 'l', 's', 't', 'u', 'v', 'x']);
const OF_DAY = new Set(['b', 'c', 'h', 'l', 's', 't']);
/** Between its domain and its day a sum of an import has its dimension. */
const OF_SUM = 'i';

/** The site and the day (yyyy-mm-dd) that a key is about; '' where it is about none. */
export function placeOfKey(key: StateKey): { domainId: DomainId | ''; day: string } {
  const kind = String(key[0]);
  const domainId = OF_DOMAIN.has(kind) ? asDomainId(String(key[1])) : '';
  const day = kind === OF_SUM ? key[3] : key[2];
  const hasDay = kind === OF_SUM || OF_DAY.has(kind);
  const dayMs = hasDay ? Number(day) * DAY_MS : Number.NaN;
  const date = new Date(dayMs);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, DATE_LENGTH);
  return { domainId, day: text };
}

/**
 * One moment of an environment.
 *
 * What reads throws STATE_DAMAGED when a value is not what was written.
 */
export interface StateSnapshot {
  get(key: StateKey): Uint8Array | undefined;
  /** Keys and values in `[start, end)`, in order; without bounds everything. */
  range(start?: StateKey, end?: StateKey): Iterable<{ key: StateKey; value: Uint8Array }>;
  done(): void;
}

/** A moment that is held for reads which are not made in one go; until `done`. */
export class HeldMoment {
  /** As lmdb takes it with every read. */
  readonly options: { readonly transaction: Transaction };
  #isDone = false;

  constructor(transaction: Transaction) {
    this.options = { transaction };
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Lets go of it; what it kept from being overwritten is free again. */
  done(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.options.transaction.done();
  }
}

/** The state of one shard on disk. What reads throws STATE_DAMAGED when a value is not what was written. */
export class StateEnvironment {
  /** Its data file. */
  readonly path: string;
  readonly #database: Database;
  readonly #gate: EnvironmentGate;
  #moment = 0;
  #writtenBytes = 0;
  #lost: OperatingError | null = null;
  /** The moment that reads see; undefined: the newest, as of the last `refresh`. */
  #held: HeldMoment['options'] | undefined;

  /** @throws STATE_WRITE_FAILED when the disk does not let it be opened. */
  constructor(path: string) {
    this.path = join(path, 'data.mdb');
    this.#gate = new EnvironmentGate(path);
    try {
      makePrivateDirectory(path);
      const isNew = !existsSync(this.path);
      const options = { path, encoding: 'binary', maxReaders: READERS_MAX } as const;
      this.#database = throughGate(path, () => {
        makeRoom(path, READERS_MAX);
        return open<Buffer, StateKey>(options) as Database;
      });
      if (isNew) syncDirectory(path);
    } catch (cause) {
      throw errors.STATE_WRITE_FAILED({ reason: (cause as Error).message }, cause);
    }
  }

  /** Another number whenever reads may find something else than before. */
  get moment(): number {
    return this.#moment;
  }

  /** Bytes of all values that were put. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Why nothing can be read or written any more: STATE_SYNC_FAILED; null while it can. */
  get lost(): OperatingError | null {
    return this.#lost;
  }

  /**
   * Runs `change` in one write transaction: all of its puts and removes become visible, and are on disk
   * when this returns, or none.
   *
   * @throws what LMDB or the system refuses.
   */
  write(change: () => void): void {
    this.#moment++;
    try {
      this.#gate.through(() => this.#database.transactionSync(change, SYNCED_COMMIT));
    } catch (cause) {
      this.#lost ??= this.#lossBy(cause);
      throw cause;
    }
  }

  /** Inside `write` only. The bytes are copied at once. */
  put(key: StateKey, value: Uint8Array): void {
    this.#writtenBytes += value.length;
    this.#database.putSync(key, sealValue(keyValueToBuffer(key), value));
  }

  /** Inside `write` only. */
  remove(key: StateKey): void {
    this.#database.removeSync(key);
  }

  /** A copy of the value, or undefined. */
  get(key: StateKey): Uint8Array | undefined {
    return this.#ifGood(
      key,
      this.#read(key, () => this.#database.getBinary(key, this.#held)),
    );
  }

  /** The value without a copy: valid only until the next read. */
  view(key: StateKey): Uint8Array | undefined {
    return this.#ifGood(
      key,
      this.#read(key, () => this.#database.getBinaryFast(key, this.#held)),
    );
  }

  /** The same of a value whose reader looks at checksums within it: only that it is the key's. */
  viewUnchecked(key: StateKey): Uint8Array | undefined {
    const stored = this.#read(key, () => this.#database.getBinaryFast(key, this.#held));
    if (stored === undefined) return undefined;
    if (!isOfKey(keyValueToBuffer(key), stored)) throw this.damage(key, 'is another one');
    return valueWithin(stored);
  }

  /** Whether there is a value, whatever is in it. */
  has(key: StateKey): boolean {
    return this.#database.doesExist(key);
  }

  /** Keys and values in `[start, end)`, in order. */
  range(start: StateKey, end: StateKey): Iterable<{ key: StateKey; value: Uint8Array }> {
    return this.#goodOnes(this.#database.getRange({ ...this.#held, start, end }), start);
  }

  /** Keys in `[start, end)`, in order, all read at once: values are not looked at. */
  keys(start: StateKey, end: StateKey): readonly StateKey[] {
    return [...this.#database.getKeys({ ...this.#held, start, end })];
  }

  /** A reader of this moment that stays as it is while others write, until `done`. */
  snapshot(): StateSnapshot {
    this.#database.resetReadTxn();
    const transaction = this.#database.useReadTransaction();
    const database = this.#database;
    return {
      get: (key) =>
        this.#ifGood(
          key,
          this.#read(key, () => database.get(key, { transaction })),
        ),
      range: (start, end) => {
        const bounds = start === undefined || end === undefined ? {} : { start, end };
        return this.#goodOnes(database.getRange({ transaction, ...bounds }), start ?? []);
      },
      done: () => transaction.done(),
    };
  }

  /** Holds what was committed before this call, for `within`. */
  hold(): HeldMoment {
    this.#database.resetReadTxn();
    return new HeldMoment(this.#database.useReadTransaction());
  }

  /** Reads that `read` makes see a moment that is held. */
  within<Found>({ options }: HeldMoment, read: () => Found): Found {
    this.#moment++;
    this.#held = options;
    try {
      return read();
    } finally {
      this.#held = undefined;
      this.#moment++;
    }
  }

  /** Later reads see what was committed before this call; reads until the next call are one snapshot. */
  refresh(): void {
    this.#moment++;
    this.#database.resetReadTxn();
  }

  async close(): Promise<void> {
    await this.#gate.through(() => this.#database.close());
    this.#gate.close();
  }

  /** The error for a value that is missing or not what was written. */
  damage(key: StateKey, fault: string, cause?: unknown): OperatingError {
    const what = `the value of ${JSON.stringify(key)} ${fault}`;
    return errors.STATE_DAMAGED({ ...placeOfKey(key), path: this.path, fault: what }, cause);
  }

  /** What a refused commit has left: an environment that LMDB gave up (MDB_PANIC) lets nobody read. */
  #lossBy(cause: unknown): OperatingError | null {
    try {
      this.#database.resetReadTxn();
      this.#database.doesExist(['p']);
      return null;
    } catch {
      const { message } = cause as Error;
      return errors.STATE_SYNC_FAILED({ file: this.path, reason: message }, cause);
    }
  }

  #read(key: StateKey, read: () => Buffer | undefined): Buffer | undefined {
    try {
      return read();
    } catch (cause) {
      // It is not what is stored that is wrong.
      if (this.#lost !== null) throw this.#lost;
      throw this.damage(key, `cannot be read (${(cause as Error).message})`, cause);
    }
  }

  #ifGood(key: StateKey, stored: Buffer | undefined): Uint8Array | undefined {
    return stored === undefined ? undefined : this.#good(key, stored);
  }

  #good(key: StateKey, stored: Buffer): Uint8Array {
    if (checkValue(keyValueToBuffer(key), stored) === 'good') return valueWithin(stored);
    throw this.damage(key, 'does not match its checksum');
  }

  *#goodOnes(
    entries: Iterable<{ key: StateKey; value: Buffer }>,
    start: StateKey,
  ): Iterable<{ key: StateKey; value: Uint8Array }> {
    try {
      for (const { key, value } of entries) yield { key, value: this.#good(key, value) };
    } catch (cause) {
      if (cause instanceof OperatingError) throw cause;
      throw this.damage(
        start,
        `and what follows cannot be read (${(cause as Error).message})`,
        cause,
      );
    }
  }
}
