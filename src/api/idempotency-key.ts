/**
 * The header Idempotency-Key: 1 to 128 visible ASCII characters (I-75).
 *
 * Data plane. uWebSockets.js cuts white space and bytes beyond ASCII off both ends of a header's
 * value before anybody sees it, so such a key is judged without them.
 */
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../model/limits.ts';
import type { Problems } from './problems.ts';

const HEADER = 'Idempotency-Key';
const FIRST_VISIBLE = 0x21;
const LAST_VISIBLE = 0x7e;

/**
 * Whether a header's value is a key.
 *
 * @param key as sent; '' without the header, and for an empty one, which HTTP does not tell apart
 *   from none here (decided).
 * @cost one pass.
 */
export function isIdempotencyKey(key: string): boolean {
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX) return false;
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    if (code < FIRST_VISIBLE || code > LAST_VISIBLE) return false;
  }
  return true;
}

/** Says what is wrong with a key, if something is. */
export function addKeyProblem(problems: Problems, key: string): void {
  if (isIdempotencyKey(key)) return;
  problems.add(HEADER, `must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`);
}
