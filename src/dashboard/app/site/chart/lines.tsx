/**
 * The plot itself. Hovering and arrow keys read a point; dragging, or Shift with the arrows and Enter,
 * selects a range; Enter alone looks closer at one point.
 */
import { effect } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { appearance } from '../../parts/appearance.ts';
import { joined } from '../../view/buckets.ts';
import { showRange } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { columnsOf, type Drawn, formOf, optionsOf, PLOT, placeOf } from './plot.ts';
import type { Point } from './series.ts';
import { dragByTouch } from './touch.ts';

export function Lines({ drawn, label }: { drawn: Drawn; label: string }) {
  const root = useRef<HTMLDivElement>(null);
  const now = useRef(drawn);
  now.current = drawn;
  const [at, setAt] = useState<number | null>(null);
  const plot = usePlot(root, now, setAt);
  const [anchor, setAnchor] = useState<number | null>(null);
  const hint = useId();
  const { points, before, told } = drawn;

  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepOf(event.key, at, points.length - 1);
    const isSelecting = event.shiftKey && next !== null;
    if (next !== null) {
      setAnchor(isSelecting ? (anchor ?? at ?? next) : null);
      const left = plot.current?.valToPos(next, 'x') ?? 0;
      plot.current?.setCursor({ left, top: 0 });
      setAt(next);
    } else if (event.key === 'Enter' && at !== null) {
      select(points, Math.min(anchor ?? at, at), Math.max(anchor ?? at, at));
      setAnchor(null);
    } else if (event.key === 'Escape' && anchor !== null) setAnchor(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const point = at === null ? undefined : points[at];
  const other = at === null ? undefined : before[at];
  return (
    <>
      <div
        class="lines"
        ref={root}
        tabIndex={0}
        role="slider"
        aria-valuemin={0}
        aria-valuemax={Math.max(points.length - 1, 0)}
        aria-valuenow={at ?? 0}
        aria-valuetext={spoken([point, other], told)}
        aria-label={label}
        aria-describedby={hint}
        onKeyDown={onKeyDown}
      >
        {anchor !== null && at !== null && <Selected drawn={drawn} ends={[anchor, at]} />}
        {point !== undefined && at !== null && (
          <Reading point={point} other={other} told={told} place={placeOf(at, drawn)} />
        )}
      </div>
      <p class="sr-only" id={hint}>
        {word('chartHint')}
      </p>
    </>
  );
}

/** Draws while the element is there; anew when lines become bars. */
function usePlot(
  root: { readonly current: HTMLDivElement | null },
  now: { readonly current: Drawn },
  onAt: (index: number | null) => void,
) {
  const plot = useRef<uPlot | null>(null);
  const form = formOf(now.current);
  useEffect(() => {
    const host = root.current;
    if (host === null) return;
    const onSelect = (from: number, to: number) => select(now.current.points, from, to);
    const options = optionsOf({ host, now: () => now.current, onAt, onSelect });
    const made = new uPlot(options, columnsOf(now.current), host);
    plot.current = made;
    dragByTouch(made);
    const fit = () => made.setSize({ width: host.clientWidth, height: PLOT.height });
    const resized = new ResizeObserver(fit);
    resized.observe(host);
    const looks = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query));
    // Paper has another width, and is told before it is printed, not when it was measured.
    for (const look of looks) look.addEventListener('change', fit);
    const stop = effect(() => {
      void appearance.value;
      made.redraw(false);
    });
    return () => {
      resized.disconnect();
      stop();
      for (const look of looks) look.removeEventListener('change', fit);
      made.destroy();
    };
  }, [form]);
  useEffect(() => plot.current?.setData(columnsOf(now.current)));
  return plot;
}

function stepOf(key: string, at: number | null, last: number): number | null {
  if (last < 0) return null;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: Math.min((at ?? -1) + 1, last),
    ArrowLeft: Math.max((at ?? last + 1) - 1, 0),
    Home: 0,
    End: last,
  };
  return steps[key] ?? null;
}

/** Looks at some of the points; at a single minute there is nothing closer. */
function select(points: readonly Point[], from: number, to: number): void {
  const [first, last] = [points[from]?.frame, points[to]?.frame];
  if (first === undefined || last === undefined) return;
  const { fromTime, toTime, ...days } = joined(first, last);
  showRange('custom', days, { fromTime, toTime });
}

function spoken(points: readonly (Point | undefined)[], told: Drawn['told']): string {
  return points
    .map((point) => (point?.value == null ? '' : `${point.label}: ${told(point.value)}`))
    .filter((text) => text !== '')
    .join('; ');
}

interface ReadingGiven {
  readonly point: Point;
  readonly other: Point | undefined;
  readonly told: Drawn['told'];
  /** From 0 at the left to 1. */
  readonly place: number;
}

function Reading({ point, other, told, place }: ReadingGiven) {
  const side = place > 0.5 ? { insetInlineEnd: across(1 - place, true) } : {};
  const style = place > 0.5 ? side : { insetInlineStart: across(place, false) };
  return (
    <div class="reading" aria-hidden="true" style={style}>
      <span>{point.label}</span>
      <b>{point.value === null ? '–' : told(point.value)}</b>
      {other !== undefined && other.value !== null && (
        <>
          <span>{other.label}</span>
          <b class="is-before">{told(other.value)}</b>
        </>
      )}
    </div>
  );
}

function Selected({ drawn, ends }: { drawn: Drawn; ends: readonly [number, number] }) {
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  const style = {
    insetInlineStart: across(placeOf(from, drawn), false),
    insetInlineEnd: across(1 - placeOf(to, drawn), true),
  };
  return <div class="selected" aria-hidden="true" style={style} />;
}

/** A part of the plot's width, from its left or its right edge, as CSS. */
export function across(part: number, isFromRight: boolean): string {
  const { left, right } = PLOT;
  const edge = isFromRight ? right : left;
  return `calc(${edge}px + (100% - ${left + right}px) * ${part.toFixed(5)})`;
}
