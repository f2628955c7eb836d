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
 *
 * Bytes of files stand beside the entities, in parts: they are read one by one when somebody asks for
 * them, never at the start, and records are kept without them.
 */
import { existsSync } from 'node:fs';
import { ABORT, open, type RootDatabase } from 'lmdb';
import { makePrivateDirectory } from '../base/private-directory.ts';
import { syncDirectory } from '../base/sync-directory.ts';
import { errors, type OperatingError } from '../model/errors.ts';
import { checkEnvironment, dataFileOf, isMade } from './environment-check.ts';
import { EnvironmentGate, throughGate } from './environment-gate.ts';
import { makeRoom } from './environment-room.ts';
import {
  type HistoryEntry,
  type HistoryPage,
  type RecordMeaning,
  RegistryHistory,
} from './registry-history.ts';
import {
  CheckedTable,
  RegistryTable,
  registryDamage,
  registryPath,
  registryRefusal,
} from './registry-table.ts';
import { retriedTransaction } from './retried-transaction.ts';

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

/** What a record does to one entity; null removes it, and its parts with it. */
export interface EntityWrite {
  readonly table: string;
  readonly id: string;
  readonly value: unknown;
  /** Instead of the value: bytes of the entity that are on disk only (`part`). */
  readonly part?: EntityPart;
}

/** A piece of the bytes that belong to an entity. */
export interface EntityPart {
  readonly index: number;
  /** Null: they are not at hand any more. */
  readonly bytes: Uint8Array | null;
}

const META = 'meta';
const PARTS = 'parts';
const SEQUENCE = 'sequence';
const STREAM = 'stream';
/** Up to which sequence the history has entries. */
const NOTED = 'noted';
/** Reader slots of the environment: threads and processes that may look at once. */
const READER_COUNT_MAX = 512;

/** Whether an entry says which stream the records are of. */
export function isStreamBinding(tree: string, key: unknown): boolean {
  return tree === META && key === STREAM;
}

/**
 * Looks at a registry before it is opened: LMDB trusts its file, and makes one where none is.
 *
 * @param isExpected whether the data directory must have one.
 * @throws STORE_DAMAGED, DATA_DIR_UNUSABLE.
 */
export function checkRegistry(dataDir: string, isExpected: boolean): void {
  const path = registryPath(dataDir);
  if (!isMade(path)) {
    if (isExpected) throw registryDamage(dataDir, 'it is missing, though there are hits');
    return;
  }
  // Parts are looked at when they are read: the start does not take longer for them.
  const isRead = (tree: string) => tree !== PARTS;
  const { fault, damagedKeys } = read(dataDir, () => checkEnvironment(path, isRead));
  if (fault !== '') throw registryDamage(dataDir, fault);
  if (damagedKeys.length > 0) throw registryDamage(dataDir, 'records do not match their checksums');
}

/** Secrets are hashed, but the keys of tokens and visitors are in it in the clear. */
function makeRegistryDirectory(dataDir: string): void {
  try {
    makePrivateDirectory(registryPath(dataDir));
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

function openEnvironment(dataDir: string): RootDatabase<Buffer, string> {
  const path = registryPath(dataDir);
  try {
    const isNew = !existsSync(dataFileOf(path));
    makeRoom(path, READER_COUNT_MAX);
    const environment = open<Buffer, string>({
      path,
      encoding: 'binary',
      overlappingSync: false,
      maxReaders: READER_COUNT_MAX,
    });
    if (isNew) syncDirectory(path);
    return environment;
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

/** The environment with its tables; those that are not there are made. */
function openTables(dataDir: string, meaning: RecordMeaning | null) {
  const environment = openEnvironment(dataDir);
  try {
    return {
      environment,
      records: new RegistryTable<StoredRecord, number>(environment, 'records', dataDir),
      entities: new RegistryTable<unknown, string[]>(environment, 'entities', dataDir),
      parts: new CheckedTable<(string | number)[]>(environment, PARTS, dataDir),
      meta: new RegistryTable<unknown, string>(environment, META, dataDir),
      history: meaning && new RegistryHistory(environment, dataDir, meaning),
    };
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

/** @throws DATA_DIR_UNUSABLE when the disk does not give what is there. */
function read<Found>(dataDir: string, look: () => Found): Found {
  try {
    return look();
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

function unusable(dataDir: string, cause: unknown): OperatingError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return errors.DATA_DIR_UNUSABLE({ dataDir, reason: `registry: ${reason}` }, cause);
}

/** The environment at `<data directory>/registry`. */
export class RegistryStore {
  readonly #gate: EnvironmentGate;
  readonly #environment: RootDatabase<Buffer, string>;
  readonly #records: RegistryTable<StoredRecord, number>;
  readonly #entities: RegistryTable<unknown, string[]>;
  readonly #parts: CheckedTable<(string | number)[]>;
  readonly #meta: RegistryTable<unknown, string>;
  readonly #history: RegistryHistory | null;

  /**
   * @param meaning null: what is written gets its place in the history when somebody else opens it.
   * @throws DATA_DIR_UNUSABLE when it cannot be made or read, STATE_WRITE_FAILED.
   */
  constructor(dataDir: string, meaning: RecordMeaning | null) {
    this.#gate = new EnvironmentGate(registryPath(dataDir));
    makeRegistryDirectory(dataDir);
    const opened = throughGate(registryPath(dataDir), () => openTables(dataDir, meaning));
    this.#environment = opened.environment;
    this.#records = opened.records;
    this.#entities = opened.entities;
    this.#parts = opened.parts;
    this.#meta = opened.meta;
    this.#history = opened.history;
    // A command that was killed leaves its reader slot behind.
    this.#environment.readerCheck();
    if (this.#history !== null && this.#noted() < this.sequence()) this.#noteAll(this.#history);
  }

  /** That of a directory which has its registry alone. @throws DATA_DIR_LAYOUT: other nodes have it. */
  static openOwn(dataDir: string, meaning: RecordMeaning | null): RegistryStore {
    const store = new RegistryStore(dataDir, meaning);
    const stream = store.stream();
    if (stream === '') return store;
    void store.close();
    const fault = `its accounts and sites are in the stream ${stream}; set FOOTFALL_NATS_SERVERS`;
    throw errors.DATA_DIR_LAYOUT({ dataDir, fault });
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

  /** The newest changes of a history first, each with its record (M-8). */
  history(place: string, page: HistoryPage): (HistoryEntry & { record: StoredRecord })[] {
    return (this.#history?.read(place, page) ?? []).flatMap((entry) => {
      const record = this.record(entry.sequence);
      return record === null ? [] : [{ ...entry, record }];
    });
  }

  /** The stream that the records belong to, '' when they belong to this directory alone. */
  stream(): string {
    return (this.#meta.get(STREAM) as string | undefined) ?? '';
  }

  /** From now on the records are those of a stream. */
  bindStream(stream: string): void {
    this.#transaction(() => {
      this.#meta.put(STREAM, stream);
      return true;
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

  /** Whether a table has any. */
  hasEntity(table: string): boolean {
    const [first] = this.#entities.range({ start: [table], limit: 1 });
    return first?.key[0] === table;
  }

  /** A part of an entity, null when there is none. @throws STORE_DAMAGED. */
  part(table: string, id: string, index: number): Uint8Array | null {
    return this.#parts.bytes([table, id, index]) ?? null;
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
    return this.#transaction(() => {
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
    let isWhole = true;
    this.#transaction(() => {
      const news: PlacedRecord[] = [];
      let last = this.sequence();
      for (const record of records) {
        if (record.sequence <= last) continue;
        isWhole = record.after === last;
        if (!isWhole) return false;
        last = record.sequence;
        news.push(record);
      }
      for (const record of news) this.#write(record);
      return news.length > 0;
    });
    return isWhole;
  }

  /**
   * Where nothing is written the transaction is aborted: after a commit without pages LMDB of
   * lmdb-js keeps its list of free pages, and when another process commits just once behind it, it
   * takes the list for new and writes over pages of that process.
   *
   * @param change tells whether it has written anything.
   * @throws STATE_WRITE_FAILED when the disk refuses: nothing of the change is there.
   */
  #transaction(change: () => boolean): boolean {
    const decided = () => (change() ? true : ABORT);
    try {
      const run = () => this.#environment.transactionSync(decided);
      return retriedTransaction(() => this.#gate.through(run)) === true;
    } catch (cause) {
      // LMDB's errors have its number or the system's; what a change itself throws has none.
      if (typeof (cause as { code?: unknown }).code !== 'number') throw cause;
      throw registryRefusal(cause);
    }
  }

  #write({ sequence, after, record, entities }: PlacedRecord): void {
    this.#records.put(sequence, record);
    for (const [index, write] of entities.entries()) {
      const before = this.#entities.get([write.table, write.id]) ?? null;
      this.#history?.note({ sequence, index }, before, write);
      this.#writeEntity(write);
    }
    this.#meta.put(SEQUENCE, sequence);
    // An earlier build may have appended some without entries: they are still to be noted.
    if (this.#history !== null && this.#noted() === after) this.#meta.put(NOTED, sequence);
  }

  #noted(): number {
    return (this.#meta.get(NOTED) as number | undefined) ?? 0;
  }

  /** Another process may have done it meanwhile. */
  #noteAll(history: RegistryHistory): void {
    this.#transaction(() => {
      const sequence = this.sequence();
      if (this.#noted() >= sequence) return false;
      history.noteAll(this.#records.from(), this.#noted());
      this.#meta.put(NOTED, sequence);
      return true;
    });
  }

  #writeEntity({ table, id, value, part }: EntityWrite): void {
    if (part !== undefined) {
      if (part.bytes !== null) this.#parts.putBytes([table, id, part.index], part.bytes);
    } else if (value === null) {
      this.#entities.remove([table, id]);
      for (const key of this.#parts.keys([table, id, 0], [table, id, Infinity])) {
        this.#parts.remove(key);
      }
    } else this.#entities.put([table, id], value);
  }

  /** Nothing may be read or written afterwards. */
  async close(): Promise<void> {
    await this.#gate.through(() => this.#environment.close());
    this.#gate.close();
  }
}
