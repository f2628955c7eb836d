/**
 * The list of sessions (S-90). Rows are sessions as they are, not groups.
 *
 * The first sessions by time lie in few days: a day's sessions start and end within its span of time.
 * Without a filter, once the days so far hold as many sessions as are asked for, a day that begins
 * after all of them ended has nothing to add.
 */

import { KIND } from '../../../segment/memory/dictionary.ts';
import type { Segment } from '../../../segment/memory/segment.ts';
import { type ListRow, listRows } from '../../list/listing.ts';
import { TopKBound } from '../../list/top-k.ts';
import {
  type AnsweredStatistic,
  checkRows,
  type QueryContext,
  viewPredicate,
} from '../../plan/query-context.ts';
import { isInside } from '../../plan/selection.ts';
import { asc, numbers, plain, texts } from '../../question/statistics.ts';
import { totalsOver } from '../../rollup/totals.ts';
import { viewedSessions } from '../../select/viewed-sessions.ts';
import { FoundSessions, type TimeBound } from './found-sessions.ts';
import {
  type SessionField,
  SHARED_FIELDS,
  SHOWN_DIMENSIONS,
  textOf,
  timestampOf,
} from './session-fields.ts';

/** The dimensions that a session shows, and where among them its platform stands. */
const SHOWN = SHOWN_DIMENSIONS.map(([field]) => field);
const PLATFORM_AT = SHOWN.indexOf('screen_class');

export const SESSION_LIST: AnsweredStatistic = {
  ...plain('session/list'),
  fields: [
    ...texts('visitor_id'),
    ...numbers('session_id'),
    ...texts('time', 'start'),
    ...numbers('duration_seconds'),
    ...texts('entry_path', 'exit_path'),
    ...numbers('page_views'),
    { name: 'is_bounce', type: 'flag' },
    ...texts('entry_title', 'exit_title', ...SHOWN.slice(0, PLATFORM_AT)),
    { name: 'desktop', type: 'flag' },
    { name: 'mobile', type: 'flag' },
    ...texts(...SHOWN.slice(PLATFORM_AT)),
    ...numbers('extended'),
  ],
  order: [asc('time'), asc('start'), asc('visitor_id')],
  byRows: answerByRows,
  byRollups: null,
  also: 'sessions by time',
};

const LIST_FIELDS: Readonly<Record<string, SessionField>> = {
  ...SHARED_FIELDS,
  time: ({ sessions }, session) => timestampOf(sessions.at('lastMs', session)),
  start: ({ sessions }, session) => timestampOf(sessions.at('startMs', session)),
  duration_seconds: ({ sessions }, session) =>
    Math.floor((sessions.at('lastMs', session) - sessions.at('startMs', session)) / 1_000),
  entry_path: edgeText(KIND.path, 'entryPath'),
  exit_path: edgeText(KIND.path, 'exitPath'),
  entry_title: edgeText(KIND.title, 'entryTitle'),
  exit_title: edgeText(KIND.title, 'exitTitle'),
  page_views: ({ sessions }, session) => sessions.at('pageViews', session),
  is_bounce: ({ sessions }, session) => sessions.at('isBounce', session) === 1,
  extended: ({ sessions }, session) => sessions.at('extended', session),
};

/** The distinct sessions among the rows, as they are now. */
function answerByRows(context: QueryContext): ListRow[] {
  const { query, plan, run } = context;
  const segments = segmentsOfPage(context);
  checkRows({ ...context, segments });
  const predicate = viewPredicate(query, query.filters, null);
  const found = new FoundSessions();
  const bound: TimeBound | null =
    plan.bound === null
      ? null
      : {
          first: new TopKBound(plan.bound.count, plan.bound.direction),
          column: plan.bound.column,
        };
  const isDescending = plan.bound?.direction === 'desc';
  // The days that the page is likely to be of come first, so that the bound is there early.
  for (const segment of isDescending ? segments.toReversed() : segments) {
    const nearestMs = isDescending ? segment.maxMs : segment.minMs;
    if (bound !== null && !bound.first.mayTake(nearestMs)) continue;
    const { sessions } = viewedSessions(segment, predicate, run);
    found.add(segment, sessions, bound, run);
  }
  const fields = Object.entries(LIST_FIELDS).map(([name, read]) => [
    name,
    (group: number) => found.read(group, read),
  ]);
  return listRows(context.statistic, query, {
    present: Uint32Array.from({ length: found.count }, (_, group) => group),
    fields: Object.fromEntries(fields),
    orders: found.orders(),
  });
}

/** The days that the first sessions by time can be of; all of them unless the plan reads fewer. */
function segmentsOfPage({ segments, query, plan }: QueryContext): readonly Segment[] {
  if (plan.days === 'all') return segments;
  const isAscending = plan.days === 'oldest';
  // Spans as distances from the end that the list starts at: near is where a span begins.
  const near = ({ minMs, maxMs }: Segment): number => (isAscending ? minMs : -maxMs);
  const far = ({ minMs, maxMs }: Segment): number => (isAscending ? maxMs : -minMs);
  const inOrder = [...segments].sort((left, right) => near(left) - near(right));
  let found = 0;
  let reach = Number.POSITIVE_INFINITY;
  let farthest = Number.NEGATIVE_INFINITY;
  const needed = inOrder.filter((segment) => {
    if (near(segment) > reach) return false;
    if (isInside(segment, query.range)) {
      found += totalsOver([segment], query.range).sessions;
      farthest = Math.max(farthest, far(segment));
      if (found >= query.offset + query.limit) reach = Math.min(reach, farthest);
    }
    return true;
  });
  // In the order they came in: the list counts on it.
  return segments.filter((segment) => needed.includes(segment));
}

function edgeText(
  kind: number,
  column: 'entryPath' | 'exitPath' | 'entryTitle' | 'exitTitle',
): SessionField {
  return ({ dictionary, sessions }, session) =>
    textOf(dictionary.texts(kind), sessions.at(column, session));
}
