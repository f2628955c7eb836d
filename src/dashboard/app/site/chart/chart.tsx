/**
 * The chart over time: drawn as lines or bars, read by mouse, by keys and as a table (D-11), with what
 * happened marked on it, and a scrubber that the rest of the page follows (D-19).
 */
import { useMemo, useState } from 'preact/hooks';
import { Menu } from '../../parts/menu.tsx';
import { type Scale, scalesOf } from '../../view/range.ts';
import { type Metric, show, view } from '../../view/view.ts';
import { days } from '../../words/format.ts';
import { type WordKey, word } from '../../words/words.ts';
import { goalRows, type Shown, type SiteData } from '../site-data.ts';
import { usePart } from '../use-part.ts';
import { goalOf } from './conversion.ts';
import { ImportedNote } from './imported-note.tsx';
import { Lines } from './lines.tsx';
import { NoteButton, Notes } from './notes.tsx';
import type { Drawn } from './plot.ts';
import { PointTable } from './point-table.tsx';
import { Scrubber } from './scrubber.tsx';
import { pointsOf } from './series.ts';
import { METRIC_FORMS } from './totals.tsx';

const SCALE_WORDS: Readonly<Record<Scale, WordKey>> = {
  minute: 'minute',
  hour: 'hour',
  day: 'day',
  week: 'weekScale',
  month: 'monthScale',
  year: 'yearScale',
};

/** What the answer at hand can draw: durations and conversions are asked for. */
function drawnMetric(shown: Shown | null): Metric {
  const { metric } = view.value;
  if (shown === null) return metric;
  const asked = shown.view.metric;
  const isAsked = (one: Metric) => one === 'duration' || one === 'conversion';
  return metric !== asked && (isAsked(metric) || isAsked(asked)) ? asked : metric;
}

export function Chart({ data }: { data: SiteData }) {
  const shown = usePart(data, (key) => key.includes('series'));
  const [isTable, setTable] = useState(false);
  const metric = drawnMetric(shown);
  const { form } = view.value;
  const drawn = useMemo(
    (): Drawn => ({
      points: shown === null ? [] : pointsOf(shown, metric, ''),
      before: shown === null ? [] : pointsOf(shown, metric, 'compared '),
      ...{ form, metric, told: METRIC_FORMS[metric] },
    }),
    [shown, metric, form],
  );
  return (
    <section class="card chart" aria-label={word(metric)}>
      <header class="chart-head">
        <h2 class="sr-only">{word(metric)}</h2>
        {shown !== null && metric === 'conversion' && <GoalMenu data={data} />}
        {shown !== null && <ScaleMenu shown={shown} />}
        <button
          type="button"
          class="button is-plain"
          aria-pressed={form === 'bars'}
          onClick={() => show({ form: form === 'bars' ? 'lines' : 'bars' }, true)}
        >
          {word('asBars')}
        </button>
        <button
          type="button"
          class="button is-plain"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {word('asTable')}
        </button>
        <NoteButton data={data} />
      </header>
      {shown === null && <div class="chart-space" />}
      {shown !== null && isTable && (
        <PointTable drawn={drawn} scale={word(SCALE_WORDS[shown.scale])} name={word(metric)} />
      )}
      {shown !== null && !isTable && (
        <>
          <div class="plot" dir="ltr">
            <Lines
              drawn={drawn}
              label={word('chartOf', { metric: word(metric), range: days(shown.frames.frame) })}
            />
            <Notes data={data} drawn={drawn} />
          </div>
          <Scrubber drawn={drawn} />
        </>
      )}
      {shown !== null && <ImportedNote domain={data.domain} frame={shown.frames.frame} />}
    </section>
  );
}

function ScaleMenu({ shown }: { shown: Shown }) {
  const { frame, scale } = shown.frames;
  return (
    <Menu
      label={word('scale')}
      choices={scalesOf(frame, shown.view.metric !== 'duration').map((one) => ({
        key: one,
        label: word(SCALE_WORDS[one]),
        isChosen: one === scale,
      }))}
      onChoose={(one) => show({ scale: one as Scale, moment: '' }, true)}
    >
      {word(SCALE_WORDS[scale])}
    </Menu>
  );
}

function GoalMenu({ data }: { data: SiteData }) {
  const goals = goalRows(usePart(data, (key) => key === 'goals'));
  const chosen = goalOf(view.value, goals)?.page_goal;
  return (
    <Menu
      label={word('goals')}
      choices={goals.map(({ page_goal: { id, name } }) => ({
        key: id,
        label: name,
        isChosen: id === chosen?.id,
      }))}
      onChoose={(goal) => show({ goal }, true)}
    >
      <span class="cut" dir="auto">
        {chosen?.name}
      </span>
    </Menu>
  );
}
