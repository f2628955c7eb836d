/**
 * Members of what Matomo answers in JSON, where a number may be a text and what is unknown is
 * missing.
 */

import { ImportFault } from '../../adapter.ts';
import type { Entry } from '../../source/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object's members; null when it is none. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null;
}

/** The objects of a list; nothing when it is none. */
export function listOf(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) return [];
  return value.map(fieldsOf).filter((fields) => fields !== null);
}

/** A member as text; '' when there is none. */
export function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** @throws ImportFault when Matomo answered with an error: `{"result":"error","message":…}`. */
export function refuseError({ key, value, place }: Entry): void {
  if (key !== 'result' || value !== 'error') return;
  throw new ImportFault(place, "Matomo's answer; this file is an error of Matomo's");
}
