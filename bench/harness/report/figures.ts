/**
 * What a macro benchmark reports: named figures with their baseline, ratio and target.
 *
 * Control plane. A target is shown beside its figure as met or missed; it never fails a run, since a
 * shared machine is no judge. What fails a run is an error.
 */
import type { Spread } from './samples.ts';

/** What a figure should reach; one bound. */
export interface Target {
  /** Which number is compared: the figure, its p99, its ratio to the baseline, or to the rival. */
  of: 'value' | 'ratio' | 'p99' | 'advantage';
  atMost?: number;
  atLeast?: number;
}

/** A line of the table of requirements (`requirements.ts`). */
export type RequirementId =
  | 'single-cpu'
  | 'page-cpu'
  | 'batch-cpu'
  | 'batch-rate'
  | 'single-p99'
  | 'active-p99'
  | 'statistic'
  | 'statistic-one-filter'
  | 'statistic-new-filter'
  | 'statistic-three-filters'
  | 'growth'
  | 'domains'
  | 'sessions'
  | 'memory'
  | 'disk'
  | 'disk-small'
  | 'restart'
  | 'idle-memory'
  | 'idle-cpu'
  | 'manage'
  | 'manage-list'
  | 'manage-memory'
  | 'registry-read';

/** One line of the report. */
export interface Figure {
  /** The table it stands in. */
  group: string;
  name: string;
  unit: string;
  value: Spread;
  /** Of a latency whose median is `value`; the table then shows both. */
  p99?: number;
  /** The same figure of the baseline server in the same run. */
  baseline?: Spread;
  /** Value / baseline, round by round. */
  ratio?: Spread;
  /** The same question to another product in the same run. */
  rival?: {
    name: string;
    value: Spread /** Fields whose values were the same. */;
    compared: string[];
  };
  target?: Target;
  /** What a later issue wants beyond the target. */
  goals?: readonly Target[];
  /** The line of the table of requirements that this figure answers, with others or alone. */
  requirement?: RequirementId;
}

/** Whether a figure reaches its target; null without one. */
export function isMet(figure: Figure): boolean | null {
  return figure.target === undefined ? null : reaches(figure, figure.target);
}

/** How many times less a figure is than its rival's; NaN without one. */
export function advantageOf({ rival, value }: Figure): number {
  return rival === undefined ? Number.NaN : rival.value.median / value.median;
}

/** Whether a figure reaches one bound; what was not measured is not missed. */
export function reaches(figure: Figure, { of, atMost, atLeast }: Target): boolean {
  if (of === 'advantage' && figure.rival === undefined) return true;
  const measured = measuredOf(figure, of);
  if (Number.isNaN(measured)) return false;
  if (atLeast !== undefined && measured < atLeast) return false;
  return atMost === undefined || measured <= atMost;
}

/** The number of a figure that a bound is about; NaN when it was not measured. */
export function measuredOf(figure: Figure, of: Target['of']): number {
  const { value, ratio, p99 = Number.NaN } = figure;
  if (of === 'value') return value.median;
  if (of === 'ratio') return ratio?.median ?? Number.NaN;
  return of === 'p99' ? p99 : advantageOf(figure);
}
