/**
 * What a macro benchmark reports: named figures with their baseline, ratio and target.
 *
 * Control plane. A target is shown beside its figure as met or missed; it never fails a run, since a
 * shared machine is no judge. What fails a run is an error.
 */
import type { Spread } from './samples.ts';

/** What a figure should reach, and whose goal that is. */
export interface Target {
  /** Which number is compared: the figure itself or its ratio to the baseline. */
  of: 'value' | 'ratio' | 'p99';
  atMost: number;
}

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
  target?: Target;
}

/** Whether a figure reaches its target; null without one. */
export function isMet(figure: Figure): boolean | null {
  const { target } = figure;
  if (target === undefined) return null;
  const measured = { value: figure.value.median, ratio: figure.ratio?.median, p99: figure.p99 }[
    target.of
  ];
  return measured !== undefined && measured <= target.atMost;
}
