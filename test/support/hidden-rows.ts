/** Segments without their hidden rows: what those with them are judged by. */
import { rebuildSegment } from '../../src/segment/rebuild.ts';
import type { Segment } from '../../src/segment/segment.ts';

/** The segments without the rows that are hidden. */
export function withoutHidden(segments: readonly Segment[]): Segment[] {
  return segments.map((segment) => {
    const { hidden, views, events, carried } = segment;
    if (hidden === null) return segment;
    const shown = (session: ArrayLike<number>, count: number) =>
      Uint8Array.from({ length: count }, (_, row) => 1 - (hidden[session[row] as number] ?? 0));
    return rebuildSegment(segment, {
      views: shown(views.columns.session, views.rowCount),
      events: shown(events.columns.session, events.rowCount),
      carried: new Uint8Array(carried.rowCount),
    });
  });
}
