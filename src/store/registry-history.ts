/**
 * Which changes of the registry were about what: an index into its records by domain, organization, ….
 *
 * Control plane. An entry names a change of a record and has what the entity was before, so that a page
 * of a history is read without looking at any other record. It is written in the transaction of the
 * record. What it is about is said by whoever knows the records (`control/registry/history.ts`).
 *
 *     [place, sequence, change] → what stood there before
 *
 * Records without entries, of an earlier build, get theirs when the registry is next opened: all of
 * them are read once.
 */
import type { RootDatabase } from 'lmdb';
import { RegistryTable } from './registry-table.ts';

/** What a change does to one entity; null removes it. */
interface EntityWrite {
  readonly table: string;
  readonly id: string;
  readonly value: unknown;
}

/** What the records mean. Both are pure: every node writes the same entries. */
export interface RecordMeaning {
  /** What a change does. */
  effectOf(change: unknown): EntityWrite;
  /** Whose histories an entity is part of. @param value as it stands in the registry; null: nothing. */
  placesOf(table: string, value: unknown): readonly string[];
  /** Whether a change is part of a history at all: what goes its course by itself is not. */
  isTold(table: string, before: unknown, value: unknown): boolean;
}

/** A change of a record, as a history has it. */
export interface HistoryEntry {
  readonly sequence: number;
  /** Of the change within the record. */
  readonly index: number;
  /** The entity before the change, null where there was none. */
  readonly before: unknown;
}

/** A part of a history. */
export interface HistoryPage {
  readonly offset: number;
  readonly limit: number;
}

type EntryKey = [place: string, sequence: number, index: number];

/** The index of one environment. */
export class RegistryHistory {
  readonly #entries: RegistryTable<unknown, EntryKey>;
  readonly #meaning: RecordMeaning;

  constructor(environment: RootDatabase<Buffer, string>, dataDir: string, meaning: RecordMeaning) {
    this.#entries = new RegistryTable(environment, 'history', dataDir);
    this.#meaning = meaning;
  }

  /** Inside the transaction of a record: notes one of its changes. @param before of the entity. */
  note(at: Omit<HistoryEntry, 'before'>, before: unknown, { table, value }: EntityWrite): void {
    const { placesOf, isTold } = this.#meaning;
    if (!isTold(table, before, value)) return;
    const places = new Set([...placesOf(table, before), ...placesOf(table, value)]);
    for (const place of places) this.#entries.put([place, at.sequence, at.index], before);
  }

  /**
   * Inside a transaction: notes the changes of records that have no entries.
   *
   * @param records all there are, oldest first.
   * @param noted up to this sequence they have entries.
   */
  noteAll(
    records: Iterable<{ key: number; value: { readonly changes: readonly unknown[] } }>,
    noted: number,
  ): void {
    const entities = new Map<string, unknown>();
    for (const { key: sequence, value: record } of records) {
      for (const [index, change] of record.changes.entries()) {
        const write = this.#meaning.effectOf(change);
        const name = `${write.table} ${write.id}`;
        const before = entities.get(name) ?? null;
        if (sequence > noted) this.note({ sequence, index }, before, write);
        entities.set(name, write.value);
      }
    }
  }

  /** The newest changes of a history first. */
  read(place: string, { offset, limit }: HistoryPage): HistoryEntry[] {
    const start: EntryKey = [place, Number.MAX_SAFE_INTEGER, 0];
    const end: EntryKey = [place, 0, 0];
    const found = this.#entries.range({ start, end, reverse: true, offset, limit });
    return [...found].map(({ key: [, sequence, index], value }) => ({
      ...{ sequence, index },
      before: value,
    }));
  }
}
