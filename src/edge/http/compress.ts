/** Whether an answer goes out as it is or as gzip, for a client that takes both. */
import { gzip } from 'node:zlib';
import { GZIP_ANSWER_BYTES_MIN } from '../../model/limits.ts';

/** A fifth of the default's time for nearly its size: 18 instead of 15 % of a list of pages. */
const OPTIONS = { level: 1 } as const;

/**
 * @param packed the same as gzip, where somebody made it in advance.
 * @param done at once, or when another thread has compressed it.
 */
export function compress(
  body: string | Uint8Array,
  packed: Uint8Array | undefined,
  done: (bytes: string | Uint8Array, isGzip: boolean) => void,
): void {
  if (body.length < GZIP_ANSWER_BYTES_MIN) done(body, false);
  else if (packed !== undefined) done(packed, true);
  else {
    gzip(body, OPTIONS, (fault, made) => {
      if (fault === null) done(made, true);
      else done(body, false);
    });
  }
}
