/**
 * The registry on disk: an LMDB environment with the records, in order, and what they add up to.
 *
 * Control plane. Used by several processes at once (the service and commands beside it): a record
 * is appended, and its entities are written, in one write transaction that first checks the
 * expected sequence. A reader sees others' changes only after `refresh`.
 *
 * Commits are synced before `append` returns. LMDB's overlapping sync is off: a registry changes
 * rarely, and the plain two-page commit needs no second step after a crash.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { errors } from '../model/errors.ts';

/** One record: changes that count together or not at all. */
export interface StoredRecord {
  /** Random; records that were never appended to a stream have none. */
  readonly id?: string;
  readonly atMs: number;
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

function openEnvironment(dataDir: string): RootDatabase<unknown, string> {
  const path = join(dataDir, 'registry');
  try {
    // Secrets are hashed, but the keys of tokens and visitors are here in the clear.
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return open<unknown, string>({
      path,
      encoding: 'json',
      overlappingSync: false,
      maxReaders: READER_COUNT_MAX,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason }, cause);
  }
}

/** The environment at `<data directory>/registry`. */
export class RegistryStore {
  readonly #environment: RootDatabase<unknown, string>;
  readonly #records: Database<StoredRecord, number>;
  readonly #entities: Database<unknown, string[]>;
  readonly #meta: Database<unknown, string>;

  /** @throws DATA_DIR_UNUSABLE when it cannot be made or read. */
  constructor(dataDir: string) {
    this.#environment = openEnvironment(dataDir);
    this.#records = this.#environment.openDB('records', { encoding: 'json' });
    this.#entities = this.#environment.openDB('entities', { encoding: 'json' });
    this.#meta = this.#environment.openDB('meta', { encoding: 'json' });
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
    for (const { key, value } of this.#records.getRange({ start: sequence + 1 })) {
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
    this.#environment.transactionSync(() => this.#meta.putSync(STREAM, stream));
  }

  /** Every entity there is. */
  entities(): EntityWrite[] {
    const entities: EntityWrite[] = [];
    for (const { key, value } of this.#entities.getRange()) {
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
    this.#records.putSync(sequence, record);
    for (const { table, id, value } of entities) {
      if (value === null) this.#entities.removeSync([table, id]);
      else this.#entities.putSync([table, id], value);
    }
    this.#meta.putSync(SEQUENCE, sequence);
  }

  /** Nothing may be read or written afterwards. */
  async close(): Promise<void> {
    await this.#environment.close();
  }
}
