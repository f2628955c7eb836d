/**
 * The scrubber (D-19): drag through a day or a year; totals, panels and map show the point it stands on.
 *
 * Where it stands is in the address. Requests follow the hand at a distance; only the latest one counts.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { show, view } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { across, type Drawn, placeOf } from './plot.ts';

/** A hand that moves is waited for this long. */
const SETTLED_MS = 60;
/** A point is looked at this long while it plays. */
const PLAYED_MS = 700;

export function Scrubber({ drawn }: { drawn: Drawn }) {
  const { points } = drawn;
  const { moment } = view.value;
  const shownAt = points.findIndex(({ key }) => key === moment);
  const [at, setAt] = useState(shownAt);
  const [isPlaying, setPlaying] = useState(false);
  const timer = useRef(0);
  useEffect(() => setAt(shownAt), [shownAt]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const first = firstOf(drawn);
  const last = points.findLastIndex(({ value }) => value !== null);
  const move = (index: number, waitMs = SETTLED_MS) => {
    setAt(index);
    clearTimeout(timer.current);
    const key = points[index]?.key ?? '';
    timer.current = window.setTimeout(() => show({ moment: key }, true), waitMs);
  };
  useEffect(() => {
    if (!isPlaying) return;
    const next = setTimeout(() => (at >= last ? setPlaying(false) : move(at + 1, 0)), PLAYED_MS);
    return () => clearTimeout(next);
  }, [isPlaying, at, last]);
  if (points.length < 2) return <div class="scrubber" />;
  if (at < 0) {
    return (
      <div class="scrubber">
        <button type="button" class="button is-plain" onClick={() => move(first, 0)}>
          {word('scrub')}
        </button>
      </div>
    );
  }
  return (
    <div class="scrubber is-on">
      <input
        type="range"
        dir="ltr"
        min={0}
        max={points.length - 1}
        value={at}
        aria-label={word('scrubber')}
        aria-valuetext={points[at]?.label}
        onInput={(event) => move(Number(event.currentTarget.value))}
      />
      <span
        class="scrubbed"
        aria-hidden="true"
        style={{ insetInlineStart: across(placeOf(at, drawn), false) }}
      />
      <output>{points[at]?.label}</output>
      <button
        type="button"
        class="button is-plain"
        onClick={() => {
          if (!isPlaying && at >= last) move(first, 0);
          setPlaying(!isPlaying);
        }}
      >
        {word(isPlaying ? 'pause' : 'play')}
      </button>
      <button
        type="button"
        class="button is-plain"
        onClick={() => {
          setPlaying(false);
          clearTimeout(timer.current);
          show({ moment: '' }, true);
        }}
      >
        {word('scrubEnd')}
      </button>
    </div>
  );
}

/** Where there is something to see: a young site has nothing before its first visit. */
function firstOf({ points }: Drawn): number {
  return Math.max(
    0,
    points.findIndex(({ value }) => value !== null && value > 0),
  );
}
