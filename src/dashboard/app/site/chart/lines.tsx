/**
 * The plot itself. Hovering, touching and arrow keys read a point; dragging, or Shift with the arrows and
 * Enter, selects a range; Enter alone looks closer at one point.
 */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { joined } from '../../view/buckets.ts';
import { showRange } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { Dot, Drawing } from './drawing.tsx';
import { across, type Drawn, nearest, PLOT, placeOf } from './plot.ts';
import type { Point } from './series.ts';

/** A drag of fewer pixels is a click. */
const DRAG_MIN = 8;
/** What a label below the plot takes, in pixels. */
const LABEL_WIDTH = 84;

export function Lines({ drawn, label }: { drawn: Drawn; label: string }) {
  const root = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  const room = useRoom(root);
  const hint = useId();
  const { points, before, told } = drawn;
  const drawing = useMemo(() => <Drawing drawn={drawn} room={room} />, [drawn, room]);
  const { pointing, letGo } = usePointer(drawn, { setAt, setAnchor });

  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepOf(event.key, at, points.length - 1);
    if (next !== null) {
      setAnchor(event.shiftKey ? (anchor ?? at ?? next) : null);
      setAt(next);
    } else if (event.key === 'Enter' && at !== null) {
      select(points, anchor ?? at, at);
      setAnchor(null);
    } else if (event.key === 'Escape' && anchor !== null) letGo();
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
        {...pointing}
      >
        {drawing}
        {anchor !== null && at !== null && <Selected drawn={drawn} ends={[anchor, at]} />}
        {point !== undefined && at !== null && (
          <>
            <span
              class="cursor"
              aria-hidden="true"
              style={{ insetInlineStart: across(placeOf(at, drawn), false) }}
            />
            <Dot index={at} drawn={drawn} />
            <Reading point={point} other={other} told={told} place={placeOf(at, drawn)} />
          </>
        )}
      </div>
      <p class="sr-only" id={hint}>
        {word('chartHint')}
      </p>
    </>
  );
}

/** How many labels fit below; guessed before the plot was laid out, so that nothing is measured twice. */
function useRoom(root: { readonly current: HTMLDivElement | null }): number {
  const roomOf = (width: number) =>
    Math.max(1, Math.floor((width - PLOT.left - PLOT.right) / LABEL_WIDTH));
  const [room, setRoom] = useState(() => roomOf(innerWidth * 0.93));
  useEffect(() => {
    const host = root.current;
    if (host === null) return;
    const resized = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setRoom(roomOf(entry.contentRect.width));
    });
    resized.observe(host);
    return () => resized.disconnect();
  }, []);
  return room;
}

interface Hand {
  readonly setAt: (at: number | null) => void;
  readonly setAnchor: (anchor: number | null) => void;
}

/**
 * Mouse, pen and finger. A finger that moves up or down scrolls the page.
 *
 * @returns `letGo` too: what is being selected is not, though the button is still down.
 */
function usePointer(drawn: Drawn, { setAt, setAnchor }: Hand) {
  const down = useRef<{ readonly x: number; readonly index: number } | null>(null);
  const indexAt = ({ clientX, currentTarget }: PointerEvent): number | null => {
    const { left, width } = (currentTarget as HTMLElement).getBoundingClientRect();
    return nearest((clientX - left - PLOT.left) / (width - PLOT.left - PLOT.right), drawn);
  };
  const letGo = () => {
    down.current = null;
    setAnchor(null);
  };
  const pointing = {
    onPointerDown: (event: PointerEvent) => {
      const index = indexAt(event);
      if (event.button !== 0 || index === null) return;
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      down.current = { x: event.clientX, index };
      setAnchor(null);
      setAt(index);
    },
    onPointerMove: (event: PointerEvent) => {
      setAt(indexAt(event));
      const from = down.current;
      if (from !== null && Math.abs(event.clientX - from.x) >= DRAG_MIN) setAnchor(from.index);
    },
    onPointerUp: (event: PointerEvent) => {
      const [from, to] = [down.current, indexAt(event)];
      letGo();
      if (from === null || to === null || Math.abs(event.clientX - from.x) < DRAG_MIN) return;
      select(drawn.points, from.index, to);
    },
    onPointerCancel: letGo,
    onPointerLeave: () => {
      if (down.current === null) setAt(null);
    },
  };
  return { pointing, letGo };
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

/** Looks at the points between two; at a single minute there is nothing closer. */
function select(points: readonly Point[], one: number, other: number): void {
  const [first, last] = [points[Math.min(one, other)]?.frame, points[Math.max(one, other)]?.frame];
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
