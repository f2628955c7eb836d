/**
 * Time zones: which instant a local date or clock time is, and which date an instant has there.
 *
 * Control plane; the only file that knows luxon. Luxon needs microseconds per call, so the instants
 * at which a zone's offset changes are found once per window of 32 days and kept: afterwards every
 * answer is a walk over one or two short arrays. Offsets may be of any size (quarter hours, odd
 * seconds of old local times), days may have no midnight, two of them, or not exist at all.
 *
 *     local ^        /        One rule answers every question: the instant of a local time is the
 *           |     __/  /      first instant at which the local clock shows that time or a later
 *           |    /    /       one. A time that occurs twice is its first occurrence, one that is
 *           |___/____/__> UTC skipped is the first instant after the gap (F-5).
 */

import { IANAZone } from 'luxon';

const DAY_SPAN_MS = 86_400_000;
const WINDOW_SPAN_MS = 32 * DAY_SPAN_MS;
/** Offsets are compared at this distance: no zone changes its offset there and back within it. */
const STEP_SPAN_MS = 4 * DAY_SPAN_MS;
/** No zone was ever further from UTC than this. */
const OFFSET_SPAN_MAX_MS = 16 * 3_600_000;
/** Windows kept over all zones: five years of 300 zones. Beyond it all are found anew. */
const WINDOW_COUNT_MAX = 20_000;

/** Per zone: window number → start, offset, start, offset … in milliseconds, ascending. */
const zones = new Map<string, Map<number, Float64Array>>();
let windowCount = 0;
/** Names found valid, lower-cased: a closed set. Asking luxon costs a formatter each time. */
const validNames = new Set<string>();

/** Whether the name is a time zone of the IANA database, in any case. */
export function isTimeZone(name: string): boolean {
  const key = name.toLowerCase();
  if (validNames.has(key)) return true;
  if (!IANAZone.isValidZone(name)) return false;
  validNames.add(key);
  return true;
}

/**
 * How far the local clock is ahead of UTC at an instant.
 *
 * @param zone a name for which `isTimeZone` holds.
 * @param atMs instant.
 * @returns milliseconds, negative west of Greenwich.
 */
export function zoneOffsetMs(zone: string, atMs: number): number {
  return offsetSpanAt(zone, atMs).offsetMs;
}

/** A span of time, `[startMs, endMs)`, in which a zone keeps one offset. */
export interface OffsetSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly offsetMs: number;
}

/**
 * A span around an instant with its offset: rows in it need no further question about the zone.
 *
 * @returns at most 32 days, not always up to the next change.
 */
export function offsetSpanAt(zone: string, atMs: number): OffsetSpan {
  const window = Math.floor(atMs / WINDOW_SPAN_MS);
  const pieces = piecesOf(zone, window);
  let index = pieces.length - 2;
  while (index > 0 && (pieces[index] as number) > atMs) index -= 2;
  return {
    startMs: pieces[index] as number,
    endMs: pieces[index + 2] ?? (window + 1) * WINDOW_SPAN_MS,
    offsetMs: pieces[index + 1] as number,
  };
}

/**
 * The first instant at which the zone's clock shows a local time or a later one.
 *
 * @param localMs local date and time, written as if it were UTC milliseconds.
 */
export function instantOfLocalMs(zone: string, localMs: number): number {
  const lastWindow = Math.floor((localMs + OFFSET_SPAN_MAX_MS) / WINDOW_SPAN_MS);
  let window = Math.floor((localMs - OFFSET_SPAN_MAX_MS) / WINDOW_SPAN_MS);
  for (; window <= lastWindow; window++) {
    const pieces = piecesOf(zone, window);
    for (let index = 0; index < pieces.length; index += 2) {
      const startMs = pieces[index] as number;
      const endMs = pieces[index + 2] ?? (window + 1) * WINDOW_SPAN_MS;
      const instantMs = Math.max(startMs, localMs - (pieces[index + 1] as number));
      if (instantMs < endMs) return instantMs;
    }
  }
  return localMs;
}

/**
 * The first instant of a local date; of a date the zone skipped, the first of the next one.
 *
 * @param day days since 1970-01-01.
 */
export function startOfLocalDayMs(zone: string, day: number): number {
  return instantOfLocalMs(zone, day * DAY_SPAN_MS);
}

/**
 * The local date whose span, from its first instant to the next date's, holds an instant.
 *
 * @returns days since 1970-01-01.
 */
export function localDayOf(zone: string, atMs: number): number {
  let day = Math.floor((atMs + zoneOffsetMs(zone, atMs)) / DAY_SPAN_MS);
  // A clock that is set back over midnight shows the old date again; the new one has begun.
  while (startOfLocalDayMs(zone, day + 1) <= atMs) day++;
  return day;
}

function piecesOf(name: string, window: number): Float64Array {
  // Spellings differ in case only; one entry for all of them keeps the number of zones closed.
  const key = name.toLowerCase();
  let windows = zones.get(key);
  const known = windows?.get(window);
  if (known !== undefined) return known;
  if (windowCount >= WINDOW_COUNT_MAX) {
    zones.clear();
    windowCount = 0;
    windows = undefined;
  }
  if (windows === undefined) {
    windows = new Map();
    zones.set(key, windows);
  }
  const pieces = findPieces(IANAZone.create(key), window * WINDOW_SPAN_MS);
  windows.set(window, pieces);
  windowCount++;
  return pieces;
}

function findPieces(zone: IANAZone, windowMs: number): Float64Array {
  let atMs = windowMs;
  let offsetMs = luxonOffsetMs(zone, atMs);
  const pieces = [atMs, offsetMs];
  while (atMs < windowMs + WINDOW_SPAN_MS) {
    const nextMs = atMs + STEP_SPAN_MS;
    const nextOffsetMs = luxonOffsetMs(zone, nextMs);
    if (nextOffsetMs !== offsetMs) {
      const changeMs = findChange(zone, { fromMs: atMs, toMs: nextMs, offsetMs });
      if (changeMs < windowMs + WINDOW_SPAN_MS) pieces.push(changeMs, nextOffsetMs);
      offsetMs = nextOffsetMs;
    }
    atMs = nextMs;
  }
  return Float64Array.from(pieces);
}

/** Bisects to the first instant in (from, to] whose offset is no longer the one at `from`. */
function findChange(
  zone: IANAZone,
  span: { fromMs: number; toMs: number; offsetMs: number },
): number {
  let { fromMs, toMs } = span;
  while (toMs - fromMs > 1) {
    const middleMs = Math.floor((fromMs + toMs) / 2);
    if (luxonOffsetMs(zone, middleMs) === span.offsetMs) fromMs = middleMs;
    else toMs = middleMs;
  }
  return toMs;
}

function luxonOffsetMs(zone: IANAZone, atMs: number): number {
  return Math.round(zone.offset(atMs) * 60_000);
}
