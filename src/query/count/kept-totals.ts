/**
 * Totals of days at rest that are kept beside them on disk: what a goal has of a day stays the same for
 * as long as the day does, and working it out means decoding the day's page views.
 *
 * Control plane, a look-up per day. A day is told apart by its state (`segment.counts`), so a name only
 * has to say what was asked, and of which part of the day.
 */

import { sha256 } from '../../base/hash.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { isInside, type Span } from '../plan/selection.ts';
import type { QueryFilters } from '../question/filters.ts';
import { Tally } from './tally.ts';

/** Bytes of a digest that tell questions apart: among 2^32 of them two are alike once in 2^64. */
const NAME_BYTES = 16;

/**
 * Counts as `add` does, but for days that somebody counted before.
 *
 * @param add adds what a segment has to group 0, by nothing but the filters and the range.
 */
export function addKept(
  { range, filters }: { readonly range: Span; readonly filters: QueryFilters },
  add: (segment: Segment, into: Tally) => void,
): (segment: Segment, into: Tally) => void {
  const asked = Buffer.from(sha256(JSON.stringify(filters))).toString('base64', 0, NAME_BYTES);
  return (segment, into) => {
    const { counts } = segment;
    if (counts === null) {
      add(segment, into);
      return;
    }
    const name = asked + partOf(segment, range);
    let found = counts.find(name);
    if (found === null) {
      const own = new Tally(1);
      add(segment, own);
      found = [own.rows[0]!, own.sessions[0]!, own.visitors[0]!, own.bounces[0]!];
      counts.keep(name, found);
    }
    const [rows = 0, sessions = 0, visitors = 0, bounces = 0] = found;
    into.rows[0]! += rows;
    into.sessions[0]! += sessions;
    into.visitors[0]! += visitors;
    into.bounces[0]! += bounces;
  };
}

/** The part of a segment that is in a range: '' is all of it. */
function partOf(segment: Segment, { startMs, endMs }: Span): string {
  if (isInside(segment, { startMs, endMs })) return '';
  return ` ${Math.max(startMs, segment.minMs)} ${Math.min(endMs, segment.maxMs + 1)}`;
}
