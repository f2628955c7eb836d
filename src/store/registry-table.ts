/**
 * Tables of the registry's environment: values are JSON with checksums (`checked-values.ts`).
 *
 * Control plane.
 */
import { join } from 'node:path';
import type { Database, RangeOptions, RootDatabase } from 'lmdb';
import { errors } from '../model/errors.ts';
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

type Key = string | number | (string | number)[];

/** Values of one table, as JSON with checksums. */
export class RegistryTable<Value, KeyOf extends Key> {
  readonly #database: Database<Buffer, KeyOf>;
  readonly #dataDir: string;

  constructor(environment: RootDatabase<Buffer, string>, name: string, dataDir: string) {
    this.#database = environment.openDB<Buffer, KeyOf>(name, { encoding: 'binary' });
    this.#dataDir = dataDir;
  }

  /** @throws STORE_DAMAGED. */
  get(key: KeyOf): Value | undefined {
    const stored = this.#database.get(key);
    return stored === undefined ? undefined : this.#open(key, stored);
  }

  /** Entries from a key on, in order. @throws STORE_DAMAGED. */
  from(start?: KeyOf): Iterable<{ key: KeyOf; value: Value }> {
    return this.range(start === undefined ? {} : { start });
  }

  /** Entries of a range. @throws STORE_DAMAGED. */
  *range(options: RangeOptions): Iterable<{ key: KeyOf; value: Value }> {
    for (const { key, value } of this.#database.getRange(options)) {
      yield { key, value: this.#open(key, value) };
    }
  }

  /** Inside a write transaction. */
  put(key: KeyOf, value: Value): void {
    const bytes = Buffer.from(JSON.stringify(value));
    this.#database.putSync(key, sealValue(keyValueToBuffer(key), bytes));
  }

  /** Inside a write transaction. */
  remove(key: KeyOf): void {
    this.#database.removeSync(key);
  }

  #open(key: KeyOf, stored: Buffer): Value {
    if (checkValue(keyValueToBuffer(key), stored) !== 'good') {
      throw registryDamage(this.#dataDir, `the record ${JSON.stringify(key)} is damaged`);
    }
    return JSON.parse(valueWithin(stored).toString()) as Value;
  }
}
