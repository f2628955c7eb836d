/**
 * Events of a segment by name and whole metadata: counted from its columns, and kept as a part.
 *
 * Data plane. There may be as many kinds of metadata as events, so no table keeps them; a day that does
 * not move any more is counted once per query thread.
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { Span } from '../plan/selection.ts';
import { spaceIds } from '../text/text-space.ts';
import type { Part, RolledGroups } from './group-ids.ts';

/** Counts and distinct visitors by name and metadata. */
export function readEventSets(groups: RolledGroups, segment: Segment, span: Span | null): Part {
  const { rowCount } = segment.events;
  if (rowCount === 0)
    return { groups: new Uint32Array(0), counts: [new Float64Array(0), new Float64Array(0)] };
  const { timeMs, session, name } = segment.events.columns;
  const { visitor } = segment.sessions.columns;
  const names = spaceIds(groups.space, segment, KIND.eventName);
  const rows = new Uint32Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    const atMs = timeMs[row]!;
    if (span === null || (atMs >= span.startMs && atMs < span.endMs)) rows[count++] = row;
  }
  const sets = groups.metaSets.assign(segment, { rows, count }, new Uint32Array(count));
  // Groups of this segment are dense, so that counting needs no map.
  const found = new PairIndex();
  const seen = new PairIndex();
  const events: number[] = [];
  const visitors: number[] = [];
  for (let index = 0; index < count; index++) {
    const row = rows[index]!;
    const group = found.idOf(names[name[row]!]!, sets[index]!);
    events[group] = (events[group] ?? 0) + 1;
    const known = seen.count;
    const isNew = seen.idOf(visitor[session[row]!]!, group) === known;
    visitors[group] = (visitors[group] ?? 0) + (isNew ? 1 : 0);
  }
  const numbers = new Uint32Array(found.count);
  for (let group = 0; group < found.count; group++) {
    numbers[group] = groups.eventSets.idOf(found.firsts[group]!, found.seconds[group]!);
  }
  return { groups: numbers, counts: [Float64Array.from(events), Float64Array.from(visitors)] };
}
