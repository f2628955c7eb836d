/**
 * One-time codes of an app (RFC 6238), and recovery codes for whoever has lost it (M-80).
 *
 * Control plane. Six digits of HMAC-SHA-1 over the number of the half minute: what every app can do.
 * The secret is kept as it is, since codes are made from it; recovery codes are kept hashed.
 */
import { createHmac } from 'node:crypto';
import { equalInConstantTime, sha256Hex } from '../../base/hash.ts';
import { randomKey } from '../../base/random.ts';
import {
  RECOVERY_CODE_COUNT,
  SECOND_MS,
  TOTP_SECRET_BYTES,
  TOTP_STEP_MS,
} from '../../model/limits.ts';

const ISSUER = 'Footfall';
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_OF_LETTER = 5;
/** Of a recovery code: 80 bits, so that a plain hash is as good as a slow one. */
const RECOVERY_BYTES = 10;

/** A new secret in base32, as people type it where they cannot scan it. */
export function newTotpSecret(): string {
  return base32(randomKey(TOTP_SECRET_BYTES));
}

/** What the QR code for the app holds. */
export function totpUri(secret: string, email: string): string {
  const label = `${ISSUER}:${encodeURIComponent(email)}`;
  const seconds = TOTP_STEP_MS / SECOND_MS;
  const rest = `issuer=${ISSUER}&algorithm=SHA1&digits=${DIGITS}&period=${seconds}`;
  return `otpauth://totp/${label}?secret=${secret}&${rest}`;
}

/**
 * The step that a code is of: now, or the one before or behind it, as clocks differ.
 *
 * @param lastStep the step of the code before: it and earlier ones do not count again.
 * @returns null when the code is of none of them.
 */
export function stepOfCode(
  code: string,
  { secret, lastStep }: { readonly secret: string; readonly lastStep: number },
  nowMs: number,
): number | null {
  const typed = Buffer.from(code.replace(/\s/g, ''));
  const key = bytesOfBase32(secret);
  const step = Math.floor(nowMs / TOTP_STEP_MS);
  // All three are compared whatever comes out: the time tells nothing.
  const found = [step - 1, step, step + 1].filter((candidate) =>
    equalInConstantTime(typed, Buffer.from(codeOf(key, candidate))),
  );
  return found.find((candidate) => candidate > lastStep) ?? null;
}

/** The code of a step: six digits. */
export function totpCode(secret: string, step: number): string {
  return codeOf(bytesOfBase32(secret), step);
}

/** New recovery codes as they are shown, this once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    (base32(randomKey(RECOVERY_BYTES)).toLowerCase().match(/.{4}/g) ?? []).join('-'),
  );
}

/** What is kept of a recovery code; case, spaces and hyphens make no difference. */
export function recoveryHash(code: string): string {
  return sha256Hex(code.toLowerCase().replace(/[\s-]/g, ''));
}

function codeOf(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  // The last four bits say where the number begins (RFC 4226, section 5.3).
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** Of whole groups of five bytes: without padding. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= BITS_OF_LETTER; bits -= BITS_OF_LETTER) {
      text += BASE32.charAt((held >>> (bits - BITS_OF_LETTER)) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return text;
}

function bytesOfBase32(text: string): Uint8Array {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const letter of text) {
    held = (held << BITS_OF_LETTER) | BASE32.indexOf(letter);
    bits += BITS_OF_LETTER;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >>> bits) & 255);
    held &= (1 << bits) - 1;
  }
  return Uint8Array.from(bytes);
}
