/**
 * Cryptographic digests of secrets and tokens.
 *
 * Control plane; what the data plane needs per hit is cached by its callers.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a text or of bytes in lower-case hexadecimal, 64 characters: how secrets are stored. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** SHA-256 of a text, 32 bytes. */
export function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** HMAC-SHA-256, 32 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(message).digest();
}

/** Whether a text is a secret, in a time that tells nothing about either. */
export function isSameSecret(given: string, secret: string): boolean {
  return equalInConstantTime(sha256(given), sha256(secret));
}

/** Whether two byte strings are equal, in a time that tells nothing about where they differ. */
export function equalInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
