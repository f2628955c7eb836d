/**
 * The bytes of files in the log of records: a change carries a part of a file as base64.
 *
 * Control plane. Where a record is kept, in a data directory, the bytes stand beside the file's entity
 * and are taken out of the record (`withoutParts`): a thread that reads records never has them in its
 * memory, and they end with the file. Only a record that goes into a stream has them.
 */
import type { RegistryStore, StoredRecord } from '../../store/registry-store.ts';
import type { Change } from '../descriptor/resource.ts';
import { file } from '../resources/file.ts';
import type { EntityChange } from './view.ts';

/** The kind of change that brings bytes. */
export const FILE_PART = 'file-part';

interface Part {
  readonly id: string;
  readonly index: number;
  /** Base64; absent where the record is kept without it. */
  readonly data?: string;
}

/** Brings a part of a file. */
export function partAdded(id: string, index: number, bytes: Uint8Array): Change {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  const payload: Part = { id, index, data };
  return { kind: FILE_PART, payload };
}

/** Where the bytes of a part go. */
export function partEffect({ payload }: Change): EntityChange {
  const { id, index, data } = payload as Part;
  const bytes = data === undefined ? null : Buffer.from(data, 'base64');
  return { table: file.table, id, value: null, part: { index, bytes } };
}

/** The record as it is kept. */
export function withoutParts(record: StoredRecord): StoredRecord {
  return mapParts(record, ({ id, index }) => ({ id, index }));
}

/** The record as it was made; a file that is gone has no parts any more. */
export function withParts(record: StoredRecord, store: RegistryStore): StoredRecord {
  return mapParts(record, ({ id, index }) => {
    const bytes = store.part(file.table, id, index);
    return bytes === null ? { id, index } : (partAdded(id, index, bytes).payload as Part);
  });
}

function mapParts(record: StoredRecord, next: (part: Part) => Part): StoredRecord {
  const changes = record.changes as readonly Change[];
  if (!changes.some(({ kind }) => kind === FILE_PART)) return record;
  const mapped = changes.map((change) =>
    change.kind === FILE_PART ? { ...change, payload: next(change.payload as Part) } : change,
  );
  return { ...record, changes: mapped };
}
