/**
 * The records of one resource in memory: by id, by their unique fields, by what they refer to and by
 * the other fields that they are listed by.
 *
 * Control plane; edges read it per request, so every lookup is one or two Map hits. Which indexes
 * there are follows from the descriptor.
 */
import { assert } from '../../base/assert.ts';
import { type AnyRecord, type Field, type Resource, storedFields } from '../descriptor/resource.ts';

const NOTHING: readonly AnyRecord[] = [];
/** Up to that many, a list is made anew for one more: one that is pushed to, or spread, has room for sixteen. */
const FEW = 16;

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

  /** Oldest first; the same array until one of them changes, and another one then. */
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
      const old = keyOf(name, field, before);
      const next = keyOf(name, field, record);
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

/**
 * Records that refer to the same one: most often one or two, so a list, and no Map.
 *
 * A list that was handed out is never changed; another one takes its place.
 */
interface Group {
  /** What they refer to. */
  readonly id: string;
  records: AnyRecord[];
  isSorted: boolean;
  isHandedOut: boolean;
}

/** Records by what one of their fields refers to. */
class ReferenceIndex {
  readonly #field: string;
  readonly #groups = new Map<string, Group>();

  constructor(field: string) {
    this.#field = field;
  }

  countOf(id: string): number {
    return this.#groups.get(id)?.records.length ?? 0;
  }

  of(id: string): readonly AnyRecord[] {
    const group = this.#groups.get(id);
    if (group === undefined) return NOTHING;
    sort(group);
    group.isHandedOut = true;
    return group.records;
  }

  replace(before: AnyRecord | null, after: AnyRecord | null): void {
    const old = before === null ? null : before[this.#field];
    const next = after === null ? null : after[this.#field];
    if (before !== null && after !== null && old === next) this.#change(next, before, after);
    else {
      if (before !== null) this.#remove(old, before);
      if (after !== null) this.#add(next, after);
    }
  }

  /** The order is that of what never changes: the new one stands where the old one did. */
  #change(id: unknown, before: AnyRecord, after: AnyRecord): void {
    const group = typeof id === 'string' ? this.#groups.get(id) : undefined;
    if (group === undefined) return;
    own(group)[placeOf(group, before)] = after;
  }

  #add(id: unknown, record: AnyRecord): void {
    if (typeof id !== 'string') return;
    const group = this.#groups.get(id);
    if (group === undefined) {
      this.#groups.set(id, { id, records: [record], isSorted: true, isHandedOut: false });
      return;
    }
    // One text for all of them: each was read with one of its own.
    (record as Record<string, unknown>)[this.#field] = group.id;
    const last = group.records.at(-1);
    group.isSorted &&= last !== undefined && byAge(last, record) < 0;
    if (group.records.length >= FEW) own(group).push(record);
    else {
      group.records = group.records.concat([record]);
      group.isHandedOut = false;
    }
  }

  #remove(id: unknown, record: AnyRecord): void {
    const group = typeof id === 'string' ? this.#groups.get(id) : undefined;
    if (group === undefined) return;
    if (group.records.length === 1) this.#groups.delete(String(id));
    else own(group).splice(placeOf(group, record), 1);
  }
}

/** The list of a group, to be changed. */
function own(group: Group): AnyRecord[] {
  if (!group.isHandedOut) return group.records;
  group.records = [...group.records];
  group.isHandedOut = false;
  return group.records;
}

/** A registry is read by id, so the lists of its beginning are put in order when somebody asks. */
function sort(group: Group): void {
  if (group.isSorted) return;
  own(group).sort(byAge);
  group.isSorted = true;
}

/** Found by identity: some microseconds for an owner with ten thousand. */
function placeOf({ records }: Group, record: AnyRecord): number {
  const place = records.indexOf(record);
  assert(place !== -1, 'a group has every record that refers to it');
  return place;
}

/** The id decides between records of the same millisecond, so that every node has one order. */
function byAge(left: AnyRecord, right: AnyRecord): number {
  return left.createdMs - right.createdMs || (left.id < right.id ? -1 : 1);
}
