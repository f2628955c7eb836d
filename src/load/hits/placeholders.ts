/**
 * What has to be new each time that a prepared request is sent: a visitor's address, a path that nobody
 * has seen, the time. A placeholder is as long as what takes its place, so a request is prepared
 * once and a few bytes of it are written over.
 *
 * Control plane around a hot loop: `fill` is called once for each hit that is sent.
 */

/** Bytes of every address that is put in: four numbers of three digits and three dots. */
export const ADDRESS_LENGTH = 15;
/** Different ordinals below it have different addresses. */
const ADDRESS_COUNT = 124 * 156 ** 3;
const DIGITS = 9;
const TIME_LENGTH = '2026-11-23T12:00:00.000Z'.length;
const ZERO = 48;
const DOT = 46;

/** Where the address of a visit goes. */
export function addressPlaceholder(visit: number): string {
  return `visit-${String(visit).padStart(DIGITS, '0')}`;
}

/** Where a number goes that no request had before, in 15 digits. */
export function freshPlaceholder(ordinal: number): string {
  return `fresh-${String(ordinal).padStart(DIGITS, '0')}`;
}

/** Where the time of sending goes, as ISO 8601 in UTC. */
export const TIME_PLACEHOLDER = 'clock-'.padEnd(TIME_LENGTH, '0');

/** Finds all of them; the kind is the first group, the ordinal the second. */
export const PLACEHOLDERS = new RegExp(
  `(visit|fresh)-(\\d{${DIGITS}})|(clock)-0{${TIME_LENGTH - 'clock-'.length}}`,
  'g',
);

/** Address of a visit, spread over the whole range. */
export function visitAddress(ordinal: number): string {
  const bytes = new Uint8Array(ADDRESS_LENGTH);
  writeAddress(bytes, 0, ordinal);
  return String.fromCharCode(...bytes);
}

/** Writes the address of a visit at a place. */
export function writeAddress(into: Uint8Array, at: number, ordinal: number): void {
  const mixed = (ordinal * 48_271) % ADDRESS_COUNT;
  const last = mixed % 156;
  const third = Math.floor(mixed / 156) % 156;
  const second = Math.floor(mixed / 24_336) % 156;
  writeThree(into, at, 100 + Math.floor(mixed / 3_796_416));
  writeThree(into, at + 4, 100 + last);
  writeThree(into, at + 8, 100 + third);
  writeThree(into, at + 12, 100 + second);
  into[at + 3] = DOT;
  into[at + 7] = DOT;
  into[at + 11] = DOT;
}

/** Writes a number in 15 digits at a place. */
export function writeFresh(into: Uint8Array, at: number, value: number): void {
  let rest = value;
  for (let place = at + ADDRESS_LENGTH - 1; place >= at; place--) {
    const next = Math.floor(rest / 10);
    into[place] = ZERO + (rest - next * 10);
    rest = next;
  }
}

function writeThree(into: Uint8Array, at: number, value: number): void {
  into[at] = ZERO + Math.floor(value / 100);
  into[at + 1] = ZERO + (Math.floor(value / 10) % 10);
  into[at + 2] = ZERO + (value % 10);
}
