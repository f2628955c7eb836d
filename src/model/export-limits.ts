/** Bounds of exports (P-10), as `limits.ts` has those of everything else. */
import { HOUR_MS, SECOND_MS } from './limits.ts';

/** How long a finished export is offered; one that failed or was cancelled is listed as long. */
export const EXPORT_KEPT_MS = 24 * HOUR_MS;
/** Exports of one domain that wait or run. */
export const EXPORT_OPEN_COUNT_MAX = 3;
/** Exports that wait or run and were asked for by one user, of all domains. */
export const EXPORT_OPEN_OF_USER_COUNT_MAX = 10;
/** Exports of one domain that are listed. */
export const EXPORT_COUNT_MAX = 20;
/** Bytes that finished exports of one domain may have before another one is begun. */
export const EXPORT_OFFERED_BYTES_MAX = 32 * 1_024 ** 3;
/** Bytes that stay free on the disk: hits have to be stored while files are written. */
export const EXPORT_DISK_FREE_BYTES_MIN = 512 * 1_024 ** 2;
/** Bytes that are written between two looks at the disk. */
export const EXPORT_DISK_LOOK_BYTES = 64 * 1_024 ** 2;
/** How often an export is begun before it has failed: the process may have been killed by it. */
export const EXPORT_ATTEMPT_COUNT_MAX = 4;
/** From one look at whether an export is still wanted to the next. */
export const EXPORT_LOOK_MS = 250;
/** How often an export that runs says how far it is. */
export const EXPORT_TELL_MS = 5 * SECOND_MS;
/** Bytes that a download reads at once. */
export const DOWNLOAD_PIECE_BYTES = 256 * 1_024;
/** Downloads of one thread, and of one domain in it, at the same time. */
export const DOWNLOAD_COUNT_MAX = 64;
export const DOWNLOAD_OF_DOMAIN_COUNT_MAX = 8;
/**
 * Downloads of one thread from disks of other nodes, at the same time: with the pieces below, 16 MiB. A
 * server of NATS cuts off who has 64 MiB waiting.
 */
export const RELAYED_COUNT_MAX = 16;
/** Pieces of such a download that are asked for, or wait for their client. */
export const RELAYED_AHEAD_COUNT = 4;
/** How long the answer to one question is waited for. */
export const RELAYED_ANSWER_MS = 3 * SECOND_MS;
/** How long a piece is asked for again; the engine cuts off a client that gets nothing for 10 s. */
export const RELAYED_PATIENCE_MS = 8 * SECOND_MS;
export const RELAYED_RETRY_MS = 250;
