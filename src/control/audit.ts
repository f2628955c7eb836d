/**
 * The audit (M-8): changes of the registry, told to people. Who, when, what, and from what to what.
 *
 * Control plane. It is read from the registry's own records (`store/registry-history.ts`), so it cannot
 * differ from what happened. Values are told as answers show them. What lets somebody in (secrets,
 * codes, hashes) is told as changed, never as what it is; what answers do not show is not told.
 */
import { isDeepStrictEqual } from 'node:util';
import { assert } from '../base/assert.ts';
import type { HistoryEntry } from '../store/registry-history.ts';
import type { Author, StoredRecord } from '../store/registry-store.ts';
import {
  type AnyRecord,
  type Change,
  type Field,
  type Look,
  type Resource,
  storedFields,
  type Viewing,
  wireName,
} from './descriptor/resource.ts';
import { subjectOf, type Verb } from './registry/changes.ts';
import { client } from './resources/client.ts';
import { user } from './resources/user.ts';

/** In place of what must not be told. */
export const HIDDEN_VALUE = '…';
/** Fields are secret by what they are, and by their names: whoever adds one may forget to say so. */
const SECRET_NAME = /secret|hash|code|token|password|totp|recovery/i;
/** What an object is called, by the first of these that it has. */
const NAMES = ['name', 'fullName', 'hostname', 'email', 'description', 'event'];

/** Somebody or something, with the name that people know it by; '' when it is not known any more. */
export interface Named {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

/** One change of one object. */
export interface AuditEntry {
  readonly id: string;
  readonly time: string;
  readonly caller: Named;
  readonly action: Verb;
  readonly object: Named;
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}

/** A change of the registry's log as people are told it. @param viewing for whom. */
export function auditEntry(
  { sequence, index, before, record }: HistoryEntry & { readonly record: StoredRecord },
  viewing: Viewing,
): AuditEntry {
  const change = record.changes[index] as Change;
  const subject = subjectOf(change);
  assert(subject !== null, 'the keys of the installation are part of no history');
  const { resource, verb } = subject;
  const old = before as AnyRecord | null;
  const next = verb === 'deleted' ? null : (change.payload as AnyRecord);
  const shown = (next ?? old ?? change.payload) as AnyRecord;
  return {
    id: `${sequence}.${index}`,
    time: new Date(record.atMs).toISOString(),
    caller: callerOf(record.by, viewing.view),
    action: verb,
    object: { kind: resource.name, id: shown.id, name: nameOf(shown, viewing.view) },
    changes: changesOf(resource, [old, next], viewing),
  };
}

/** Records of versions before do not say who made them. */
function callerOf(by: Author | undefined, view: Look): Named {
  const { kind, id } = by ?? { kind: 'unknown', id: '' };
  switch (kind) {
    case 'client':
      return { kind, id, name: view.find(client, id)?.description ?? '' };
    case 'user':
      return { kind, id, name: personName(id, view) };
    case 'cli':
      return { kind, id, name: 'command line' };
    case 'node':
      return { kind, id, name: 'Footfall' };
    default:
      return { kind, id, name: '' };
  }
}

function personName(id: string, view: Look): string {
  const person = view.find(user, id);
  return person === null ? '' : nameOf(person as AnyRecord, view);
}

/** As it was called by then. */
function nameOf(record: AnyRecord, view: Look): string {
  const name = NAMES.map((field) => record[field]).find((value) => value !== '' && isText(value));
  if (isText(name)) return name;
  const { userId } = record;
  return isText(userId) ? personName(userId, view) : '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

type Versions = readonly [before: AnyRecord | null, after: AnyRecord | null];

function changesOf(
  resource: Resource,
  versions: Versions,
  viewing: Viewing,
): Record<string, { from: unknown; to: unknown }> {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const [name, field] of storedFields(resource)) {
    for (const part of partsOf(name, field)) {
      const [from = null, to = null] = versions.map((record) => {
        // Records of versions before lack fields.
        const value = record?.[name] ?? null;
        return record === null || value === null ? null : part.of(value, record, viewing);
      });
      // A new object is told by what it has.
      if (isDeepStrictEqual(from, to) || (isBlank(from) && isBlank(to))) continue;
      changes[part.name] = part.isSecret ? { from: hide(from), to: hide(to) } : { from, to };
    }
  }
  return changes;
}

interface Part {
  readonly name: string;
  readonly isSecret: boolean;
  of(value: unknown, record: AnyRecord, viewing: Viewing): unknown;
}

/** What is told of a field: what answers show of it, and that a secret changed. */
function partsOf(name: string, field: Field): Part[] {
  const wire = wireName(name, field);
  const isSecret =
    field.isSecret === true ||
    field.isCode === true ||
    [name, wire].some((one) => SECRET_NAME.test(one));
  const asIs = { name: wire, of: (value: unknown) => value };
  if (isSecret) return [{ ...asIs, isSecret }];
  const shown = field.shown ?? [asIs];
  return shown.map((part) => ({ ...part, isSecret: false }));
}

function hide(value: unknown): string | null {
  return isBlank(value) ? null : HIDDEN_VALUE;
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
