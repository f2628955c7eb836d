/**
 * A table of an LMDB environment whose values are checked whenever they are read.
 *
 * Control plane. Every value has checksums (`checked-values.ts`).
 */
import type { Database, RootDatabase } from 'lmdb';
import { checkValue, sealValue, valueWithin } from './checked-values.ts';
import { keyValueToBuffer } from './lmdb-keys.ts';

/** What a value is found by. */
export type Key = string | number | (string | number)[];

/** Values of one table with checksums. */
export class CheckedTable<KeyOf extends Key> {
  readonly #database: Database<Buffer, KeyOf>;
  readonly #damage: (fault: string) => Error;

  /** @param damage makes the error of a value that is not what was written. */
  constructor(
    environment: RootDatabase<Buffer, string>,
    name: string,
    damage: (fault: string) => Error,
  ) {
    this.#database = environment.openDB<Buffer, KeyOf>(name, { encoding: 'binary' });
    this.#damage = damage;
  }

  /** @throws STORE_DAMAGED. */
  bytes(key: KeyOf): Buffer | undefined {
    const stored = this.#database.get(key);
    return stored === undefined ? undefined : this.#checked(key, stored);
  }

  /** Entries from a key on, in order. @throws STORE_DAMAGED. */
  *bytesFrom(start?: KeyOf): Iterable<{ key: KeyOf; bytes: Buffer }> {
    const range = this.#database.getRange(start === undefined ? {} : { start });
    for (const { key, value } of range) yield { key, bytes: this.#checked(key, value) };
  }

  /** Keys that lie between two, the second excluded. */
  keys(start: KeyOf, end: KeyOf): KeyOf[] {
    return [...this.#database.getKeys({ start, end })];
  }

  /** Inside a write transaction. */
  putBytes(key: KeyOf, bytes: Uint8Array): void {
    this.#database.putSync(key, sealValue(keyValueToBuffer(key), bytes));
  }

  /** Inside a write transaction. */
  remove(key: KeyOf): void {
    this.#database.removeSync(key);
  }

  #checked(key: KeyOf, stored: Buffer): Buffer {
    if (checkValue(keyValueToBuffer(key), stored) !== 'good') {
      throw this.#damage(`the record ${JSON.stringify(key)} is damaged`);
    }
    return valueWithin(stored);
  }
}

/** Values of one table, as JSON. */
export class Table<Value, KeyOf extends Key> extends CheckedTable<KeyOf> {
  get(key: KeyOf): Value | undefined {
    const bytes = this.bytes(key);
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString()) as Value);
  }

  *from(start?: KeyOf): Iterable<{ key: KeyOf; value: Value }> {
    for (const { key, bytes } of this.bytesFrom(start)) {
      yield { key, value: JSON.parse(bytes.toString()) as Value };
    }
  }

  put(key: KeyOf, value: Value): void {
    this.putBytes(key, Buffer.from(JSON.stringify(value)));
  }
}
