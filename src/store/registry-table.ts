/**
 * Tables of the registry's environment: values have checksums (`checked-values.ts`), and are JSON,
 * but for bytes.
 *
 * Control plane.
 */
import { join } from 'node:path';
import type { Database, RangeOptions, RootDatabase } from 'lmdb';
import { errors, OperatingError } from '../model/errors.ts';
import { checkValue, sealValue, valueWithin } from './checked-values.ts';
import { dataFileOf } from './environment-check.ts';
import { keyValueToBuffer } from './lmdb-keys.ts';

const REMEDY =
  'restore the directory registry from a backup, or start with an empty data directory';

/** Where the registry of a data directory is. */
export function registryPath(dataDir: string): string {
  return join(dataDir, 'registry');
}

/** The error for what is not as it was written. */
export function registryDamage(dataDir: string, fault: string, cause?: unknown) {
  const path = dataFileOf(registryPath(dataDir));
  return errors.STORE_DAMAGED({ path, fault, remedy: REMEDY }, cause);
}

/** The error for what LMDB or the disk refuses. */
export function registryRefusal(cause: unknown): OperatingError {
  // What LMDB adds to it are numbers of pages.
  const [reason] = String((cause as Error).message).split(': Attempting');
  return errors.STATE_WRITE_FAILED({ reason: `registry: ${reason}` }, cause);
}

type Key = string | number | (string | number)[];

/** Values of one table with checksums. */
export class CheckedTable<KeyOf extends Key> {
  readonly #database: Database<Buffer, KeyOf>;
  readonly #dataDir: string;

  constructor(environment: RootDatabase<Buffer, string>, name: string, dataDir: string) {
    this.#database = environment.openDB<Buffer, KeyOf>(name, { encoding: 'binary' });
    this.#dataDir = dataDir;
  }

  /** @throws STORE_DAMAGED, STATE_WRITE_FAILED once LMDB has given the environment up. */
  bytes(key: KeyOf): Buffer | undefined {
    const stored = this.#stored(key);
    return stored === undefined ? undefined : this.#checked(key, stored);
  }

  /** Entries of a range. @throws as `bytes`. */
  *bytesOf(options: RangeOptions): Iterable<{ key: KeyOf; bytes: Buffer }> {
    try {
      for (const { key, value } of this.#database.getRange(options)) {
        yield { key, bytes: this.#checked(key, value) };
      }
    } catch (cause) {
      // Also of a file that the disk let lmdb-js 3.5 open only by half.
      throw cause instanceof OperatingError ? cause : registryRefusal(cause);
    }
  }

  /** Keys that lie between two, the second excluded. @throws STATE_WRITE_FAILED as `bytes`. */
  keys(start: KeyOf, end: KeyOf): KeyOf[] {
    try {
      return [...this.#database.getKeys({ start, end })];
    } catch (cause) {
      throw registryRefusal(cause);
    }
  }

  /** Inside a write transaction. */
  putBytes(key: KeyOf, bytes: Uint8Array): void {
    this.#database.putSync(key, sealValue(keyValueToBuffer(key), bytes));
  }

  /** Inside a write transaction. */
  remove(key: KeyOf): void {
    this.#database.removeSync(key);
  }

  /** After a change whose last page could not be written LMDB answers nothing more (MDB_PANIC). */
  #stored(key: KeyOf): Buffer | undefined {
    try {
      return this.#database.get(key);
    } catch (cause) {
      throw registryRefusal(cause);
    }
  }

  #checked(key: KeyOf, stored: Buffer): Buffer {
    if (checkValue(keyValueToBuffer(key), stored) === 'good') return valueWithin(stored);
    throw registryDamage(this.#dataDir, `the record ${JSON.stringify(key)} is damaged`);
  }
}

/** Values of one table, as JSON. */
export class RegistryTable<Value, KeyOf extends Key> extends CheckedTable<KeyOf> {
  /** @throws STORE_DAMAGED. */
  get(key: KeyOf): Value | undefined {
    const bytes = this.bytes(key);
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString()) as Value);
  }

  /** Entries from a key on, in order. @throws STORE_DAMAGED. */
  from(start?: KeyOf): Iterable<{ key: KeyOf; value: Value }> {
    return this.range(start === undefined ? {} : { start });
  }

  /** Entries of a range. @throws STORE_DAMAGED. */
  *range(options: RangeOptions): Iterable<{ key: KeyOf; value: Value }> {
    for (const { key, bytes } of this.bytesOf(options)) {
      yield { key, value: JSON.parse(bytes.toString()) as Value };
    }
  }

  /** Inside a write transaction. */
  put(key: KeyOf, value: Value): void {
    this.putBytes(key, Buffer.from(JSON.stringify(value)));
  }
}
