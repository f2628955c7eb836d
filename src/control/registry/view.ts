/**
 * The registry in memory: a table for each resource, and the keys of the installation.
 *
 * Control plane. Holds no rules: `apply` does as told.
 */
import { assert } from '../../base/assert.ts';
import type { EntityPart } from '../../store/registry-store.ts';
import type { AnyRecord, Base, Look, Policy, Resource, Rows } from '../descriptor/resource.ts';
import { RESOURCES } from '../resources/resources.ts';
import { SharedValues } from './shared-values.ts';
import { Table } from './table.ts';

/** Keys made once for the whole installation; hexadecimal. */
export interface Secrets {
  readonly id: 'secrets';
  /** Keys the visitor ids; it never changes, or visitors would be counted twice. */
  readonly visitorKey: string;
  /** Signs access tokens. */
  readonly tokenKey: string;
}

/** Where the keys of the installation stand on disk, beside the tables of the resources. */
export const SECRETS_TABLE = 'secrets';

/** What a change does to one record; null removes it. */
export interface EntityChange {
  readonly table: string;
  readonly id: string;
  readonly value: unknown;
  /** Instead of the value: bytes that belong to it and stay on disk. */
  readonly part?: EntityPart;
}

/** What stands in the registry at one sequence. */
export class RegistryView implements Look {
  readonly #tables = new Map(RESOURCES.map((resource) => [resource.table, new Table(resource)]));
  readonly #tableByName = new Map(
    RESOURCES.map(({ name, table }) => [name, this.#tables.get(table)]),
  );
  readonly #shared = new SharedValues(RESOURCES);
  #secrets: Secrets | null = null;
  /** What no setting says is not allowed. */
  policy: Policy = { allowsPrivateTargets: false };

  get secrets(): Secrets | null {
    return this.#secrets;
  }

  /** How many there are. */
  count(resource: Resource): number {
    return this.#table(resource).size;
  }

  /** Another number with every change of one of them. */
  revision(resource: Resource): number {
    return this.#table(resource).revision;
  }

  all<Rec extends Base>(resource: Resource<Rec>): Iterable<Rec> {
    return this.#table(resource).all() as Iterable<Base> as Iterable<Rec>;
  }

  find<Rec extends Base>(resource: Resource<Rec>, id: string): Rec | null {
    return this.#table(resource).find(id) as Base as Rec | null;
  }

  has(name: string, id: string): boolean {
    return (this.#tableByName.get(name)?.find(id) ?? null) !== null;
  }

  named(name: string): Rows {
    const known = this.#tableByName.get(name);
    assert(known !== undefined, `the resource ${name} is listed`);
    return known;
  }

  by<Rec extends Base>(resource: Resource<Rec>, field: keyof Rec & string, key: string) {
    return this.#table(resource).by(field, key) as Base as Rec | null;
  }

  of<Rec extends Base>(resource: Resource<Rec>, field: keyof Rec & string, id: string) {
    return this.#table(resource).of(field, id) as readonly Base[] as readonly Rec[];
  }

  countOf<Rec extends Base>(resource: Resource<Rec>, field: keyof Rec & string, id: string) {
    return this.#table(resource).countOf(field, id);
  }

  /** As `apply`, for what was read from a store. */
  adopt(change: EntityChange): void {
    if (typeof change.value === 'object' && change.value !== null) {
      this.#shared.share(change.table, change.value as AnyRecord);
    }
    this.apply(change);
  }

  /**
   * Puts or removes one record.
   *
   * @returns the change that undoes it.
   */
  apply(change: EntityChange): EntityChange {
    const { table, id, value, part } = change;
    if (part !== undefined) return change;
    if (table === SECRETS_TABLE) {
      const before = this.#secrets;
      this.#secrets = value as Secrets | null;
      return { table, id, value: before };
    }
    const known = this.#tables.get(table);
    assert(known !== undefined, `the table ${table} is known`);
    return { table, id, value: known.set(id, value as AnyRecord | null) };
  }

  #table({ table }: Resource): Table {
    const known = this.#tables.get(table);
    assert(known !== undefined, `the resource ${table} is listed`);
    return known;
  }
}
