/**
 * Objects within records that most records have alike, kept once: the scopes of clients, filters and
 * metadata that nobody has set.
 *
 * Control plane. A registry is read from JSON, which makes an object of each that stands there. Records
 * are replaced, never changed, so nobody can tell that two of them share one.
 */
import { type AnyRecord, type Resource, storedFields } from '../descriptor/resource.ts';

/** Objects of a field that others are compared with: most fields have one or two in all records. */
const KEPT_COUNT = 4;

/** A field of records whose values are objects. */
interface ObjectField {
  readonly name: string;
  /** Its objects have the same members in one order; others are shared only where they are empty. */
  readonly isFixed: boolean;
  /** Those that were met, the latest first. */
  readonly kept: unknown[];
}

/** One registry's. */
export class SharedValues {
  readonly #fields: ReadonlyMap<string, readonly ObjectField[]>;

  constructor(resources: readonly Resource[]) {
    this.#fields = new Map(
      resources.map((resource) => [
        resource.table,
        storedFields(resource)
          .filter(([, { schema }]) => schema['type'] === 'object')
          .map(([name, { schema }]) => {
            const isFixed = schema['properties'] !== undefined;
            return { name, isFixed, kept: isFixed ? [] : [{}] };
          }),
      ]),
    );
  }

  /** Puts what is there already in the place of what is like it. @param record that nobody else has. */
  share(table: string, record: AnyRecord): void {
    const fields = this.#fields.get(table);
    if (fields === undefined) return;
    for (const field of fields) {
      const value = record[field.name];
      const shared = sharedOf(value, field);
      if (shared !== value) (record as Record<string, unknown>)[field.name] = shared;
    }
  }
}

function sharedOf(value: unknown, { isFixed, kept }: ObjectField): unknown {
  for (const one of kept) if (isSame(one, value)) return one;
  if (!isFixed) return value;
  kept.unshift(value);
  if (kept.length > KEPT_COUNT) kept.pop();
  return value;
}

/**
 * Whether two values of JSON are alike; lists with something in them count as different.
 *
 * @cost nothing is allocated: it is asked of every record when a thread starts.
 */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && left.length + right.length === 0;
  }
  let more = 0;
  for (const name in left) {
    if (!isSame(left[name], right[name])) return false;
    more++;
  }
  for (const _ in right) more--;
  return more === 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
