/**
 * The chart over time: drawn by uPlot, read by mouse, by keys and as a table (D-11).
 *
 * Dragging over days selects them.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { Menu } from '../../parts/menu.tsx';
import { type Scale, scalesOf } from '../../view/range.ts';
import { show, view } from '../../view/view.ts';
import { days } from '../../words/format.ts';
import { type WordKey, word } from '../../words/words.ts';
import type { Shown, SiteData } from '../site-data.ts';
import { type Point, pointsOf } from './series.ts';
import { METRIC_FORMS } from './totals.tsx';

const HEIGHT = 240;

const SCALE_WORDS: Readonly<Record<Scale, WordKey>> = {
  minute: 'minute',
  hour: 'hour',
  day: 'day',
  week: 'weekScale',
  month: 'monthScale',
  year: 'yearScale',
};

export function Chart({ data }: { data: SiteData }) {
  const shown = data.shown.value;
  const [isTable, setTable] = useState(false);
  const { metric } = view.value;
  const points = shown === null ? [] : pointsOf(shown, metric, '');
  const before =
    shown === null || shown.compared === null ? [] : pointsOf(shown, metric, 'compared ');
  const form = METRIC_FORMS[metric];
  return (
    <section class="card chart" aria-label={word(metric)}>
      <header class="chart-head">
        <h2 class="sr-only">{word(metric)}</h2>
        {shown !== null && (
          <Menu
            label={word('scale')}
            choices={scalesOf(shown.span).map((scale) => ({
              key: scale,
              label: word(SCALE_WORDS[scale]),
              isChosen: scale === shown.scale,
            }))}
            onChoose={(scale) => show({ scale: scale as Scale }, true)}
          >
            {word(SCALE_WORDS[shown.scale])}
          </Menu>
        )}
        <button
          type="button"
          class="button is-plain"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {word('asTable')}
        </button>
      </header>
      {isTable ? (
        <PointTable points={points} before={before} name={word(metric)} form={form} />
      ) : (
        shown !== null && (
          <Lines shown={shown} points={points} before={before} form={form} name={word(metric)} />
        )
      )}
      {shown === null && <div class="chart-space" />}
    </section>
  );
}

interface LinesGiven {
  readonly shown: Shown;
  readonly points: readonly Point[];
  readonly before: readonly Point[];
  readonly form: (value: number) => string;
  readonly name: string;
}

function Lines({ shown, points, before, form, name }: LinesGiven) {
  const root = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const now = useRef({ points, before, form });
  now.current = { points, before, form };
  const [at, setAt] = useState<number | null>(null);
  const hasBefore = before.length > 0;

  useEffect(() => {
    const host = root.current;
    if (host === null) return;
    const made = new uPlot(
      optionsOf({
        host,
        now,
        hasBefore,
        onAt: setAt,
        onSelect: (from, to) => select(now.current.points, from, to),
      }),
      columnsOf(points, before),
      host,
    );
    plot.current = made;
    const resized = new ResizeObserver(() =>
      made.setSize({ width: host.clientWidth, height: HEIGHT }),
    );
    resized.observe(host);
    const looks = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => made.redraw(false);
    looks.addEventListener('change', redraw);
    return () => {
      resized.disconnect();
      looks.removeEventListener('change', redraw);
      made.destroy();
    };
  }, [hasBefore]);
  useEffect(() => plot.current?.setData(columnsOf(points, before)), [shown, name]);

  const onKeyDown = (event: KeyboardEvent) => {
    const last = points.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: Math.min((at ?? -1) + 1, last),
      ArrowLeft: Math.max((at ?? last + 1) - 1, 0),
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined || last < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const made = plot.current;
    made?.setCursor({ left: made.valToPos(next, 'x'), top: 0 });
    setAt(next);
  };
  const point = at === null ? undefined : points[at];
  const other = at === null ? undefined : before[at];
  return (
    <div
      class="lines"
      ref={root}
      tabIndex={0}
      role="slider"
      aria-valuemin={0}
      aria-valuemax={Math.max(points.length - 1, 0)}
      aria-valuenow={at ?? 0}
      aria-valuetext={point === undefined ? '' : `${point.label} ${form(point.value)}`}
      aria-label={word('chartOf', { metric: name, range: days(shown.span) })}
      onKeyDown={onKeyDown}
    >
      <p class="reading" aria-hidden="true">
        {point !== undefined && (
          <>
            <span>{point.label}</span> <b>{form(point.value)}</b>
            {other !== undefined && (
              <small>
                {' '}
                {other.label} {form(other.value)}
              </small>
            )}
          </>
        )}
      </p>
    </div>
  );
}

function select(points: readonly Point[], from: number, to: number): void {
  const [first, last] = [points[from]?.span, points[to]?.span];
  if (first == null || last == null) return;
  show({ range: 'custom', custom: { from: first.from, to: last.to }, scale: '' });
}

function columnsOf(points: readonly Point[], before: readonly Point[]): uPlot.AlignedData {
  const values = points.map(({ value }) => value);
  const columns: uPlot.AlignedData = [points.map((_, index) => index), values];
  if (before.length > 0) columns.push(points.map((_, index) => before[index]?.value ?? null));
  return columns;
}

interface OptionsGiven {
  readonly host: HTMLElement;
  readonly now: { readonly current: Pick<LinesGiven, 'points' | 'before' | 'form'> };
  readonly hasBefore: boolean;
  readonly onAt: (index: number | null) => void;
  readonly onSelect: (from: number, to: number) => void;
}

function optionsOf({ host, now, hasBefore, onAt, onSelect }: OptionsGiven): uPlot.Options {
  const color = (name: string) => getComputedStyle(host).getPropertyValue(name).trim();
  const font = () => `12px ${getComputedStyle(host).fontFamily}`;
  const axis = { stroke: () => color('--quiet'), font: font() as never };
  return {
    width: host.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    padding: [12, 36, 0, 0],
    cursor: { y: false, points: { size: 8 }, drag: { x: true, y: false, setScale: false } },
    scales: {
      x: { time: false, range: (_, min, max) => (min === max ? [min - 1, max + 1] : [min, max]) },
      y: { range: (_, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        ticks: { show: false },
        size: 28,
        space: 90,
        incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24, 30, 60, 90, 120, 180, 240, 365],
        values: (_, at) =>
          at.map((index) => now.current.points[index]?.label.replace(/,? \d{4}$/, '') ?? ''),
      },
      {
        ...axis,
        size: 56,
        grid: { stroke: () => color('--line'), width: 1 },
        ticks: { show: false },
        values: (_, at) => at.map((value) => now.current.form(value)),
      },
    ],
    series: [
      {},
      {
        stroke: () => color('--accent'),
        fill: () => color('--accent-wash'),
        width: 2,
        points: { show: now.current.points.length < 3 },
      },
      ...(hasBefore
        ? [{ stroke: () => color('--quiet'), dash: [4, 4], width: 1.5, points: { show: false } }]
        : []),
    ],
    hooks: {
      setCursor: [(plot) => onAt(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 8) return;
          const from = Math.round(plot.posToVal(left, 'x'));
          const to = Math.round(plot.posToVal(left + width, 'x'));
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onSelect(from, to);
        },
      ],
    },
  };
}

function PointTable({
  points,
  before,
  name,
  form,
}: Pick<LinesGiven, 'points' | 'before' | 'form' | 'name'>) {
  return (
    <div class="table-scroll">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">{word('day')}</th>
            <th scope="col" class="number">
              {name}
            </th>
            {before.length > 0 && (
              <th scope="col" class="number">
                {word('compare')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {points.map((point, index) => (
            <tr key={point.label}>
              <th scope="row">{point.label}</th>
              <td class="number">{form(point.value)}</td>
              {before.length > 0 && (
                <td class="number">
                  {before[index] === undefined ? '' : form(before[index].value)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
