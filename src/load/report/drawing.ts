/**
 * Charts of lines as SVG, drawn without any library: axes with round numbers, a line a series, a legend
 * where there are several. Colours are the page's (`--line-1` …), so they follow light and dark.
 *
 * Control plane, pure.
 */

const WIDTH = 860;
const HEIGHT = 300;
const LEFT = 64;
const RIGHT = 20;
const TOP = 14;
const BOTTOM = 40;
const TICKS = 5;
const COLOR_COUNT = 5;

/** A line; points are in order of x. */
export interface Series {
  readonly name: string;
  /** Failures are red, whatever their place. */
  readonly isBad?: true;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** An axis: how a value is placed, and what stands beside it. */
export interface Axis {
  readonly label: string;
  readonly ticks: readonly (readonly [value: number, text: string])[];
  /** Monotone; linear where it is left out. */
  readonly place?: (value: number) => number;
}

/** What a chart shows. */
export interface Chart {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** A level that is not to be exceeded. */
  readonly limit?: { readonly y: number; readonly text: string };
  /** Marks every point, for few of them. */
  readonly hasDots?: true;
}

/** The chart as an element of SVG. */
export function toChart(chart: Chart): string {
  const x = scale(chart.x, LEFT, WIDTH - RIGHT);
  const y = scale(chart.y, HEIGHT - BOTTOM, TOP);
  const parts = [
    ...chart.y.ticks.map(([value, text]) => {
      const at = fixed(y(value));
      const line = `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>`;
      return line + label(LEFT - 8, y(value) + 4, text, 'end');
    }),
    // The last one ends with the axis, or it would be cut off.
    ...chart.x.ticks.map(([value, text], at) =>
      label(
        x(value),
        HEIGHT - BOTTOM + 18,
        text,
        at === chart.x.ticks.length - 1 ? 'end' : 'middle',
      ),
    ),
    label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, chart.x.label, 'middle'),
    ...(chart.limit === undefined ? [] : [limitLine(chart.limit, y)]),
    ...chart.series.map((series, index) => lineOf(series, { index, x, y }, chart.hasDots === true)),
  ];
  const legend = chart.series.length < 2 ? '' : legendOf(chart.series);
  const unit = `<span class="unit">${escaped(chart.y.label)}</span>`;
  return (
    `<figure><figcaption>${escaped(chart.title)} ${unit}</figcaption>` +
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(chart.title)}">` +
    `${parts.join('')}</svg>${legend}</figure>`
  );
}

/** Round numbers from 0 to at least `most`: an axis of counts or times. */
export function linearAxis(axisLabel: string, most: number, text: (value: number) => string): Axis {
  const step = roundStep((most > 0 ? most : 1) / TICKS);
  const count = Math.max(1, Math.ceil((most > 0 ? most : 1) / step - 1e-9));
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * step);
  return { label: axisLabel, ticks: ticks.map((value) => [value, text(value)] as const) };
}

/** Powers of ten around what is shown. */
export function logAxis(
  axisLabel: string,
  range: { least: number; most: number },
  text: (value: number) => string,
): Axis {
  const from = Math.floor(Math.log10(Math.max(range.least, 0.001)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(range.most, 0.001))));
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  return {
    label: axisLabel,
    ticks: ticks.map((value) => [value, text(value)] as const),
    place: (value) => Math.log10(Math.max(value, 10 ** from)),
  };
}

/** A text that can stand in HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function scale({ ticks, place = (value) => value }: Axis, from: number, to: number) {
  const first = place(ticks[0]![0]);
  const last = place(ticks.at(-1)![0]);
  const span = last === first ? 1 : last - first;
  return (value: number): number => from + ((place(value) - first) / span) * (to - from);
}

function lineOf(
  series: Series,
  at: { index: number; x: (value: number) => number; y: (value: number) => number },
  hasDots: boolean,
): string {
  const { points, name } = series;
  const known = points.filter(([, value]) => Number.isFinite(value));
  const color = colorOf(series, at.index);
  const path = known
    .map(([px, py], place) => `${place === 0 ? 'M' : 'L'}${fixed(at.x(px))} ${fixed(at.y(py))}`)
    .join('');
  const dots = hasDots
    ? known.map(
        ([px, py]) =>
          `<circle r="3.5" cx="${fixed(at.x(px))}" cy="${fixed(at.y(py))}" fill="${color}"/>`,
      )
    : [];
  const title = `<title>${escaped(name)}</title>`;
  return `<path class="line" d="${path}" stroke="${color}">${title}</path>${dots.join('')}`;
}

function limitLine({ y: level, text }: NonNullable<Chart['limit']>, y: (value: number) => number) {
  const at = fixed(y(level));
  const words = label(WIDTH - RIGHT, y(level) - 6, text, 'end');
  return `<line class="limit" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>${words}`;
}

function legendOf(series: readonly Series[]): string {
  const items = series.map(
    (each, index) =>
      `<li><i style="background:${colorOf(each, index)}"></i>${escaped(each.name)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

function label(x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escaped(text)}</text>`;
}

function colorOf({ isBad }: Series, index: number): string {
  return isBad === true ? 'var(--bad)' : `var(--line-${(index % COLOR_COUNT) + 1})`;
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const mantissa = value / power;
  return (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10) * power;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
