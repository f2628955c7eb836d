/**
 * The records of one resource in memory: by id, by their unique fields, by what they refer to and by
 * the other fields that they are listed by.
 *
 * Control plane; edges read it per request, so every lookup is one or two Map hits. Which indexes
 * there are follows from the descriptor.
 */
import { type AnyRecord, type Field, type Resource, storedFields } from '../descriptor/resource.ts';

const NOTHING: readonly AnyRecord[] = [];

/** Holds no rules: `set` does as told, and keeps the indexes in step with the records. */
export class Table {
  readonly #byId = new Map<string, AnyRecord>();
  readonly #unique: readonly UniqueIndex[];
  readonly #references: ReadonlyMap<string, ReferenceIndex>;
  #revision = 0;

  constructor(resource: Resource) {
    const fields = storedFields(resource);
    this.#unique = fields
      .filter(([, field]) => field.unique !== undefined)
      .map(([name, field]) => ({ name, field, byKey: new Map() }));
    this.#references = new Map(
      fields
        .filter(([, field]) => field.refersTo !== undefined || field.isIndexed === true)
        .map(([name]) => [name, new ReferenceIndex(name)]),
    );
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Another one with every change: for what is made of all records. */
  get revision(): number {
    return this.#revision;
  }

  all(): Iterable<AnyRecord> {
    return this.#byId.values();
  }

  find(id: string): AnyRecord | null {
    return this.#byId.get(id) ?? null;
  }

  by(field: string, key: string): AnyRecord | null {
    for (const index of this.#unique) {
      if (index.name === field) return index.byKey.get(key) ?? null;
    }
    return null;
  }

  /** Oldest first; the same array until one of them changes. */
  of(field: string, id: string): readonly AnyRecord[] {
    return this.#references.get(field)?.of(id) ?? NOTHING;
  }

  /** How many those are; costs nothing, however many. */
  countOf(field: string, id: string): number {
    return this.#references.get(field)?.countOf(id) ?? 0;
  }

  /** Puts a record, or removes it. @returns what stood there before. */
  set(id: string, record: AnyRecord | null): AnyRecord | null {
    const before = this.#byId.get(id) ?? null;
    this.#revision++;
    if (record === null) this.#byId.delete(id);
    else this.#byId.set(id, record);
    for (const { name, field, byKey } of this.#unique) {
      const [old, next] = [keyOf(name, field, before), keyOf(name, field, record)];
      if (old !== null) byKey.delete(old);
      if (next !== null && record !== null) byKey.set(next, record);
    }
    for (const index of this.#references.values()) index.replace(before, record);
    return before;
  }
}

interface UniqueIndex {
  readonly name: string;
  readonly field: Field;
  readonly byKey: Map<string, AnyRecord>;
}

function keyOf(name: string, field: Field, record: AnyRecord | null): string | null {
  return record === null ? null : (field.unique?.key(record[name], record) ?? null);
}

/** Records by what one of their fields refers to. */
class ReferenceIndex {
  readonly #field: string;
  readonly #groups = new Map<string, Map<string, AnyRecord>>();
  /** Put in order when first asked for, dropped when one of them changes. */
  readonly #sorted = new Map<string, readonly AnyRecord[]>();

  constructor(field: string) {
    this.#field = field;
  }

  countOf(id: string): number {
    return this.#groups.get(id)?.size ?? 0;
  }

  of(id: string): readonly AnyRecord[] {
    const known = this.#sorted.get(id);
    if (known !== undefined) return known;
    const group = this.#groups.get(id);
    if (group === undefined) return NOTHING;
    const sorted = [...group.values()].sort(byAge);
    this.#sorted.set(id, sorted);
    return sorted;
  }

  replace(before: AnyRecord | null, after: AnyRecord | null): void {
    const [old, next] = [before?.[this.#field], after?.[this.#field]];
    if (before !== null && typeof old === 'string') {
      const group = this.#groups.get(old);
      group?.delete(before.id);
      if (group?.size === 0) this.#groups.delete(old);
      this.#sorted.delete(old);
    }
    if (after !== null && typeof next === 'string') {
      const group = this.#groups.get(next) ?? new Map<string, AnyRecord>();
      this.#groups.set(next, group.set(after.id, after));
      this.#sorted.delete(next);
    }
  }
}

/** The id decides between records of the same millisecond, so that every node has one order. */
function byAge(left: AnyRecord, right: AnyRecord): number {
  return left.createdMs - right.createdMs || (left.id < right.id ? -1 : 1);
}
