/**
 * What goes because nothing names it any more: a file goes with the last theme that shows it (M-70).
 *
 * Control plane. Whether a record is named is decided in the record of the log that takes the last name
 * away, so it holds on every node, whoever else asks for the same file meanwhile.
 */
import { deleted } from '../descriptor/draft.ts';
import {
  type AnyRecord,
  type Base,
  type Change,
  type Look,
  type Resource,
  storedFields,
} from '../descriptor/resource.ts';
import { RESOURCES } from '../resources/resources.ts';

/** A field through which records of another resource stay. */
interface Use {
  readonly resource: Resource;
  readonly field: string;
  readonly of: Resource;
}

const USES: readonly Use[] = RESOURCES.flatMap((resource) =>
  storedFields(resource).flatMap(([field, { refersTo }]) => {
    const of = RESOURCES.find(({ name }) => name === refersTo?.to);
    return refersTo?.whenUnused === undefined || of === undefined ? [] : [{ resource, field, of }];
  }),
);

/** Resources with such fields, by the kinds of change that touch their records. */
const USERS: ReadonlyMap<string, Resource> = new Map(
  [...new Set(USES.map(({ resource }) => resource))].flatMap((resource) =>
    ['created', 'changed', 'deleted'].map(
      (verb) => [`${resource.name}-${verb}`, resource] as const,
    ),
  ),
);

/** Whether any record names one. @param passed over: what is about to become of records. */
export function isUsed(
  { name }: Resource,
  id: string,
  view: Look,
  next: ReadonlyMap<string, AnyRecord | null> = new Map(),
): boolean {
  for (const { resource, field, of } of USES) {
    if (of.name !== name) continue;
    const stays = view
      .of<AnyRecord>(resource as Resource<AnyRecord>, field, id)
      .some((record) => !next.has(keyOf(resource, record)));
    if (stays) return true;
    for (const [key, record] of next) {
      if (key.startsWith(`${resource.name} `) && record?.[field] === id) return true;
    }
  }
  return false;
}

/** Changes, and the removal of what nothing names after them. */
export function withUnused(changes: readonly Change[], view: Look): readonly Change[] {
  const next = new Map<string, AnyRecord | null>();
  const lost = new Map<string, { readonly of: Resource; readonly id: string }>();
  for (const { kind, payload } of changes) {
    const resource = USERS.get(kind);
    if (resource === undefined) continue;
    next.set(keyOf(resource, payload), kind.endsWith('-deleted') ? null : (payload as AnyRecord));
    const before = view.find<AnyRecord>(resource as Resource<AnyRecord>, payload.id);
    for (const { resource: user, field, of } of USES) {
      const id = user === resource ? before?.[field] : null;
      if (typeof id === 'string') lost.set(`${of.name} ${id}`, { of, id });
    }
  }
  const gone = [...lost.values()].filter(({ of, id }) => !isUsed(of, id, view, next));
  return gone.length === 0 ? changes : [...changes, ...gone.map(({ of, id }) => deleted(of, id))];
}

function keyOf({ name }: Resource, { id }: Pick<Base, 'id'>): string {
  return `${name} ${id}`;
}
