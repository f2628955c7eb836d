/**
 * Funnels: which sessions go through steps, each a set of filters.
 *
 * A step keeps the sessions among the rows of its filter that the step before kept; the request's
 * own filters hold in every step, each set by itself. Sessions lie in one segment, so the steps are
 * walked segment by segment and the visitors added up.
 */

import { assert } from '../../../base/assert.ts';
import type { Segment } from '../../../segment/memory/segment.ts';
import { type Tally, tallyOne } from '../../count/tally.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { rate } from '../../list/rates.ts';
import {
  type AnsweredStatistic,
  type QueryContext,
  viewPredicate,
} from '../../plan/query-context.ts';
import type { FunnelQuestion } from '../../question/conversions.ts';
import { bothFilters, type QueryFilters } from '../../question/filters.ts';
import { plain } from '../../question/statistics.ts';
import { viewedSessions } from '../../select/viewed-sessions.ts';

export const FUNNEL: AnsweredStatistic = {
  ...plain('funnel'),
  byRows: answerByRows,
  byRollups: null,
  carries: 'funnel',
};

/** the definition and the figures of each step. */
function answerByRows(context: QueryContext): unknown {
  const { funnel } = context.query;
  assert(funnel !== null, 'the query carries its funnel');
  const visitors = visitorsByStep(context, funnel);
  const [first = 0] = visitors;
  const shareOf = (count: number) => (first === 0 ? 0 : count / first);
  const data = visitors.map((count, index) => {
    const previous = visitors[index - 1];
    return {
      step: index + 1,
      visitors: count,
      relative_visitors: shareOf(count),
      previous_visitors: previous ?? 0,
      relative_previous_visitors: shareOf(previous ?? 0),
      dropped: previous === undefined ? 0 : previous - count,
      drop_off: previous === undefined || previous === 0 ? 0 : 1 - rate(count, previous),
    };
  });
  return { definition: funnel.definition, data };
}

function visitorsByStep(context: QueryContext, { steps }: FunnelQuestion): number[] {
  const { query } = context;
  const filters = steps.map((step) => bothFilters(query.filters, step));
  const tally = tallyOver(context, ['funnel', steps], steps.length, (segment, into) =>
    countSteps(context, segment, filters, into),
  );
  return steps.map((_, step) => tally.visitors[step] as number);
}

function countSteps(
  context: QueryContext,
  segment: Segment,
  filters: readonly QueryFilters[],
  tally: Tally,
): void {
  const { query, run } = context;
  let kept: Uint32Array | null = null;
  for (const [step, filter] of filters.entries()) {
    const predicate = viewPredicate(query, filter, null);
    kept = viewedSessions(segment, predicate, run, kept).sessions;
    // No session is left for the steps that follow.
    if (kept.length === 0) return;
    tallyOne(segment, kept, tally, step);
  }
}
