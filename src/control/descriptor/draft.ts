/**
 * From a request to a record: the schema of its body, the record it asks for, and what is wrong with it.
 *
 * Control plane. A body is checked twice: its types before anybody looks at it, and what its values
 * come to once they are normalised, against the state that the change applies to.
 */
import { isDeepStrictEqual } from 'node:util';
import { randomAlphanumeric } from '../../base/random.ts';
import { codePointCount, type FieldSchema, type ObjectSchema } from '../../base/validate.ts';
import { errors } from '../../model/errors.ts';
import { ENTITY_ID_LENGTH } from '../../model/limits.ts';
import { REQUIRED_TEXT } from './fields.ts';
import {
  type AnyRecord,
  type Base,
  type Change,
  type Field,
  type Look,
  type Making,
  type Resource,
  type Sent,
  storedFields,
  wireName,
} from './resource.ts';
import { wireSchema } from './wire.ts';

/** What no look is taken at. */
const ANYTHING: FieldSchema = {
  type: ['string', 'number', 'boolean', 'object', 'array', 'null'],
};

/** A request to make a record, or to change one. */
export type Moment = 'create' | 'change';

/** Whose request it is, and what the record is made from beside it. */
export type DraftContext = Pick<Making, 'sent' | 'userId' | 'nowMs' | 'view'>;

/** A record, and the secrets that only the answer to this request shows. */
export interface Draft<Rec extends Base> {
  readonly record: Rec;
  readonly revealed: Readonly<Record<string, string>>;
}

/** The body of a request; to change a record it names the id. */
export function sentSchema(resource: Resource, moment: Moment): ObjectSchema {
  const fields: Record<string, FieldSchema> = {};
  const required: string[] = [];
  const add = (name: string, rule: FieldSchema, isRequired: boolean): void => {
    fields[name] = rule;
    if (isRequired) required.push(name);
  };
  if (moment === 'change') add('id', REQUIRED_TEXT, true);
  for (const [name, field] of storedFields(resource)) {
    for (const sent of sentParts(name, field, moment)) {
      add(sent.name, sent.rule, sent.isRequired === true);
    }
  }
  if (resource.surface?.refusesUnknown !== true) return { fields, required };
  // Who read a record sends it back whole: what answers show is known, and counts for nothing.
  return { fields: { ...shownFields(resource), ...fields }, required, isClosed: true };
}

function shownFields(resource: Resource): Record<string, FieldSchema> {
  const names = Object.keys(wireSchema(resource).properties);
  return Object.fromEntries(names.map((name) => [name, ANYTHING]));
}

/** A new record. */
export function draftNew<Rec extends Base>(
  resource: Resource<Rec>,
  context: DraftContext,
): Draft<Rec> {
  const { nowMs } = context;
  const base = { id: randomAlphanumeric(ENTITY_ID_LENGTH), createdMs: nowMs, modifiedMs: nowMs };
  return draft(resource, base, null, context);
}

/**
 * A record as a request wants it: what the request does not carry stays.
 *
 * @returns `before` itself when nothing is different (M-7).
 */
export function draftChanged<Rec extends Base>(
  resource: Resource<Rec>,
  before: Rec,
  context: DraftContext,
): Rec {
  const { record } = draft(resource, before, before as Base as AnyRecord, context);
  return isDeepStrictEqual(record, before) ? before : { ...record, modifiedMs: context.nowMs };
}

function draft<Rec extends Base>(
  resource: Resource<Rec>,
  base: Base,
  before: AnyRecord | null,
  context: DraftContext,
): Draft<Rec> {
  const revealed: Record<string, string> = {};
  const record: Record<string, unknown> & AnyRecord = { ...base };
  const making: Making = {
    ...context,
    ...{ draft: record, before, revealed },
    reveal: (name, secret) => {
      revealed[name] = secret;
    },
  };
  const moment = before === null ? 'create' : 'change';
  for (const [name, field] of storedFields(resource)) {
    const [first] = sentParts(name, field, moment);
    if (before !== null && first === undefined && field.isDerived !== true) continue;
    const sent = first === undefined ? undefined : (context.sent[first.name] ?? undefined);
    const value = field.make(sent, making);
    // A field that came later than the record may have nothing to say of it.
    if (value !== undefined) record[name] = value;
  }
  return { record: record as Base as Rec, revealed };
}

/** What a request carries of a field, each part under its name. */
export function sentParts(
  name: string,
  field: Field,
  moment: Moment,
): (Sent & { readonly name: string })[] {
  return (field.sent ?? [])
    .filter(({ on }) => on === undefined || on === moment)
    .map((sent) => ({ ...sent, name: sent.name ?? wireName(name, field) }));
}

/**
 * What is wrong with a record that is about to be kept, by the names of the request; '' is nothing.
 *
 * @param isNew then the owner must have room for one more.
 * @throws RECORDS_TOO_MANY.
 */
export function faultsOf(
  resource: Resource,
  record: AnyRecord,
  view: Look,
  isNew: boolean,
): Record<string, string> {
  const before = view.find<AnyRecord>(resource as Resource<AnyRecord>, record.id);
  const between = resource.rules?.(record, view, before) ?? {};
  // A field may be sent in parts, each with a fault of its own.
  const faults: Record<string, string> = { ...between };
  for (const [name, field] of storedFields(resource)) {
    const key = field.sent?.[0]?.name ?? wireName(name, field);
    faults[key] =
      (between[key] ?? '') ||
      // What was kept before a rule was made may stay.
      (!isNew && isUnchanged(before, record, name) ? '' : valueFault(field, record[name])) ||
      takenFault(resource, [name, field], record, view) ||
      ownerFault(resource, [name, field], record, isNew ? view : null);
  }
  return faults;
}

function isUnchanged(before: AnyRecord | null, after: AnyRecord, name: string): boolean {
  return before !== null && isDeepStrictEqual(before[name], after[name]);
}

function valueFault(field: Field, value: unknown): string {
  const fault = field.fault?.(value) ?? '';
  if (fault !== '') return fault;
  if (field.isRequired === true && value === '') return 'must not be blank';
  const { lengthMax } = field;
  if (lengthMax !== undefined && typeof value === 'string' && codePointCount(value) > lengthMax) {
    return `must have at most ${lengthMax} characters`;
  }
  return '';
}

function takenFault(
  resource: Resource,
  [name, field]: readonly [string, Field],
  record: AnyRecord,
  view: Look,
): string {
  const value = record[name] as never;
  const key = field.unique?.key(value, record) ?? null;
  if (key === null) return '';
  const there = view.by<AnyRecord>(resource, name, key);
  return there === null || there.id === record.id ? '' : (field.unique?.taken(value) ?? '');
}

/** Whom a new record belongs to must be there, and have room (M-6). @throws RECORDS_TOO_MANY. */
function ownerFault(
  resource: Resource,
  [name, field]: readonly [string, Field],
  record: AnyRecord,
  view: Look | null,
): string {
  const id = record[name];
  if (view === null || field.refersTo === undefined || typeof id !== 'string') return '';
  const { to } = field.refersTo;
  if (!view.has(to, id)) return `no ${to} has the id '${id}'`;
  if (resource.owners.includes(name)) checkRoom(resource, [name, id], view);
  return '';
}

/** Whether an owner may have one more. @throws RECORDS_TOO_MANY. */
export function checkRoom(
  resource: Resource,
  [field, ownerId]: readonly [field: string, ownerId: string],
  view: Look,
): void {
  const { countMax, table } = resource;
  if (countMax === undefined) return;
  const count = view.countOf<AnyRecord>(resource as Resource<AnyRecord>, field, ownerId);
  if (count >= countMax) throw errors.RECORDS_TOO_MANY({ table, countMax });
}

/** A record that was not there before. */
export function created<Rec extends Base>(resource: Resource<Rec>, record: Rec): Change {
  return { kind: `${resource.name}-created`, payload: record };
}

/** A record that takes the place of the one of its id. */
export function changed<Rec extends Base>(resource: Resource<Rec>, record: Rec): Change {
  return { kind: `${resource.name}-changed`, payload: record };
}

/** A record that goes. */
export function deleted(resource: Resource, id: string): Change {
  return { kind: `${resource.name}-deleted`, payload: { id } };
}
