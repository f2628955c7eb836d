/**
 * What a managed record is: one descriptor of fields, owner, rules and endpoints.
 *
 * Control plane. `control/resources` has one file per resource; everything else is an interpreter that
 * knows no resource by name:
 *
 *   draft.ts      what a request carries → the record, and the schema of such a request
 *   wire.ts       the record → the contract's object, and the schema of that object
 *   registry/     the kinds of change with their checks, the tables and indexes, what goes with an owner
 *   records.ts    list, find, create, change, remove, act
 *   api/manage    the endpoints with their rights, and OpenAPI
 */
import type { Schema } from '../../base/schema.ts';
import type { FieldSchema } from '../../base/validate.ts';
import type { CallerKind, Role, ScopeArea } from '../../model/rights.ts';
import type { DomainUsage } from '../../model/usage.ts';

/** What every record has. */
export type Base = {
  readonly id: string;
  /** Milliseconds since the epoch, as is the next. */
  readonly createdMs: number;
  readonly modifiedMs: number;
};

/** A record whose resource is not known to the compiler. */
export type AnyRecord = Base & Readonly<Record<string, unknown>>;

/** One name of a request's body, and what may stand under it. */
export interface Sent {
  readonly name?: string;
  readonly rule: FieldSchema;
  readonly isRequired?: true;
  /** Absent: on both. A field that only `create` carries stays what it was. */
  readonly on?: 'create' | 'change';
}

/** One name of an answer, and what stands under it. */
export interface Shown {
  readonly name: string;
  /** Answers lack it where `of` gives undefined: an extension that the contract's records do not have. */
  readonly isOptional?: true;
  readonly schema: Schema;
  of(value: unknown, record: AnyRecord, viewing: Viewing): unknown;
}

/** A field that names a record of another resource. */
export interface Reference {
  /** Name of that resource. */
  readonly to: string;
  /**
   * What happens when it is removed: this record goes as well, or the field becomes null; `release`:
   * it goes if it belongs to that one, and is only told so if it belongs to another.
   */
  readonly whenGone: 'remove' | 'clear' | 'release';
  /** What happens to it when no record names it any more; absent: nothing. */
  readonly whenUnused?: 'remove';
}

/** One field of a record. */
export interface Field<Value = unknown> {
  /** What stands in the record, in memory and on disk. */
  readonly schema: Schema<Value>;
  /** Its name on the wire; absent: the record's name in snake case. */
  readonly wire?: string;
  /** How answers show it; absent: as it stands, under its name; empty: not at all. */
  readonly shown?: readonly Shown[];
  /** What requests carry of it; absent: nothing, and it stays what `make` made of it at first. */
  readonly sent?: readonly Sent[];
  /** Worked out of other fields: made anew with every change. */
  readonly isDerived?: true;
  /** Told once, by the answer that makes the record, under its wire name. */
  readonly isSecret?: true;
  /** Moves by itself as time goes on: a change of it alone is nobody's, and in no history (M-8). */
  readonly isCourse?: true;
  /** Whoever has it is let in: the audit says that it changed, not what it is (M-8). */
  readonly isCode?: true;
  /**
   * Its value in a new or changed record.
   *
   * @param sent what stands under its first name; undefined when that is absent or null.
   */
  make(sent: unknown, making: Making): Value;
  /** Code points of a text. */
  readonly lengthMax?: number;
  readonly isRequired?: true;
  /** What is wrong with a value; '' when nothing is. */
  fault?(value: Value): string;
  /** No two records have one key; null has none. `taken` is said to who asks for one that is there. */
  readonly unique?: {
    key(value: Value, record: AnyRecord): string | null;
    taken(value: Value): string;
  };
  readonly refersTo?: Reference;
  /** Records are listed by it, as they are by what they refer to. */
  readonly isIndexed?: true;
}

/** Something that answers show and no record has. */
export interface Computed {
  readonly computed: Schema;
  readonly wire?: string;
  /** Answers have it where there is something to show: the contract's have not. */
  readonly isOptional?: true;
  of(record: AnyRecord, viewing: Viewing): unknown;
}

export type Fields = Readonly<Record<string, Field | Computed>>;

/** The record of some fields. */
export type RecordOf<F extends Fields> = Base & {
  readonly [Name in keyof F as F[Name] extends Field ? Name : never]: F[Name] extends Field<
    infer Value
  >
    ? Value
    : never;
};

/** The record of a resource. */
export type RecordType<R> = R extends Resource<infer Rec> ? Rec : never;

/** Records of a resource that the compiler does not know. */
export interface Rows {
  find(id: string): AnyRecord | null;
  /** Those that refer to a record, oldest first. */
  of(field: string, id: string): readonly AnyRecord[];
}

/** What the settings of a node allow in a record, where it is not the same everywhere. */
export interface Policy {
  /** Webhooks may lead into a network of one's own (M-51). */
  readonly allowsPrivateTargets: boolean;
}

/** Where the registry is looked at: `registry/view.ts`. */
export interface Look {
  readonly policy: Policy;
  find<Rec extends Base>(resource: Resource<Rec>, id: string): Rec | null;
  /** Whether a resource, given by its name, has a record of this id. */
  has(name: string, id: string): boolean;
  /** By a unique field. */
  by<Rec extends Base>(resource: Resource<Rec>, field: keyof Rec & string, key: string): Rec | null;
  /** Those that refer to a record, oldest first. */
  of<Rec extends Base>(
    resource: Resource<Rec>,
    field: keyof Rec & string,
    id: string,
  ): readonly Rec[];
  /** A resource given by its name: for descriptors that would import each other in a circle. */
  named(name: string): Rows;
  /** How many those are. */
  countOf<Rec extends Base>(resource: Resource<Rec>, field: keyof Rec & string, id: string): number;
}

/** For whom an answer is made: some of what it shows is the caller's own, or stands in other records. */
export interface Viewing {
  readonly view: Look;
  /** Whom the caller stands for; '' nobody. */
  readonly userId: string;
  /** Has an access code, or the token of a public page: sees the public part only (M-16). */
  readonly isVisitor?: boolean;
  /** The caller's role on a domain or another place; null: it may not even see it (M-2). */
  roleOn(place: Place): Role | null;
  /** What the shards have of domains (M-17, S-98), where it was asked for: `api/manage/shown-domains.ts`. */
  readonly stored?: ReadonlyMap<string, Pick<DomainUsage, 'firstRowMs' | 'importedDays'>>;
}

/** What a record is made from. */
export interface Making {
  /** The request's body, its schema checked. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** The fields that stand before this one in the descriptor. */
  readonly draft: AnyRecord;
  /** Null: it is a new one. */
  readonly before: AnyRecord | null;
  /** Whom the caller stands for. */
  readonly userId: string;
  readonly nowMs: number;
  readonly view: Look;
  /** Says in the answer, this once, what the record keeps only hashed. */
  reveal(name: string, secret: string): void;
  /** What fields before this one said so. */
  readonly revealed: Readonly<Record<string, string>>;
}

/** What an action makes the next record from. */
export type ActMaking = Omit<Making, 'draft' | 'before' | 'reveal' | 'revealed'>;

/** One change of one record, as it stands in the log of records. */
export interface Change {
  /** `goal-created`, `goal-changed`, `goal-deleted`. */
  readonly kind: string;
  readonly payload: { readonly id: string };
}

/** What a caller needs: one of the scopes, and a role on what the record belongs to (M-3). */
export interface Permission {
  readonly scopes: readonly { readonly area: ScopeArea; readonly right: 'r' | 'w' }[];
  readonly role: Role;
  /** Absent: users and clients of one domain. */
  readonly callers?: readonly CallerKind[];
}

/** What is no reading and writing of fields: a toggle, a transfer. */
export interface Action<Rec extends Base = AnyRecord> {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1/. */
  readonly path: string;
  readonly summary: string;
  /** Absent: that of a change. */
  readonly permission?: Permission;
  /** Under which name a request carries the record's id. */
  readonly idName: string;
  /** What it carries beside the id, all of which must be there. */
  readonly needs?: Readonly<Record<string, FieldSchema>>;
  /** What it may carry. */
  readonly sent?: Readonly<Record<string, FieldSchema>>;
  /** A list: these names of the record. */
  readonly answers: 'record' | 'nothing' | readonly string[];
  /** The record as it is afterwards. */
  act(record: Rec, making: ActMaking): Rec;
}

/** Which endpoints a resource has, and who may use them. */
export interface Surface {
  /** Below /api/v1/. */
  readonly path: string;
  readonly read: Permission;
  readonly change: Permission;
  /** Parameters of the list, and the field each of them names the owner by; absent: there is none. */
  readonly listBy?: Readonly<Record<string, string>>;
  /** Where pirsch-sdk asks for the list. */
  readonly listAlsoAt?: string;
  readonly creates?: 'record' | 'nothing';
  /** By PUT, or by POST with an id. */
  readonly changes?: { readonly by: 'PUT' | 'POST'; readonly answers: 'record' | 'nothing' };
  readonly removes?: true;
  /** Who may remove one; absent: who may change it. */
  readonly remove?: Permission;
  /** What users may do with records that they made themselves, where that is more (`userId`). */
  readonly own?: Permission;
  /** A name that no field has is refused; else it is ignored (M-6). */
  readonly refusesUnknown?: true;
}

interface Named<F extends Fields> {
  /** One of them, in messages and in the kinds of change. */
  readonly name: string;
  /** Several of them, in messages and on disk. */
  readonly table: string;
  readonly fields: F;
  /** People have roles on it: a domain, an organization. Else a role on its owner decides. */
  readonly hasRoles?: true;
  /** Most of them that one owner has. */
  readonly countMax?: number;
  readonly surface?: Surface;
  /** The names that visitors see; all others are empty for them (M-16). Absent: they see all. */
  readonly publicNames?: readonly string[];
  /** What the same record of the log does beside, when one of them is removed: work that is left. */
  leaves?(record: AnyRecord, nowMs: number): readonly Change[];
}

/** What a descriptor's file says. */
interface Descriptor<F extends Fields> extends Named<F> {
  /** The fields that say whom it belongs to; the first that is not null does. */
  readonly owners: readonly (keyof F & string)[];
  /**
   * What is wrong between fields, or with what they refer to, by the name in a request; '' when
   * nothing is. `before` is what the record takes the place of; null: it is a new one.
   */
  rules?(
    record: RecordOf<F>,
    view: Look,
    before: RecordOf<F> | null,
  ): Readonly<Record<string, string>>;
  readonly actions?: readonly Action<RecordOf<F>>[];
}

declare const RECORD: unique symbol;

/** A managed record, as the interpreters read it. */
export interface Resource<Rec extends Base = Base> extends Named<Fields> {
  readonly owners: readonly string[];
  rules?(record: AnyRecord, view: Look, before: AnyRecord | null): Readonly<Record<string, string>>;
  readonly actions?: readonly Action[];
  /** Never there: it carries the type of the records. */
  readonly [RECORD]?: Rec;
}

/** A descriptor; the type of its records is worked out of its fields. */
export function defineResource<const F extends Fields>(
  descriptor: Descriptor<F>,
): Resource<RecordOf<F>> {
  return descriptor as unknown as Resource<RecordOf<F>>;
}

/** What a caller needs a role on: a domain, a user, an organization. */
export interface Place {
  /** Name of a resource. */
  readonly kind: string;
  readonly id: string;
}

/** Whom a record belongs to, or itself if people have roles on it; null: the installation. */
export function placeOf(resource: Resource, record: Base): Place | null {
  if (resource.hasRoles === true) return { kind: resource.name, id: record.id };
  return ownerAmong(resource, (name) => (record as AnyRecord)[name]);
}

/** The owner that the first of the owning fields names. @param readOf null and undefined: none. */
export function ownerAmong(
  { owners, fields }: Resource,
  readOf: (field: string) => unknown,
): Place | null {
  for (const name of owners) {
    const field = fields[name];
    const id = readOf(name);
    if (field === undefined || !isStored(field) || field.refersTo === undefined) continue;
    if (typeof id === 'string') return { kind: field.refersTo.to, id };
  }
  return null;
}

/** `pathPattern` → `path_pattern`. */
export function wireName(name: string, { wire }: { readonly wire?: string }): string {
  return wire ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Fields that records have, with their names. */
export function storedFields(resource: Resource): [string, Field][] {
  return Object.entries(resource.fields).filter((entry): entry is [string, Field] =>
    isStored(entry[1]),
  );
}

/** Whether records have it. */
export function isStored(field: Field | Computed): field is Field {
  return 'schema' in field;
}
