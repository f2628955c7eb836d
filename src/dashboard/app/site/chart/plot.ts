/** How uPlot draws a chart: colours of the page, lines or bars, what is not over dashed. */
import uPlot from 'uplot';
import type { ChartForm } from '../../view/view.ts';
import type { Point } from './series.ts';

/** Pixels. The plot lies within, so that what stands above it finds its points. */
export const PLOT = { height: 240, left: 56, right: 28 } as const;

/** What a chart is made of. */
export interface Drawn {
  readonly points: readonly Point[];
  readonly before: readonly Point[];
  readonly form: ChartForm;
  readonly told: (value: number) => string;
}

interface Given {
  readonly host: HTMLElement;
  /** What is drawn when it is looked at. */
  readonly now: () => Drawn;
  readonly onAt: (index: number | null) => void;
  readonly onSelect: (from: number, to: number) => void;
}

/** A drag of fewer pixels is a click. */
const DRAG_MIN = 8;

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

/** Its columns: points, the compared range, the points, and the way to the one that is not over. */
export function columnsOf({ points, before, ...drawn }: Drawn): uPlot.AlignedData {
  const isLine = formOf({ points, before, ...drawn }) === 'lines';
  const open = points.findIndex(({ isOpen }) => isOpen);
  const values = points.map(({ value }) => value);
  return [
    points.map((_, index) => index),
    points.map((_, index) => before[index]?.value ?? null),
    isLine && open > 0 ? values.map((value, index) => (index === open ? null : value)) : values,
    values.map((value, index) => {
      return isLine && open > 0 && (index === open || index === open - 1) ? value : null;
    }),
  ];
}

/** uPlot's options. */
export function optionsOf({ host, now, onAt, onSelect }: Given): uPlot.Options {
  const color = (name: string) => getComputedStyle(host).getPropertyValue(name).trim();
  const axis = {
    stroke: () => color('--quiet'),
    font: `12px ${getComputedStyle(host).fontFamily}`,
    ticks: { show: false },
  };
  return {
    width: host.clientWidth,
    height: PLOT.height,
    legend: { show: false },
    padding: [12, PLOT.right, 0, 0],
    cursor: { y: false, points: { size: 8 }, drag: { x: true, y: false, setScale: false } },
    scales: {
      x: { time: false, range: () => rangeOf(now()) },
      y: { range: (_, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 84,
        incrs: [1, 2, 3, 4, 6, 7, 10, 12, 14, 24, 30, 60, 90, 120, 180, 240, 365, 730],
        values: (_, at) => at.map((index) => now().points[index]?.short ?? ''),
      },
      {
        ...axis,
        size: PLOT.left,
        grid: { stroke: () => color('--line'), width: 1 },
        values: (_, at) => at.map((value) => now().told(value)),
      },
    ],
    series: seriesOf(color, now),
    hooks: {
      setCursor: [({ cursor }) => onAt(cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width === 0) return;
          const last = now().points.length - 1;
          const at = (pixels: number) => Math.round(plot.posToVal(pixels, 'x'));
          const [from, to] = [Math.max(at(left), 0), Math.min(at(left + width), last)];
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          if (width >= DRAG_MIN) onSelect(from, to);
        },
      ],
    },
  };
}

function rangeOf(drawn: Drawn): [number, number] {
  const margin = marginOf(drawn);
  const last = Math.max(drawn.points.length - 1, 0);
  return last === 0 && margin === 0 ? [-0.5, 0.5] : [-margin, last + margin];
}

function begun({ points }: Drawn): number {
  return points.filter(({ value }) => value !== null).length;
}

type Colors = (name: string) => string;

function seriesOf(color: Colors, now: () => Drawn): uPlot.Series[] {
  const accent = () => color('--accent');
  const quiet = () => color('--quiet');
  const points = { show: false };
  if (formOf(now()) === 'bars') {
    const bars = (size: number) =>
      uPlot.paths.bars?.({ size: [size, 72], radius: 0.18, align: 0 }) ?? (() => null);
    return [
      {},
      { stroke: quiet, fill: () => color('--line'), width: 1, points, paths: bars(0.9) },
      { stroke: accent, fill: accent, width: 0, points, paths: bars(0.6) },
      { show: true, points, paths: () => null },
    ];
  }
  return [
    {},
    { stroke: quiet, dash: [3, 4], width: 1.5, points },
    {
      ...{ stroke: accent, fill: () => color('--accent-wash'), width: 2 },
      // What is too short for a line.
      points: { show: () => begun(now()) < 3, size: 7, fill: accent },
    },
    { stroke: accent, dash: [5, 5], width: 2, points },
  ];
}
