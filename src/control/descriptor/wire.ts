/**
 * From a record to the object that answers show, and the schema of that object.
 */
import { isoTime } from '../../base/iso-time.ts';
import { exactly, type ObjectOf, type Schema, string, timestamp } from '../../base/schema.ts';
import {
  type AnyRecord,
  type Base,
  isStored,
  type Resource,
  type Shown,
  type Viewing,
  wireName,
} from './resource.ts';

/** The contract's object, every field present. @param viewing for whom. */
export function toWire<Rec extends Base>(
  resource: Resource<Rec>,
  record: Rec,
  viewing: Viewing,
): Record<string, unknown> {
  const wire: Record<string, unknown> = { ...blankOf(resource) };
  const known = record as Base as AnyRecord;
  const { def_time, mod_time } = timesOf(record);
  wire['id'] = record.id;
  wire['def_time'] = def_time;
  wire['mod_time'] = mod_time;
  for (const { name, plain, value, of } of shownParts(resource)) {
    wire[name] = plain === null ? of(value(known, viewing), known, viewing) : known[plain];
  }
  if (viewing.isVisitor === true) emptyPrivate(resource, wire);
  return wire;
}

const blanks = new WeakMap<Resource, Readonly<Record<string, unknown>>>();

/**
 * Every name of the object. Copied, it keeps its shape: names that are put into an object one by one
 * make a hash table of it, which is slower to fill and to read.
 */
function blankOf(resource: Resource): Readonly<Record<string, unknown>> {
  const known = blanks.get(resource);
  if (known !== undefined) return known;
  const names = ['id', 'def_time', 'mod_time', ...shownParts(resource).map(({ name }) => name)];
  // The reader of JSON makes objects with a shape, however many names they have.
  const blank = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
  blanks.set(resource, blank);
  return blank;
}

/** M-16. */
function emptyPrivate(resource: Resource, wire: Record<string, unknown>): void {
  const { publicNames } = resource;
  if (publicNames === undefined) return;
  for (const { name, schema, isOptional } of shownParts(resource)) {
    if (!publicNames.includes(name)) wire[name] = isOptional ? undefined : emptyOf(schema);
  }
}

/** What stands in the place of what is not shown: null, false, 0, or nothing of its kind (M-16). */
function emptyOf({ type }: Schema): unknown {
  if (Array.isArray(type)) return null;
  switch (type) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 0;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return '';
  }
}

/** What `toWire` makes. @param more shown beside the fields: secrets, when a record is made. */
export function wireSchema(
  resource: Resource,
  more: Readonly<Record<string, Schema>> = {},
): ObjectOf {
  const parts = shownParts(resource);
  const members = parts.map(({ name, schema }) => [name, schema] as const);
  const schema = exactly({ id: string, ...TIMES, ...Object.fromEntries(members), ...more });
  const optional = new Set(parts.filter((part) => part.isOptional).map(({ name }) => name));
  return { ...schema, required: schema.required.filter((name) => !optional.has(name)) };
}

/** When something was made and last changed, as every record of the contract says it. */
export function timesOf(made: { readonly createdMs: number; readonly modifiedMs: number }) {
  const def_time = isoTime(made.createdMs);
  const isUnchanged = made.modifiedMs === made.createdMs;
  return { def_time, mod_time: isUnchanged ? def_time : isoTime(made.modifiedMs) };
}

/** The schema of `timesOf`. */
export const TIMES = { def_time: timestamp, mod_time: timestamp } as const;

/** The secrets that are shown when a record is made. */
export function revealedSchema(resource: Resource): Record<string, Schema> {
  const names = Object.entries(resource.fields)
    .filter(([, field]) => isStored(field) && field.isSecret === true)
    .map(([name, field]) => wireName(name, field));
  return Object.fromEntries(names.map((name) => [name, string]));
}

/** A shown name, and where its value is taken from. */
type Part = Shown & {
  value(record: AnyRecord, viewing: Viewing): unknown;
  /** The field that is shown as it stands, which most are; null: another way. */
  readonly plain: string | null;
};

const asIs = (value: unknown): unknown => value;

const partsOf = new WeakMap<Resource, readonly Part[]>();

/** The same list each time: an answer may show ten thousand records. */
function shownParts(resource: Resource): readonly Part[] {
  const known = partsOf.get(resource);
  if (known !== undefined) return known;
  const parts = makeParts(resource);
  partsOf.set(resource, parts);
  return parts;
}

function makeParts(resource: Resource): Part[] {
  return Object.entries(resource.fields).flatMap(([name, field]): Part[] => {
    const wire = wireName(name, field);
    if (!isStored(field)) {
      return [
        {
          ...{ name: wire, schema: field.computed, of: asIs, plain: null },
          ...(field.isOptional === true ? { isOptional: true } : {}),
          value: (record, viewing) => field.of(record, viewing),
        },
      ];
    }
    const value = (record: AnyRecord) => record[name];
    if (field.shown === undefined) {
      return [{ name: wire, schema: field.schema, of: asIs, value, plain: name }];
    }
    return field.shown.map((part) => ({ ...part, value, plain: null }));
  });
}
