/**
 * EXPLAIN: an answer beside how it was found.
 *
 * Control plane, for operators: `?explain=1` at any statistic.
 */

import { monotonicMs } from '../../base/clock.ts';
import { spanOf } from '../question/request.ts';
import type { Plan } from './planner.ts';
import type { QueryContext } from './query-context.ts';
import { type SegmentRecord, segmentRecords } from './segment-planner.ts';

/** What EXPLAIN answers. */
export interface ExplainedAnswer {
  readonly plan: Plan;
  /** Days of the range; empty where none had to be read. */
  readonly segments: readonly SegmentRecord[];
  /** What it took from the plan to the answer, without waiting for a thread. */
  readonly ms: number;
  /** What is answered without EXPLAIN. */
  readonly answer: unknown;
}

/** @param startMs monotonic. */
export function explained(
  { plan, segments, query, run }: Pick<QueryContext, 'plan' | 'segments' | 'query' | 'run'>,
  answer: unknown,
  startMs: number,
): ExplainedAnswer {
  const records = segmentRecords(segments, spanOf(query), run.decisions);
  return { plan, segments: records, ms: monotonicMs() - startMs, answer };
}
