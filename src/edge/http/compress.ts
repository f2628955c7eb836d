/** In which coding an answer goes out, for a client that takes some. */
import { gzip } from 'node:zlib';
import type { Packed } from '../../api/endpoint.ts';
import { GZIP_ANSWER_BYTES_MIN } from '../../model/limits.ts';
import type { Coding } from './accept-encoding.ts';

/** A fifth of the default's time for nearly its size: 18 instead of 15 % of a list of pages. */
const OPTIONS = { level: 1 } as const;

/**
 * @param packed the same in codings, where somebody made them in advance.
 * @param accepted the best first.
 * @param done at once, or when another thread has compressed it; '' is as it is.
 */
export function compress(
  body: string | Uint8Array,
  packed: Packed | undefined,
  accepted: readonly Coding[],
  done: (bytes: string | Uint8Array, coding: Coding | '') => void,
): void {
  const made = accepted.find((coding) => packed?.[coding] !== undefined);
  if (body.length < GZIP_ANSWER_BYTES_MIN) done(body, '');
  else if (made !== undefined) done(packed?.[made] ?? body, made);
  else if (!accepted.includes('gzip')) done(body, '');
  else {
    gzip(body, OPTIONS, (fault, bytes) => {
      if (fault === null) done(bytes, 'gzip');
      else done(body, '');
    });
  }
}
