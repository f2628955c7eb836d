/**
 * Funnels: which sessions go through steps, each a set of filters.
 *
 * A step keeps the sessions among the rows of its filter that the step before kept; the request's
 * own filters hold in every step, each set by itself. Sessions lie in one segment, so the steps are
 * walked segment by segment and the visitors added up.
 */

import { assert } from '../../base/assert.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { tallyOver } from '../cache/cached-aggregate.ts';
import { type Tally, tallyOne } from '../count/tally.ts';
import { rate } from '../list/rates.ts';
import { type Scan, viewQuestion } from '../plan/query-context.ts';
import type { FunnelQuestion } from '../question/conversions.ts';
import { bothFilters, type QueryFilters } from '../question/filters.ts';
import { viewedSessions } from '../select/viewed-sessions.ts';

/** the definition and the figures of each step. */
export function answerFunnel(scan: Scan): unknown {
  const { funnel } = scan.query;
  assert(funnel !== null, 'the query carries its funnel');
  const visitors = visitorsByStep(scan, funnel);
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

function visitorsByStep(scan: Scan, { steps }: FunnelQuestion): number[] {
  const { query } = scan;
  const filters = steps.map((step) => bothFilters(query.filters, step));
  const tally = tallyOver(scan, ['funnel', steps], steps.length, (segment, into) =>
    countSteps(scan, segment, filters, into),
  );
  return steps.map((_, step) => tally.visitors[step] as number);
}

function countSteps(
  scan: Scan,
  segment: Segment,
  filters: readonly QueryFilters[],
  tally: Tally,
): void {
  const { query, scratch } = scan;
  let kept: Uint32Array | null = null;
  for (const [step, filter] of filters.entries()) {
    const question = viewQuestion(query, filter, null);
    kept = viewedSessions(segment, question, scratch, kept).sessions;
    // No session is left for the steps that follow.
    if (kept.length === 0) return;
    tallyOne(segment, kept, tally, step);
  }
}
