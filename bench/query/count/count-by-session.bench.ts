/** Distinct sessions and visitors per page: along the sessions in order of visitor, or by sorting rows. */

import { tallySessionRows } from '../../../src/query/count/count-by-session.ts';
import { Tally, tallyRows } from '../../../src/query/count/tally.ts';
import { QueryRun } from '../../../src/query/plan/query-run.ts';
import { NO_FILTERS } from '../../../src/query/question/filters.ts';
import { viewedSessions } from '../../../src/query/select/viewed-sessions.ts';
import { sessionViewsOf } from '../../../src/query/select/views-by-session.ts';
import { visitorOrderOf } from '../../../src/query/select/visitor-order.ts';
import { KIND } from '../../../src/segment/memory/dictionary.ts';
import type { Segment } from '../../../src/segment/memory/segment.ts';
import { enrichedHits, filledSegments } from '../../harness/data/workload.ts';
import { benchmark } from '../../harness/suite.ts';

const ALL_TIME = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER };

benchmark('query/session-rows: views of one segment by page', ({ seed, size }) => {
  const elements = size({ smoke: 300, full: 300_000 });
  const [segment] = filledSegments(enrichedHits({ seed, hits: elements })) as [Segment];
  const run = new QueryRun();
  const pageCount = segment.dictionary.texts(KIND.path).length;
  const groupMap = Uint32Array.from({ length: pageCount }, (_, page) => page);
  const all = visitorOrderOf(segment);
  const everyThird = all.filter((row) => row % 3 === 0);
  return {
    'along the sessions': {
      elements,
      run: () => alongSessions(segment, all, groupMap, run),
    },
    'along a third of the sessions': {
      elements,
      run: () => alongSessions(segment, everyThird, groupMap, run),
    },
    'rows sorted by page': { elements, run: () => bySort(segment, groupMap, run) },
    'views of whole sessions, none looked at': { elements, run: () => wholeSessions(segment) },
  };
});

function alongSessions(
  segment: Segment,
  sessions: Uint32Array,
  groupMap: Uint32Array,
  run: QueryRun,
): string {
  const tally = new Tally(groupMap.length);
  const views = sessionViewsOf(segment);
  const kept = new Uint8Array(groupMap.length).fill(1);
  const groups = { groups: views.paths, groupCount: groupMap.length, groupMap, kept };
  tallySessionRows(segment, { ...groups, sessions, views }, tally, { run, includesTime: false });
  return tally.visitors.join();
}

function bySort(segment: Segment, groupMap: Uint32Array, run: QueryRun): string {
  const tally = new Tally(groupMap.length);
  const { session, path } = segment.views.columns;
  const rows = { count: segment.views.rowCount, sessions: session, groups: path };
  const groups = { groupCount: groupMap.length, groupMap, weights: null };
  tallyRows(segment, { ...rows, ...groups }, tally, run);
  return tally.visitors.join();
}

function wholeSessions(segment: Segment): number {
  const question = { filters: NO_FILTERS, search: null, byTitle: false, blockMaxMs: null };
  return viewedSessions(segment, { ...question, range: ALL_TIME }, new QueryRun()).views;
}
