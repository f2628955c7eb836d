/** Segments without their hidden rows: what those with them are judged by. */

import type { StatisticsQuery } from '../../src/query/request.ts';
import { runStatistics } from '../../src/query/run.ts';
import { rebuildSegment } from '../../src/segment/rebuild.ts';
import type { Segment } from '../../src/segment/segment.ts';
import { runEveryWay } from './engine-bench.ts';

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

/** Every way, and by a scan of what is left when hidden rows are taken out: all the same. */
export function runWithoutHidden(query: StatisticsQuery, segments: readonly Segment[]): unknown {
  const answer = runEveryWay(query, segments);
  const left = JSON.stringify(runStatistics(query, withoutHidden(segments), null, 'scan'));
  if (JSON.stringify(answer) !== left) {
    throw new Error(`${query.statistic}: ${JSON.stringify(answer)}\nwithout hidden rows ${left}`);
  }
  return answer;
}
