/** Bounds of imports (P-1 to P-3), as `limits.ts` has those of everything else. */
import { DAY_MS, HOUR_MS } from './limits.ts';

/** Bytes of an upload (P-2). */
export const UPLOAD_BYTES_MAX = 2 * 1_024 ** 3;
/** Uploads of one domain that are there at the same time. */
export const UPLOAD_COUNT_MAX = 20;
/** Uploads of one domain that are on their way to one thread at the same time. */
export const UPLOADS_AT_ONCE_MAX = 4;
/** Bytes of all uploads of one domain: four of the largest. */
export const UPLOADED_BYTES_MAX = 4 * UPLOAD_BYTES_MAX;
/** An upload that nobody imports is removed after this. */
export const UPLOAD_KEPT_MS = DAY_MS;
/** Bytes that stay free on the disk: hits have to be stored while files come. */
export const UPLOAD_DISK_FREE_BYTES_MIN = 512 * 1_024 ** 2;
/** Bytes of an upload that wait for the disk; then its client waits. */
export const UPLOAD_PENDING_BYTES_MAX = 1_024 ** 2;
/** Code points of a file's name. */
export const UPLOAD_NAME_LENGTH_MAX = 200;
/** Files of a folder or an archive; one day a file is two years and more. */
export const SOURCE_FILE_COUNT_MAX = 1_000;
/** Characters of a file's name in an archive, with its folders. */
export const SOURCE_NAME_LENGTH_MAX = 1_000;
/** Bytes of all files of an archive, unpacked: a small one must not fill the disk. */
export const SOURCE_BYTES_MAX = 32 * 1_024 ** 3;
/** How much larger a file may become when it is unpacked; tables of numbers come to 30. */
export const INFLATE_RATIO_MAX = 300;
/** Characters of one row of a table: a quote that is never closed would take the file as one cell. */
export const SOURCE_ROW_LENGTH_MAX = 1_024 ** 2;
/** Characters of one entry of a JSON file: a visit, or all rows of one day. */
export const SOURCE_ENTRY_LENGTH_MAX = 16 * 1_024 ** 2;
/** Sessions of another product that are joined to their events in memory: some 80 bytes each. */
export const JOINED_SESSION_COUNT_MAX = 4_000_000;
/** Memory of the process that reads an import; on a small machine it is a quarter of the node's, at least this. */
export const IMPORT_READER_BYTES_MAX = 1_024 ** 3;
export const IMPORT_READER_BYTES_MIN = 256 * 1_024 ** 2;
/** It says how far it is, and is looked at, as often. */
export const IMPORT_LOOK_MS = 250;
/** It is given up when it has said nothing for this long: some expression or list takes forever. */
export const IMPORT_SILENCE_MS_MAX = 5 * 60_000;
/** Attempts of a job that bring it no further; then it has failed. */
export const IMPORT_ATTEMPTS_MAX = 5;
/** How long a job rests after an attempt that failed; after each twice as long, up to the second. */
export const IMPORT_RETRY_MS = 2_000;
export const IMPORT_RETRY_MS_MAX = 5 * 60_000;
/** Rows that are sorted in memory before they go to disk. */
export const STAGED_RUN_ROW_COUNT = 50_000;
/** Files of such rows, which are open at the same time: up to 25 million rows in one import. */
export const STAGED_RUN_COUNT_MAX = 500;
/** Characters of one row as it is sorted: a session with all of its page views and events. */
export const STAGED_ROW_LENGTH_MAX = 16 * 1_024 ** 2;
/** Hits of an import in one record of the log. */
export const IMPORTED_HITS_PER_RECORD = 2_000;
/** An import waits while as many bytes of the log are not counted: live hits go first. */
export const IMPORT_BACKLOG_BYTES_MAX = 4 * 1_024 ** 2;
/** How long a job may have rested and still rely on idempotency keys, which live for 24 hours. */
export const IMPORT_REST_MS_MAX = 20 * HOUR_MS;
/** Jobs of one domain that are remembered. */
export const IMPORT_JOB_COUNT_MAX = 100;
/** Rows of a search console that a domain has (P-4): 16 months with 100 queries a day. */
export const KEYWORD_ROW_COUNT_MAX = 50_000;
/** Code points kept of what people searched. */
export const KEYWORD_LENGTH_MAX = 200;
/** Bytes of a table of keywords, and of all that a domain has of them. */
export const KEYWORD_BYTES_MAX = 4 * 1_024 ** 2;
/** Tables of keywords that a thread has read already: some megabytes each. */
export const KEYWORD_CACHED_TABLE_COUNT_MAX = 8;
/** How often a node looks for what nobody has a use for any more. */
export const UPLOAD_SWEEP_MS = 60_000;
/** An upload without a record that nothing was written to for this long was broken off. */
export const UPLOAD_ORPHAN_MS = 15 * 60_000;
