/**
 * The header Idempotency-Key: 1 to 128 visible ASCII characters (I-75).
 *
 * Data plane. The HTTP engine cuts white space off both ends of a header's value before anybody sees
 * it, and on x64 bytes of 0x80 and above as well: `order-1é` is `order-1` here (DECISIONS 43).
 */
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../../model/limits.ts';
import type { Problems } from '../problems.ts';

const HEADER = 'Idempotency-Key';
const FIRST_VISIBLE = 0x21;
const LAST_VISIBLE = 0x7e;

/**
 * Whether a header's value is a key, or there is none to judge.
 *
 * @param key null without the header; several headers come as one value, joined by a comma and a
 *   space as HTTP has it, which is no key.
 * @cost one pass.
 */
export function isIdempotencyKey(key: string | null): boolean {
  if (key === null) return true;
  if (key === '' || key.length > IDEMPOTENCY_KEY_LENGTH_MAX) return false;
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    if (code < FIRST_VISIBLE || code > LAST_VISIBLE) return false;
  }
  return true;
}

/** Says what is wrong with a key, if something is. */
export function addKeyProblem(problems: Problems, key: string | null): void {
  if (isIdempotencyKey(key)) return;
  problems.add(HEADER, `must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters, once`);
}
