/**
 * The sessions that a statistic by a dimension of the session is about: those among the page views, or
 * those of the events while a custom metric is active (S-8).
 *
 * Data plane, once per segment.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import { type QueryContext, viewPredicate } from '../plan/query-context.ts';
import { WorkingWords } from '../plan/query-run.ts';
import { gather } from '../plan/selection.ts';
import { viewedSessions } from '../select/viewed-sessions.ts';
import { inVisitorOrder } from '../select/visitor-order.ts';
import { eventsInScope } from './event-scope.ts';

/** Working arrays. */
const EVENT_SESSIONS = new WorkingWords();
const FIRED_SESSIONS = new WorkingWords();

/** The sessions of a segment's rows, in order of visitor; a working array. */
export function sessionsInScope(context: QueryContext, segment: Segment): Uint32Array {
  const { query, plan, run } = context;
  if (plan.unit !== 'events') {
    return viewedSessions(segment, viewPredicate(query, query.filters, null), run).sessions;
  }
  const selection = eventsInScope(context, segment);
  const { session } = segment.events.columns;
  const sessions = gather(selection, session, run, EVENT_SESSIONS).subarray(0, selection.count);
  return inVisitorOrder(segment, sessions, run, FIRED_SESSIONS);
}
