/**
 * Where things lie in a chart: places along and up, the paths of its lines, what its axes are marked at.
 *
 * Along, everything is a part of the width, so that the browser draws it at any width by itself: nothing
 * is measured, nor drawn anew, when a window or a sheet of paper is narrower.
 */
import type { ChartForm, Metric } from '../../view/view.ts';
import type { Point } from './series.ts';

/** Pixels. The plot lies within, so that what stands above it finds its points. */
export const PLOT = { height: 240, left: 56, right: 28, top: 12, bottom: 28 } as const;
/** How finely paths are written, along and up. */
export const GRAIN = 4_000;

/** What a chart is made of. */
export interface Drawn {
  readonly points: readonly Point[];
  readonly before: readonly Point[];
  readonly form: ChartForm;
  readonly metric: Metric;
  readonly told: (value: number) => string;
}

/** A single point is no line. */
export function formOf({ points, form }: Drawn): ChartForm {
  return points.length < 2 ? 'bars' : form;
}

/** Room beside the first and the last point, in points: half of a bar. */
function marginOf(drawn: Drawn): number {
  return formOf(drawn) === 'bars' ? 0.5 : 0;
}

/** Where a point lies, from 0 at the left to 1. */
export function placeOf(index: number, drawn: Drawn): number {
  const margin = marginOf(drawn);
  const length = drawn.points.length - 1 + 2 * margin;
  return length === 0 ? 0.5 : (index + margin) / length;
}

/** A part of the plot's width, from its left or its right edge, as CSS. */
export function across(part: number, isFromRight: boolean): string {
  const { left, right } = PLOT;
  const edge = isFromRight ? right : left;
  return `calc(${edge}px + (100% - ${left + right}px) * ${part.toFixed(5)})`;
}

/** The point that is nearest to a part of the width; null: there is none. */
export function nearest(part: number, drawn: Drawn): number | null {
  const last = drawn.points.length - 1;
  if (last < 0) return null;
  const margin = marginOf(drawn);
  return Math.min(last, Math.max(0, Math.round(part * (last + 2 * margin) - margin)));
}

/** Steps between marks of an axis. */
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400];
const COUNTS = [1, 2, 5];
const MARKS_MAX = 5;

/** The values that the axis is marked at, from 0 up. The topmost may lie below the highest point. */
export function marksOf(top: number, metric: Metric): readonly number[] {
  const step = stepOf(top, metric);
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, at) => at * step);
}

function stepOf(top: number, metric: Metric): number {
  const least = top / MARKS_MAX;
  const timed = metric === 'duration' ? SECONDS.find((step) => step >= least) : undefined;
  if (timed !== undefined) return timed;
  const isRate = metric === 'bounceRate' || metric === 'conversion';
  const decade = 10 ** Math.floor(Math.log10(least));
  const found = COUNTS.map((step) => step * decade).find((step) => step >= least);
  // Of visitors there are no halves.
  return Math.max(found ?? 10 * decade, isRate ? 0 : 1);
}

/** What the top of the plot means: a little more than the highest point. */
export function topOf({ points, before }: Drawn): number {
  let most = 0;
  for (const { value } of points) most = Math.max(most, value ?? 0);
  for (const { value } of before.slice(0, points.length)) most = Math.max(most, value ?? 0);
  return most > 0 ? most * 1.08 : 1;
}

const LABEL_STEPS = [1, 2, 3, 4, 6, 7, 10, 12, 14, 24, 30, 60, 90, 120, 180, 240, 365, 730];

/** The points that have a label below. @param room how many labels fit beside each other. */
export function labelled(points: readonly Point[], room: number): readonly number[] {
  const least = points.length / Math.max(room, 1);
  const step = LABEL_STEPS.find((one) => one >= least) ?? Math.ceil(least);
  return Array.from({ length: Math.ceil(points.length / step) }, (_, at) => at * step);
}

/** What is drawn as lines, as paths within a square of `GRAIN`. */
export interface Paths {
  readonly before: string;
  readonly line: string;
  /** The way to the point that is not over. */
  readonly open: string;
  /** Below the line. */
  readonly area: string;
}

/** The paths of a chart of lines. */
export function pathsOf(drawn: Drawn, top: number): Paths {
  const { points, before } = drawn;
  const open = points.findIndex(({ isOpen }) => isOpen);
  const at = (index: number, value: number) =>
    `${Math.round(placeOf(index, drawn) * GRAIN)} ${Math.round((1 - value / top) * GRAIN)}`;
  const joined = (some: readonly Point[], first = 0) => {
    const places: string[] = [];
    for (const [index, { value }] of some.entries()) {
      if (value !== null) places.push(at(first + index, value));
    }
    return places.length === 0 ? '' : `M${places.join('L')}`;
  };
  const closed = open > 0 ? points.slice(0, open) : points;
  const line = joined(closed);
  const last = closed.findLastIndex(({ value }) => value !== null);
  const [left, right] = [0, last].map((index) => Math.round(placeOf(index, drawn) * GRAIN));
  return {
    before: joined(before.slice(0, points.length)),
    line,
    open: open > 0 ? joined(points.slice(open - 1, open + 1), open - 1) : '',
    area: line === '' ? '' : `${line}L${right} ${GRAIN}L${left} ${GRAIN}Z`,
  };
}
