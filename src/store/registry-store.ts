/**
 * The registry on disk: an LMDB environment with the records, in order, and what they add up to.
 *
 * Control plane. Used by several processes at once (the service and commands beside it): a record
 * is appended, and its entities are written, in one write transaction that first checks the
 * expected sequence. A reader sees others' changes only after `refresh`.
 *
 * Commits are synced before `append` returns. LMDB's overlapping sync is off: a registry changes
 * rarely, and the plain two-page commit needs no second step after a crash. Values are JSON with
 * checksums (`checked-values.ts`).
 */
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { makePrivateDirectory } from '../base/private-directory.ts';
import { errors } from '../model/errors.ts';
import { checkValue, sealValue, valueWithin } from './checked-values.ts';
import { checkEnvironment, dataFileOf, isMade } from './environment-check.ts';
import { keyValueToBuffer } from './lmdb-keys.ts';

/** Who made a change (M-5): a client, a signed-in user, the command line, the program itself. */
export interface Author {
  readonly kind: 'client' | 'user' | 'cli' | 'node';
  /** Of the client or the user; '' for the others. */
  readonly id: string;
}

/** One record: changes that count together or not at all. */
export interface StoredRecord {
  /** Random; records that were never appended to a stream have none. */
  readonly id?: string;
  readonly atMs: number;
  /** Absent: it was appended by a version that did not write it down. */
  readonly by?: Author;
  readonly changes: readonly unknown[];
}

/** A record in its place, with what it does to the entities. */
export interface PlacedRecord {
  readonly sequence: number;
  /** Sequence of the record before it: the one below, unless messages were taken out of a stream. */
  readonly after: number;
  readonly record: StoredRecord;
  readonly entities: readonly EntityWrite[];
}

/** What a record does to one entity; null removes it. */
export interface EntityWrite {
  readonly table: string;
  readonly id: string;
  readonly value: unknown;
}

const SEQUENCE = 'sequence';
const STREAM = 'stream';
/** Reader slots of the environment: threads and processes that may look at once. */
const READER_COUNT_MAX = 512;

const REMEDY =
  'restore the directory registry from a backup, or start with an empty data directory';

/** Where the registry of a data directory is. */
export function registryPath(dataDir: string): string {
  return join(dataDir, 'registry');
}

/**
 * Looks at a registry before it is opened: LMDB trusts its file, and makes one where none is.
 *
 * @param isExpected whether the data directory must have one.
 * @throws STORE_DAMAGED.
 */
export function checkRegistry(dataDir: string, isExpected: boolean): void {
  const path = registryPath(dataDir);
  if (!isMade(path)) {
    if (isExpected) throw registryDamage(dataDir, 'it is missing, though there are hits');
    return;
  }
  const { fault, damagedKeys } = checkEnvironment(path, true);
  if (fault !== '') throw registryDamage(dataDir, fault);
  if (damagedKeys.length > 0) throw registryDamage(dataDir, 'records do not match their checksums');
}

function registryDamage(dataDir: string, fault: string, cause?: unknown) {
  const path = dataFileOf(registryPath(dataDir));
  return errors.STORE_DAMAGED({ path, fault, remedy: REMEDY }, cause);
}

function openEnvironment(dataDir: string): RootDatabase<Buffer, string> {
  const path = registryPath(dataDir);
  try {
    // Secrets are hashed, but the keys of tokens and visitors are here in the clear.
    makePrivateDirectory(path);
    return open<Buffer, string>({
      path,
      encoding: 'binary',
      overlappingSync: false,
      maxReaders: READER_COUNT_MAX,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason }, cause);
  }
}

type Key = string | number | string[];

/** Values of one table, as JSON with checksums. */
class Table<Value, KeyOf extends Key> {
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
  *from(start?: KeyOf): Iterable<{ key: KeyOf; value: Value }> {
    const range = this.#database.getRange(start === undefined ? {} : { start });
    for (const { key, value } of range) yield { key, value: this.#open(key, value) };
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

/** The environment at `<data directory>/registry`. */
export class RegistryStore {
  readonly #environment: RootDatabase<Buffer, string>;
  readonly #records: Table<StoredRecord, number>;
  readonly #entities: Table<unknown, string[]>;
  readonly #meta: Table<unknown, string>;

  /** @throws DATA_DIR_UNUSABLE when it cannot be made or read. */
  constructor(dataDir: string) {
    this.#environment = openEnvironment(dataDir);
    this.#records = new Table(this.#environment, 'records', dataDir);
    this.#entities = new Table(this.#environment, 'entities', dataDir);
    this.#meta = new Table(this.#environment, 'meta', dataDir);
    // A command that was killed leaves its reader slot behind.
    this.#environment.readerCheck();
  }

  /** Later reads see what every process has committed before this call. */
  refresh(): void {
    this.#environment.resetReadTxn();
  }

  /** The last record's sequence, 0 when there is none. */
  sequence(): number {
    return (this.#meta.get(SEQUENCE) as number | undefined) ?? 0;
  }

  /** Records after `sequence`, oldest first. */
  recordsAfter(sequence: number): { sequence: number; record: StoredRecord }[] {
    const records: { sequence: number; record: StoredRecord }[] = [];
    for (const { key, value } of this.#records.from(sequence + 1)) {
      records.push({ sequence: key, record: value });
    }
    return records;
  }

  /** The record at a sequence, null when there is none. */
  record(sequence: number): StoredRecord | null {
    return this.#records.get(sequence) ?? null;
  }

  /** The stream that the records belong to, '' when they belong to this directory alone. */
  stream(): string {
    return (this.#meta.get(STREAM) as string | undefined) ?? '';
  }

  /** From now on the records are those of a stream. */
  bindStream(stream: string): void {
    this.#environment.transactionSync(() => {
      this.#meta.put(STREAM, stream);
    });
  }

  /** Every entity there is. */
  entities(): EntityWrite[] {
    const entities: EntityWrite[] = [];
    for (const { key, value } of this.#entities.from()) {
      const [table = '', id = ''] = key;
      entities.push({ table, id, value });
    }
    return entities;
  }

  /**
   * Appends a record behind `expectedSequence` and writes its entities, synced to disk.
   *
   * @returns false, and nothing is written, when somebody else was first.
   */
  append(
    expectedSequence: number,
    record: StoredRecord,
    entities: readonly EntityWrite[],
  ): boolean {
    return this.#environment.transactionSync(() => {
      if (this.sequence() !== expectedSequence) return false;
      const sequence = expectedSequence + 1;
      this.#write({ sequence, after: expectedSequence, record, entities });
      return true;
    });
  }

  /**
   * Writes records that were appended elsewhere, in one transaction; those that are here already
   * are passed over, so that several processes may do this at once.
   *
   * @returns false, and nothing is written, when a record between them and the last one is missing.
   */
  adopt(records: readonly PlacedRecord[]): boolean {
    return this.#environment.transactionSync(() => {
      const news: PlacedRecord[] = [];
      let last = this.sequence();
      for (const record of records) {
        if (record.sequence <= last) continue;
        if (record.after !== last) return false;
        last = record.sequence;
        news.push(record);
      }
      for (const record of news) this.#write(record);
      return true;
    });
  }

  #write({ sequence, record, entities }: PlacedRecord): void {
    this.#records.put(sequence, record);
    for (const { table, id, value } of entities) {
      if (value === null) this.#entities.remove([table, id]);
      else this.#entities.put([table, id], value);
    }
    this.#meta.put(SEQUENCE, sequence);
  }

  /** Nothing may be read or written afterwards. */
  async close(): Promise<void> {
    await this.#environment.close();
  }
}
