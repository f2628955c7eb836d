/**
 * Tags and metadata: what the edge refuses (I-56) and what a hit carries of them (I-54, I-55, I-99).
 *
 * Data plane. The limits hold for what was sent, object by object: before trimming, before pairs
 * with an empty side are dropped, before tags are merged into metadata. So an event may carry up to
 * 40 merged pairs, and a client can tell from its own request alone whether it is within bounds.
 */

import { HitKind } from '../model/hit.ts';
import {
  EVENT_NAME_LENGTH_MAX,
  META_KEY_LENGTH_MAX,
  META_PAIR_COUNT_MAX,
  META_VALUE_LENGTH_MAX,
  TAG_PAIR_COUNT_MAX,
  TAG_TEXT_LENGTH_MAX,
} from '../model/limits.ts';
import type { RawHit } from './raw-hit.ts';
import { isLongerThan } from './text.ts';

type RawPairs = Readonly<Record<string, unknown>> | null | undefined;

/**
 * Checks the bounds of tags, metadata and event name (I-56), for the edge.
 *
 * @param kind an entry of `HitKind`; a keep-alive carries none of them, so nothing is checked.
 * @returns what to change, by field (`event_name`, `event_meta`, `tags`); null when all is well.
 */
export function checkPairs(raw: RawHit, kind: number): Record<string, string> | null {
  if (kind === HitKind.KeepAlive) return null;
  const tags = checkTags(raw.tags);
  if (kind === HitKind.PageView) return tags === '' ? null : { tags };
  const name = checkEventName(raw.event_name);
  const meta = checkMeta(raw.event_meta);
  if (name === '' && meta === '' && tags === '') return null;
  const validation: Record<string, string> = {};
  if (name !== '') validation['event_name'] = name;
  if (meta !== '') validation['event_meta'] = meta;
  if (tags !== '') validation['tags'] = tags;
  return validation;
}

/**
 * The pairs of a page view or event: key, value, key, value …, each key once; null without any.
 *
 * An event's metadata comes first, then the tags whose key the metadata does not have (I-55). Of
 * two keys that trimming makes equal the later one wins, as in JSON itself.
 *
 * @param kind `HitKind.PageView` or `HitKind.Event`.
 */
export function pairsOf(raw: RawHit, kind: number): string[] | null {
  const { tags } = raw;
  const meta = kind === HitKind.Event ? raw.event_meta : null;
  if (isAbsent(tags) && isAbsent(meta)) return null;
  const pairs: string[] = [];
  addPairs(pairs, meta, 0);
  const metaEnd = pairs.length;
  addPairs(pairs, tags, metaEnd);
  return pairs.length === 0 ? null : pairs;
}

/** Adds pairs; a key found before `ownStart` keeps its value, one found after it gets the new. */
function addPairs(pairs: string[], raw: RawPairs, ownStart: number): void {
  if (isAbsent(raw)) return;
  const keys = Object.keys(raw);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!.trim();
    const value = pairText(raw[keys[index]!]);
    if (key === '' || value === '') continue;
    const found = keyIndex(pairs, key);
    if (found === -1) pairs.push(key, value);
    else if (found >= ownStart) pairs[found + 1] = value;
  }
}

/** Position of a key; linear, because 40 pairs are the most there are. */
function keyIndex(pairs: readonly string[], key: string): number {
  for (let index = 0; index < pairs.length; index += 2) {
    if (pairs[index] === key) return index;
  }
  return -1;
}

/** A value as text (I-54): trimmed; numbers and booleans as they are written; null is absent. */
function pairText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return decimalText(value);
  return typeof value === 'boolean' ? String(value) : '';
}

/**
 * The shortest decimal form of a number that reads back as the same number, never with an
 * exponent: 1e-7 is `0.0000001`.
 *
 * @param value at most 2^53 in size: the language writes an exponent only for small ones then.
 */
export function decimalText(value: number): string {
  const text = String(value);
  const exponentAt = text.indexOf('e');
  if (exponentAt === -1) return text;
  const exponent = Number(text.slice(exponentAt + 1));
  const sign = value < 0 ? '-' : '';
  const mantissa = text.slice(sign.length, exponentAt);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const point = whole.length + exponent;
  return `${sign}0.${'0'.repeat(-point)}${digits}`;
}

function checkEventName(name: string | null | undefined): string {
  if (name === null || name === undefined || !isLongerThan(name, EVENT_NAME_LENGTH_MAX)) return '';
  return `must have at most ${EVENT_NAME_LENGTH_MAX} characters`;
}

function checkMeta(meta: RawPairs): string {
  if (isAbsent(meta)) return '';
  const keys = Object.keys(meta);
  if (keys.length > META_PAIR_COUNT_MAX) return tooMany(keys.length, META_PAIR_COUNT_MAX);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const value = meta[key];
    if (isLongerThan(key, META_KEY_LENGTH_MAX)) return keyTooLong(META_KEY_LENGTH_MAX);
    if (value === null) continue;
    if (typeof value === 'number' && !isKept(value)) {
      return `the value of '${key}' is a number that is not kept exactly: send it as text`;
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      return `the value of '${key}' must be a string, a number or a boolean`;
    }
    if (typeof value === 'string' && isLongerThan(value, META_VALUE_LENGTH_MAX)) {
      return `the value of '${key}' must have at most ${META_VALUE_LENGTH_MAX} characters`;
    }
  }
  return '';
}

/**
 * Whether a number is what was sent: JSON's reader rounds whole numbers beyond 2^53 to neighbours,
 * 9007199254740993 to 9007199254740992, and nobody can tell afterwards. Fractions are the nearest
 * number of 64 bits, as I-54 writes them.
 */
function isKept(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function checkTags(tags: RawPairs): string {
  if (isAbsent(tags)) return '';
  const keys = Object.keys(tags);
  if (keys.length > TAG_PAIR_COUNT_MAX) return tooMany(keys.length, TAG_PAIR_COUNT_MAX);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const value = tags[key];
    if (isLongerThan(key, TAG_TEXT_LENGTH_MAX)) return keyTooLong(TAG_TEXT_LENGTH_MAX);
    if (typeof value !== 'string') return `the value of '${key}' must be a string`;
    if (isLongerThan(value, TAG_TEXT_LENGTH_MAX)) {
      return `the value of '${key}' must have at most ${TAG_TEXT_LENGTH_MAX} characters`;
    }
  }
  return '';
}

function tooMany(count: number, countMax: number): string {
  return `must have at most ${countMax} pairs, not ${count}`;
}

function keyTooLong(lengthMax: number): string {
  return `a key must have at most ${lengthMax} characters`;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
