/**
 * Everything that can happen to the registry: each resource is made, changed and removed.
 *
 * Control plane. A rule is checked before the record is appended, against the state it will apply
 * to; an effect is pure, because every node and every later start applies the same record again.
 * Ids, secrets and times are therefore in the payload, and what goes with an owner is in the record.
 */
import { assert } from '../../base/assert.ts';
import { errors } from '../../model/errors.ts';
import { changed, deleted, faultsOf } from '../descriptor/draft.ts';
import {
  type AnyRecord,
  type Base,
  type Change,
  type Look,
  placeOf,
  type Reference,
  type Resource,
  storedFields,
} from '../descriptor/resource.ts';
import { file } from '../resources/file.ts';
import { RESOURCES } from '../resources/resources.ts';
import { FILE_PART, partEffect } from './file-parts.ts';
import { type EntityChange, type RegistryView, SECRETS_TABLE, type Secrets } from './view.ts';

const SECRETS_CREATED = 'secrets-created';

/** A part belongs to a file that is there. */
const FILE_ROW = { resource: file, verb: 'changed' } as const;

export type Verb = 'created' | 'changed' | 'deleted';
const VERBS: readonly Verb[] = ['created', 'changed', 'deleted'];

const KINDS: ReadonlyMap<string, { readonly resource: Resource; readonly verb: Verb }> = new Map(
  RESOURCES.flatMap((resource) =>
    VERBS.map((verb) => [`${resource.name}-${verb}`, { resource, verb }] as const),
  ),
);

/** The keys of a new installation. */
export function secretsCreated(secrets: Secrets): Change {
  return { kind: SECRETS_CREATED, payload: secrets };
}

/**
 * Checks a change against the state it will apply to.
 *
 * @throws VALIDATION_FAILED with every field that has to change.
 */
export function checkChange(change: Change, view: RegistryView): void {
  const faults = faultsOfChange(change, view);
  const validation = Object.fromEntries(Object.entries(faults).filter(([, text]) => text !== ''));
  if (Object.keys(validation).length > 0) throw errors.VALIDATION_FAILED({ validation });
}

function faultsOfChange({ kind, payload }: Change, view: RegistryView): Record<string, string> {
  if (kind === SECRETS_CREATED) {
    return { secrets: view.secrets === null ? '' : 'are made only once' };
  }
  const { resource, verb } = kind === FILE_PART ? FILE_ROW : rowOf(kind);
  const unknown = view.has(resource.name, payload.id)
    ? ''
    : `no ${resource.name} has the id '${payload.id}'`;
  if (verb === 'deleted' || kind === FILE_PART) return { id: unknown };
  const faults = faultsOf(resource, payload as AnyRecord, view, verb === 'created');
  return verb === 'created' ? faults : { id: unknown, ...faults };
}

/** What a change is about; null: the installation itself. */
export function subjectOf({ kind }: Change): { resource: Resource; verb: Verb } | null {
  return kind === SECRETS_CREATED ? null : rowOf(kind);
}

/** What a checked change does. */
export function effectOf({ kind, payload }: Change): EntityChange {
  const { id } = payload;
  if (kind === SECRETS_CREATED) return { table: SECRETS_TABLE, id, value: payload };
  if (kind === FILE_PART) return partEffect({ kind, payload });
  const { resource, verb } = rowOf(kind);
  return { table: resource.table, id, value: verb === 'deleted' ? null : payload };
}

/** Whether this version knows a kind of change. */
export function isKnownKind(kind: string): boolean {
  return kind === SECRETS_CREATED || kind === FILE_PART || KINDS.has(kind);
}

/** A record that is to go. */
interface Root {
  readonly resource: Resource;
  readonly id: string;
}

/**
 * What has to happen for records to go: what belongs to it goes before, and what only names it is
 * told so (M-11). All of it is one record of the log.
 */
export function removalOf(roots: readonly Root[], view: Look, nowMs: number): Change[] {
  const gone = new Map<string, Change>();
  const left: Change[] = [];
  const cleared = new Map<string, { resource: Resource; record: AnyRecord }>();
  for (const { resource, id } of roots) collect(resource, id);
  const told = [...cleared]
    .filter(([key]) => !gone.has(key))
    .map(([, { resource: of, record }]) => changed(of, { ...record, modifiedMs: nowMs } as Base));
  return [...told, ...gone.values(), ...left.filter((change) => !belongsToGone(change, gone))];

  function collect(from: Resource, fromId: string): void {
    const key = `${from.name} ${fromId}`;
    if (gone.has(key)) return;
    for (const { dependent, field, whenGone } of dependentsOf(from)) {
      for (const record of view.of<AnyRecord>(dependent, field, fromId)) {
        const name = `${dependent.name} ${record.id}`;
        const isOwned = () => placeOf(dependent, record)?.id === fromId;
        const goes = whenGone === 'remove' || (whenGone === 'release' && isOwned());
        if (goes) collect(dependent, record.id);
        else {
          const sofar = cleared.get(name)?.record ?? record;
          cleared.set(name, { resource: dependent, record: { ...sofar, [field]: null } });
        }
      }
    }
    // Behind what belongs to it, so that no step leaves something without its owner.
    gone.set(key, deleted(from, fromId));
    const record = view.find<AnyRecord>(from as Resource<AnyRecord>, fromId);
    if (record !== null) left.push(...(from.leaves?.(record, nowMs) ?? []));
  }
}

/** Whether what is left would be left to somebody who goes, too. */
function belongsToGone(change: Change, gone: ReadonlyMap<string, Change>): boolean {
  const { resource } = rowOf(change.kind);
  const payload = change.payload as AnyRecord;
  return storedFields(resource).some(([field, { refersTo }]) =>
    gone.has(`${refersTo?.to} ${payload[field]}`),
  );
}

interface Dependent {
  readonly dependent: Resource;
  readonly field: string;
  readonly whenGone: Reference['whenGone'];
}

function dependentsOf({ name: owner }: Resource): Dependent[] {
  return RESOURCES.flatMap((dependent) =>
    storedFields(dependent)
      .filter(([, { refersTo }]) => refersTo?.to === owner)
      .map(([field, { refersTo }]) => ({
        dependent,
        field,
        whenGone: refersTo?.whenGone ?? 'remove',
      })),
  );
}

function rowOf(kind: string) {
  const row = KINDS.get(kind);
  assert(row !== undefined, `the change ${kind} is known`);
  return row;
}
