/**
 * Whose history a record of a resource is part of (M-8): its domain's, its organization's.
 *
 * Control plane. A record is part of the history of what people have roles on: of itself, of what a
 * domain or an organization names, and of what any other record belongs to. What somebody thinks of a
 * domain names it, and belongs to that person.
 */
import { isDeepStrictEqual } from 'node:util';
import type { RecordMeaning } from '../../store/registry-history.ts';
import { type AnyRecord, type Change, type Place, storedFields } from '../descriptor/resource.ts';
import { RESOURCES } from '../resources/resources.ts';
import { effectOf } from './changes.ts';

const BY_TABLE = new Map(RESOURCES.map((resource) => [resource.table, resource]));
const WITH_HISTORY = new Set(
  RESOURCES.filter(({ hasRoles }) => hasRoles === true).map(({ name }) => name),
);
/** By table the fields that move by themselves. */
const COURSES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  RESOURCES.flatMap((resource) => {
    const moving = storedFields(resource).filter(([, { isCourse }]) => isCourse === true);
    return moving.length === 0 ? [] : [[resource.table, new Set(moving.map(([name]) => name))]];
  }),
);

/** How the store of the registry finds what a history is made of. */
export const RECORD_MEANING: RecordMeaning = {
  effectOf: (change) => effectOf(change as Change),
  placesOf(table, value) {
    const resource = BY_TABLE.get(table);
    if (resource === undefined || value === null) return [];
    const record = value as AnyRecord;
    const places: string[] = [];
    if (WITH_HISTORY.has(resource.name)) {
      places.push(placeName({ kind: resource.name, id: record.id }));
    }
    for (const [name, { refersTo }] of storedFields(resource)) {
      const id = record[name];
      if (refersTo === undefined || typeof id !== 'string') continue;
      if (resource.hasRoles !== true && !resource.owners.includes(name)) continue;
      if (WITH_HISTORY.has(refersTo.to)) places.push(placeName({ kind: refersTo.to, id }));
    }
    return places;
  },
  isTold(table, before, value) {
    const courses = COURSES.get(table);
    if (courses === undefined || before === null || value === null) return true;
    const [old, next] = [before as AnyRecord, value as AnyRecord];
    return Object.keys({ ...old, ...next }).some(
      (name) => !courses.has(name) && !isDeepStrictEqual(old[name], next[name]),
    );
  },
};

/** What the history of a place is stored under. */
export function placeName({ kind, id }: Place): string {
  return `${kind} ${id}`;
}
