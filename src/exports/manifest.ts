/** What stands beside the files of an export: what they are, and how to tell that they are whole. */

import {
  EXPORT_FILE_FORMATS,
  EXPORT_FORMAT,
  EXPORT_TABLES,
  type ExportFileFormat,
  type ExportTable,
} from './columns.ts';

/** Its name. It is written last: a folder without it is no export. */
export const MANIFEST_NAME = 'manifest.json';

/** A file of an export. */
export interface ManifestFile {
  readonly name: string;
  readonly table: ExportTable;
  /** `yyyy-mm`, of the UTC days of its sessions, or of the days that were summed. */
  readonly month: string;
  readonly rows: number;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The whole of it, with the names that it has as JSON. */
export interface Manifest {
  readonly product: 'footfall';
  /** `EXPORT_FORMAT` of who wrote it. */
  readonly format: number;
  readonly file_format: ExportFileFormat;
  readonly what: readonly ExportTable[];
  readonly domain: { readonly id: string; readonly hostname: string; readonly timezone: string };
  /** Days of the domain's zone, both included; null: from its first day, up to its last. */
  readonly from: string | null;
  readonly to: string | null;
  /** When it was made: UTC, ISO 8601. */
  readonly created: string;
  readonly rows: number;
  readonly files: readonly ManifestFile[];
}

/**
 * Reads a manifest.
 *
 * @returns null for a text that is none, and for one that a later version has written.
 */
export function readManifest(text: string): Manifest | null {
  let found: Partial<Manifest> | null;
  try {
    found = JSON.parse(text) as Partial<Manifest> | null;
  } catch {
    return null;
  }
  if (typeof found !== 'object' || found === null) return null;
  const { product, format, file_format: fileFormat, what, files } = found;
  const isKnown =
    product === 'footfall' && format === EXPORT_FORMAT && isOf(EXPORT_FILE_FORMATS, fileFormat);
  if (!isKnown || !Array.isArray(what) || !Array.isArray(files)) return null;
  const isWhole = what.every((table) => isOf(EXPORT_TABLES, table)) && files.every(isFile);
  return isWhole ? (found as Manifest) : null;
}

/** A name leads nowhere else than into the folder of the manifest. */
const FILE_NAME = /^[a-z_]+-\d{4,}-\d\d\.[a-z]+$/;

function isFile(file: unknown): file is ManifestFile {
  if (typeof file !== 'object' || file === null) return false;
  const { name, table, month, rows, bytes, sha256 } = file as Record<string, unknown>;
  const isNamed = typeof name === 'string' && FILE_NAME.test(name) && isOf(EXPORT_TABLES, table);
  const isCounted = Number.isSafeInteger(rows) && Number.isSafeInteger(bytes);
  return isNamed && isCounted && typeof month === 'string' && typeof sha256 === 'string';
}

function isOf<Value extends string>(list: readonly Value[], value: unknown): value is Value {
  return (list as readonly unknown[]).includes(value);
}
