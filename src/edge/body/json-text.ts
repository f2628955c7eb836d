/**
 * From the bytes of a body to a JSON value.
 *
 * Data plane. ASCII, which most bodies are, is decoded without looking at it as UTF-8. `JSON.parse`
 * itself survives any input. But a large body of nothing but brackets would take half a gigabyte and
 * as many milliseconds, and one of 20 kB the stack of whoever compares or writes its value: so bodies
 * are looked at before (`isDeep`).
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { errors } from '../../model/errors.ts';
import { JSON_DEPTH_MAX, JSON_DEPTH_SMALL_MAX, JSON_SMALL_BYTES_MAX } from '../../model/limits.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Bytes of the byte order mark in UTF-8, EF BB BF: some programs write it before every text. */
export const BOM_BYTES = 3;
/** Its first byte; no value of JSON begins with it. */
export const BOM_FIRST = 0xef;

/** Whether a body begins with the byte order mark, which is no part of its JSON. */
export function hasBom(bytes: Uint8Array): boolean {
  return bytes[0] === BOM_FIRST && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/**
 * Parses a body.
 *
 * @param sent read during the call only; a byte order mark in front is passed over.
 * @param smallMax levels of one of at most JSON_SMALL_BYTES_MAX bytes; Infinity: it is not looked at.
 * @throws BODY_NOT_JSON.
 */
export function parseJson(sent: Buffer, smallMax = JSON_DEPTH_SMALL_MAX): unknown {
  const bytes = hasBom(sent) ? sent.subarray(BOM_BYTES) : sent;
  if (bytes.length === 0) throw errors.BODY_NOT_JSON({ reason: 'it is empty' });
  const levelsMax = bytes.length > JSON_SMALL_BYTES_MAX ? JSON_DEPTH_MAX : smallMax;
  if (levelsMax !== Number.POSITIVE_INFINITY && isDeep(bytes, levelsMax)) {
    throw errors.BODY_NOT_JSON({ reason: `it is nested more than ${levelsMax} levels deep` });
  }
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw errors.BODY_NOT_JSON({ reason: reasonOf(cause) }, cause);
  }
}

function decode(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw errors.BODY_NOT_JSON({ reason: 'it is not UTF-8 text; send it uncompressed' });
}

/** Whether brackets outside of strings nest deeper than allowed. */
function isDeep(bytes: Buffer, levelsMax: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (isInString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((byte | 0x20) === 0x7b) {
      if (++depth > levelsMax) return true;
    } else if ((byte | 0x20) === 0x7d) depth--;
  }
  return false;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'it cannot be read';
}
