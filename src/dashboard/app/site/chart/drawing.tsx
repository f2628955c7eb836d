/** What is seen of a chart: its axes, and lines or bars. Drawn anew when its points are others. */
import {
  across,
  type Drawn,
  formOf,
  GRAIN,
  labelled,
  marksOf,
  PLOT,
  pathsOf,
  placeOf,
  topOf,
} from './plot.ts';

/** Below so many values there is no line to see. */
const LINE_POINTS_MIN = 3;
/** Of the room that a point has. */
const BAR_PART = 0.6;
const BAR_BEFORE_PART = 0.9;
const BAR_PIXELS_MAX = 72;

interface Given {
  readonly drawn: Drawn;
  /** How many labels fit beside each other. */
  readonly room: number;
}

/** Hidden from who cannot see it: the points are read one by one, or in the table. */
export function Drawing({ drawn, room }: Given) {
  const top = topOf(drawn);
  return (
    <div class="drawing" aria-hidden="true">
      {marksOf(top, drawn.metric).map((value) => (
        <div class="mark-line" key={value} style={{ insetBlockEnd: above(value / top) }}>
          <span>{drawn.told(value)}</span>
        </div>
      ))}
      {formOf(drawn) === 'bars' ? (
        <Bars drawn={drawn} top={top} />
      ) : (
        <Strokes drawn={drawn} top={top} />
      )}
      {labelled(drawn.points, room).map((index) => (
        <span
          class="label-below"
          key={drawn.points[index]?.key}
          style={{ insetInlineStart: across(placeOf(index, drawn), false) }}
        >
          {drawn.points[index]?.short}
        </span>
      ))}
    </div>
  );
}

/** A part of the plot's height, from its bottom, as CSS. */
export function above(part: number): string {
  const { height, top, bottom } = PLOT;
  return `${(bottom + part * (height - top - bottom)).toFixed(1)}px`;
}

interface Scaled {
  readonly drawn: Drawn;
  readonly top: number;
}

function Strokes({ drawn, top }: Scaled) {
  const { before, line, open, area } = pathsOf(drawn, top);
  const begun = drawn.points.filter(({ value }) => value !== null);
  return (
    <>
      <svg
        aria-hidden="true"
        class="strokes"
        viewBox={`0 0 ${GRAIN} ${GRAIN}`}
        preserveAspectRatio="none"
      >
        <path class="area" d={area} />
        <path class="stroke is-before" d={before} />
        <path class="stroke" d={line} />
        <path class="stroke is-open" d={open} />
      </svg>
      {begun.length < LINE_POINTS_MIN &&
        begun.map((_, index) => <Dot key={index} index={index} drawn={drawn} />)}
    </>
  );
}

function Bars({ drawn, top }: Scaled) {
  const { points, before } = drawn;
  return (
    <svg aria-hidden="true" class="strokes">
      {before.slice(0, points.length).map((point, index) => (
        <Bar key={`before ${index}`} part={BAR_BEFORE_PART} {...{ drawn, top, index, point }} />
      ))}
      {points.map((point, index) => (
        <Bar key={point.key} part={BAR_PART} {...{ drawn, top, index, point }} />
      ))}
    </svg>
  );
}

interface BarGiven extends Scaled {
  readonly index: number;
  readonly point: Drawn['points'][number];
  /** Of the room that it has. */
  readonly part: number;
}

function Bar({ drawn, top, index, point, part }: BarGiven) {
  const { value } = point;
  if (value === null || value === 0) return null;
  const wide = (100 * part) / drawn.points.length;
  return (
    <rect
      class={part === BAR_BEFORE_PART ? 'column is-before' : 'column'}
      x={`${(100 * placeOf(index, drawn)).toFixed(3)}%`}
      y={`${(100 * (1 - value / top)).toFixed(2)}%`}
      height={`${((100 * value) / top).toFixed(2)}%`}
      style={{ width: `min(${BAR_PIXELS_MAX}px, ${wide.toFixed(3)}%)` }}
      rx="3"
    />
  );
}

/** The point that is read, or one of too few for a line. */
export function Dot({ index, drawn }: { index: number; drawn: Drawn }) {
  const value = drawn.points[index]?.value;
  if (value === null || value === undefined) return null;
  const style = {
    insetInlineStart: across(placeOf(index, drawn), false),
    insetBlockEnd: above(value / topOf(drawn)),
  };
  return <span class="dot" style={style} />;
}
