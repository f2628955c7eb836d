/**
 * Visitor ids (I-30..I-33) and the hash of an idempotency key (I-75).
 *
 * Data plane. An id is SipHash-2-4 of (digest of the user agent, address) under a key of its own
 * for the domain and the UTC day, and that key is derived from the secret once and remembered. So
 * ids of two domains or days have nothing in common (I-31), and neither address nor user agent can
 * be found from an id without the secret. The digest of a user agent, the long part of the input,
 * is taken once per user agent and kept in its profile.
 *
 * Where days have secrets of their own (P-22, `day-keys.ts`) the key of a domain and a day is derived
 * from the day's: once it is destroyed no id of the day can be made again.
 */

import { createHmac } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import { BoundedCache } from '../../base/bounded-cache.ts';
import { IMPORT_HASH_PREFIX } from '../../model/hit.ts';
import {
  DAY_KEY_BYTES,
  DAY_MS,
  INPUT_TEXT_LENGTH_MAX,
  VISITOR_KEY_DAY_COUNT_MAX,
  VISITOR_KEY_DOMAIN_COUNT_MAX,
} from '../../model/limits.ts';
import type { DayKeys } from './day-keys.ts';
import { type SipKey, sipHash, sipKey } from './siphash.ts';

/** A code unit is at most three bytes of UTF-8. */
const TEXT_BYTES_MAX = INPUT_TEXT_LENGTH_MAX * 2 * 3;
/** Bytes of the user agent's digest, which stands before the address. */
const DIGEST_BYTES = 8;
const SECRET_BYTES_MIN = 16;

/** The digest of a user agent as its profile carries it: two unsigned words. */
export interface AgentDigest {
  digestLow: number;
  digestHigh: number;
}

/** Makes visitor ids under one secret; the same secret gives the same ids on every node. */
export class VisitorIds {
  readonly #secret: Uint8Array;
  readonly #dayKeys: DayKeys | null;
  readonly #dayKey = new Uint8Array(DAY_KEY_BYTES);
  readonly #agentKey: SipKey;
  // Maps of keys: a domain has few days in use, nearly always one.
  readonly #domains = new BoundedCache<string, BoundedCache<number, SipKey>>(
    VISITOR_KEY_DOMAIN_COUNT_MAX,
  );
  readonly #bytes = new Uint8Array(DIGEST_BYTES + TEXT_BYTES_MAX);
  readonly #id = new Uint32Array(2);
  // What the id at hand was made of: the hits of a visit often come in a row.
  #digestLow = 0;
  #digestHigh = 0;
  #address = '';
  #domainId = '';
  #dayIndex = -1;
  readonly #encoder = new TextEncoder();

  /**
   * @param secret at least 16 bytes; one secret per installation, kept for its life.
   * @param dayKeys secrets of the days; null: the installation's is that of every day.
   */
  constructor(secret: Uint8Array, dayKeys: DayKeys | null = null) {
    assert(secret.length >= SECRET_BYTES_MIN, 'the visitor key has at least 16 bytes');
    this.#secret = secret;
    this.#dayKeys = dayKeys;
    this.#agentKey = derive(secret, 'user-agent');
  }

  /**
   * The 64-bit keyed digest of a user agent as sent (I-30).
   *
   * @param out gets the digest, low word first.
   */
  digest(userAgent: string, out: Uint32Array): void {
    const end = this.#write(userAgent, 0);
    sipHash(this.#agentKey, this.#bytes, end, out);
  }

  /**
   * The visitor id of a UTC day (I-30).
   *
   * @param digest of the user agent, from `digest`.
   * @param address as I-3 cleans it.
   * @param dayIndex days since the epoch (`utcDayIndex`).
   * @returns the id, low word first, never 0/0 (which stands for "none" in a hit). One array for
   *   all calls: read it before the next one.
   * @throws DAY_KEY_MISSING when days have keys and this one has none yet.
   * @cost SipHash over 8 bytes and the address; no allocation once the day's key is known; a few
   *   compares for the visitor before.
   */
  id(digest: AgentDigest, address: string, domainId: string, dayIndex: number): Uint32Array {
    const id = this.#id;
    const isSameAgent =
      digest.digestLow === this.#digestLow && digest.digestHigh === this.#digestHigh;
    const isSameDay = dayIndex === this.#dayIndex && domainId === this.#domainId;
    if (isSameAgent && isSameDay && address === this.#address) return id;
    // First: without a key nothing is remembered.
    const key = this.#keyOf(domainId, dayIndex);
    this.#digestLow = digest.digestLow;
    this.#digestHigh = digest.digestHigh;
    this.#address = address;
    this.#domainId = domainId;
    this.#dayIndex = dayIndex;
    const bytes = this.#bytes;
    writeWord(bytes, 0, digest.digestLow);
    writeWord(bytes, 4, digest.digestHigh);
    const end = this.#write(address, DIGEST_BYTES);
    sipHash(key, bytes, end, id);
    if (id[0] === 0 && id[1] === 0) id[0] = 1;
    return id;
  }

  /** Forgets what was derived from keys of days, and overwrites it: one was destroyed, or came. */
  forgetDays(): void {
    this.#domains.clear((days) => days.clear((key) => key.fill(0)));
    this.#dayIndex = -1;
    this.#id.fill(0);
  }

  #keyOf(domainId: string, dayIndex: number): SipKey {
    let days = this.#domains.get(domainId);
    if (days === undefined) {
      days = new BoundedCache(VISITOR_KEY_DAY_COUNT_MAX);
      this.#domains.set(domainId, days);
    }
    let key = days.get(dayIndex);
    if (key === undefined) {
      key = this.#derive(domainId, dayIndex);
      days.set(dayIndex, key);
    }
    return key;
  }

  #derive(domainId: string, dayIndex: number): SipKey {
    const purpose = `visitor ${utcDay(dayIndex)} ${domainId}`;
    if (this.#dayKeys === null) return derive(this.#secret, purpose);
    this.#dayKeys.read(dayIndex, this.#dayKey);
    const key = derive(this.#dayKey, purpose);
    this.#dayKey.fill(0);
    return key;
  }

  /** Writes a text as UTF-8; ASCII, which is nearly all, without leaving JavaScript. */
  #write(text: string, at: number): number {
    const bytes = this.#bytes;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return at + this.#encoder.encodeInto(text, bytes.subarray(at)).written;
      bytes[at + index] = unit;
    }
    return at + text.length;
  }
}

function derive(secret: Uint8Array, purpose: string): SipKey {
  return sipKey(createHmac('sha256', secret).update(purpose).digest());
}

/** The UTC day of an instant as days since the epoch (I-33). */
export function utcDayIndex(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/**
 * What is remembered of an Idempotency-Key: 128 bits of HMAC-SHA-256 as 32 hex digits.
 *
 * Keyed by the domain, so that one key on two domains leaves two unrelated hashes.
 */
export function hashIdempotencyKey(key: string, domainId: string): string {
  return createHmac('sha256', domainId).update(key).digest('hex').slice(0, 32);
}

/** The same of a portion of an import: it begins as `isImportHash` wants it. */
export function hashImportKey(key: string, domainId: string): string {
  return IMPORT_HASH_PREFIX + hashIdempotencyKey(key, domainId).slice(IMPORT_HASH_PREFIX.length);
}

/** `YYYYMMDD`, as I-30 names the day; once per domain and day. */
function utcDay(dayIndex: number): string {
  return new Date(dayIndex * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
}

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word;
  bytes[at + 1] = word >>> 8;
  bytes[at + 2] = word >>> 16;
  bytes[at + 3] = word >>> 24;
}
