/**
 * A record of the registry as a message of the stream: JSON that says what it is and what it follows.
 *
 * Control plane. Each record names the one before it, so that nobody applies a record while another
 * one is missing; its id tells an append that was repeated from somebody else's.
 */
import type { Author, PlacedRecord, StoredRecord } from '../../store/registry-store.ts';
import type { Change } from '../descriptor/resource.ts';
import { effectOf, isKnownKind } from './changes.ts';
import { withoutParts } from './file-parts.ts';

const FORMAT = 'footfall registry 1';

/** Why bytes are no record that can be applied. */
export type RecordFault = { foreign: string } | { newerKind: string };

/** Bytes of a record that follows the one at `after`. */
export function encodeRecord(after: number, record: StoredRecord): Uint8Array {
  return Buffer.from(JSON.stringify({ format: FORMAT, after, ...record }));
}

/** What stands at a sequence of the stream, or why it cannot be applied. */
export function decodeRecord(
  sequence: number,
  bytes: Uint8Array,
): { placed: PlacedRecord } | RecordFault {
  const given = parse(bytes);
  if (given === null) return { foreign: 'it is not JSON of a change' };
  const { format, after, id, atMs, by, changes } = given;
  if (format !== FORMAT) return { foreign: 'it does not say that it is a change' };
  const isWhole =
    isSequence(after) &&
    after < sequence &&
    typeof id === 'string' &&
    typeof atMs === 'number' &&
    Array.isArray(changes) &&
    changes.every(isChange);
  if (!isWhole) return { foreign: 'it lacks parts of a change' };
  for (const { kind } of changes) if (!isKnownKind(kind)) return { newerKind: kind };
  const record: StoredRecord = { id, atMs, ...(isAuthor(by) ? { by } : {}), changes };
  const entities = changes.map((change) => effectOf(change as Change));
  return { placed: { sequence, after, record: withoutParts(record), entities } };
}

/**
 * Whether two records are the same, wherever they are kept; the author apart, which versions before
 * did not write down.
 */
export function isSameRecord(left: StoredRecord, right: StoredRecord): boolean {
  const text = ({ id, atMs, changes }: StoredRecord) => JSON.stringify([id, atMs, changes]);
  return text(left) === text(right);
}

function parse(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const given: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isObject(given) ? given : null;
  } catch {
    return null;
  }
}

function isChange(given: unknown): given is { kind: string; payload: { id: string } } {
  if (!isObject(given) || typeof given['kind'] !== 'string') return false;
  return isObject(given['payload']) && typeof given['payload']['id'] === 'string';
}

/** Records of versions before have none. */
function isAuthor(given: unknown): given is Author {
  return isObject(given) && typeof given['kind'] === 'string' && typeof given['id'] === 'string';
}

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function isSequence(given: unknown): given is number {
  return Number.isSafeInteger(given) && (given as number) >= 0;
}
