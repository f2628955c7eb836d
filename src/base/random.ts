/**
 * The only source of randomness: ids, secrets and keys from the operating system's generator.
 *
 * Control plane. `apply` never uses it: what is random is in the record.
 */
import { randomBytes, randomInt } from 'node:crypto';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Largest multiple of 62 in a byte: a larger byte would favour the first letters. */
const BYTE_LIMIT = 256 - (256 % ALPHANUMERIC.length);

/**
 * A text of letters and digits, each equally likely.
 *
 * @param length characters, 0 or more.
 */
export function randomAlphanumeric(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < BYTE_LIMIT) text += ALPHANUMERIC.charAt(byte % ALPHANUMERIC.length);
    }
  }
  return text;
}

/**
 * A key nobody can guess.
 *
 * @param length bytes.
 */
export function randomKey(length: number): Uint8Array {
  return new Uint8Array(randomBytes(length));
}

/** A whole number from 0 to below the limit, each equally likely. */
export function randomBelow(limit: number): number {
  return randomInt(limit);
}

/** A number from 0 to 1, for waits that should differ. */
export function randomShare(): number {
  return Math.random();
}
