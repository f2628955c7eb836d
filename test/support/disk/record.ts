/** What the shim has recorded: every change of the files below its root, in the order of the disk. */
import { readFileSync } from 'node:fs';

/** By the numbers that `shim.c` gives them, from 1. */
const KINDS = [
  'create',
  'write',
  'zeros',
  'sync',
  'rename',
  'unlink',
  'mkdir',
  'rmdir',
  'size',
  'link',
] as const;
const HEAD_BYTES = 24;

/** One change. */
export interface DiskChange {
  readonly kind: (typeof KINDS)[number];
  /** Of a write: it was on disk when it returned. */
  readonly isDurable: boolean;
  /** Below the root; '.' is the root. */
  readonly path: string;
  /** Of a rename or a link: the new path. */
  readonly to: string;
  readonly offset: number;
  /** Bytes of a write; of `size` the new one. */
  readonly length: number;
  /** Of a write; empty for zeros. */
  readonly data: Buffer;
  /** Bytes of the record up to its end. */
  readonly endsAt: number;
}

/** Reads a record; what is not whole at its end was never made. */
export function readRecord(path: string): DiskChange[] {
  const bytes = readFileSync(path);
  const changes: DiskChange[] = [];
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const kind = KINDS[bytes.readUInt8(at) - 1];
    if (kind === undefined) throw new Error(`the record is not whole at ${at}`);
    const isDurable = bytes.readUInt8(at + 1) !== 0;
    const pathBytes = bytes.readUInt16LE(at + 2);
    const toBytes = bytes.readUInt16LE(at + 4);
    const offset = Number(bytes.readBigUInt64LE(at + 8));
    const length = Number(bytes.readBigUInt64LE(at + 16));
    const pathAt = at + HEAD_BYTES;
    const toAt = pathAt + pathBytes;
    const dataAt = toAt + toBytes;
    const endsAt = dataAt + (kind === 'write' ? length : 0);
    if (endsAt > bytes.length) break;
    changes.push({
      ...{ kind, isDurable, offset, length, endsAt },
      path: bytes.toString('utf8', pathAt, toAt),
      to: bytes.toString('utf8', toAt, dataAt),
      data: bytes.subarray(dataAt, endsAt),
    });
    at = endsAt;
  }
  return changes;
}
