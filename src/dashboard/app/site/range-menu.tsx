/** Which days are looked at, and with which they are compared. */
import { useState } from 'preact/hooks';
import { loaded } from '../parts/loaded.tsx';
import { Menu } from '../parts/menu.tsx';
import { isPart, steppedFrame } from '../view/frame.ts';
import { COMPARISONS, type Comparison, type Frame, RANGES, type RangeName } from '../view/range.ts';
import { show, showRange, view } from '../view/view.ts';
import { clock, days } from '../words/format.ts';
import { type WordKey, word } from '../words/words.ts';
import type { SiteData } from './site-data.ts';

const DaysDialog = loaded(async () => (await import('./days-dialog.tsx')).DaysDialog);

const COMPARISON_WORDS: Readonly<Record<Comparison, WordKey>> = {
  none: 'compareNone',
  previous: 'comparePrevious',
  year: 'compareYear',
  custom: 'compareCustom',
};

/** What a range is called. */
export function rangeWord(range: RangeName): string {
  return word(range === 'all' ? 'allTime' : range);
}

export function RangeMenu({ data }: { data: SiteData }) {
  const [asked, ask] = useState<'range' | 'comparison' | null>(null);
  const of = view.value;
  const { frame, compared } = data.spansOf(of).frames;
  const isPlain = of.range !== 'custom' && !isPart(frame);
  const apart = new Set<string>(['7d', 'week', 'year', 'custom']);
  const ranges = [...RANGES, 'custom' as const].map((range) => ({
    key: range,
    label: rangeWord(range),
    isChosen: range === of.range,
    isApart: apart.has(range),
  }));
  const comparisons = COMPARISONS.map((comparison) => ({
    key: comparison,
    label: word(COMPARISON_WORDS[comparison]),
    isChosen: comparison === of.comparison,
  }));
  return (
    <>
      <p class="on-paper">
        {framed(frame)}
        {compared !== null && ` · ${word('comparedTo', { range: framed(compared) })}`}
      </p>
      <div class="steps">
        <button
          type="button"
          class="button is-plain"
          aria-label={word('rangeBefore')}
          onClick={() => step(data, -1)}
        >
          <span aria-hidden="true">‹</span>
        </button>
        <Menu
          label={`${word('range')}: ${framed(frame)}`}
          choices={ranges}
          onChoose={(key) => (key === 'custom' ? ask('range') : showRange(key as RangeName))}
        >
          <span>{isPlain ? rangeWord(of.range) : framed(frame)}</span>
        </Menu>
        <button
          type="button"
          class="button is-plain"
          aria-label={word('rangeAfter')}
          disabled={stepped(data, 1) === null}
          onClick={() => step(data, 1)}
        >
          <span aria-hidden="true">›</span>
        </button>
      </div>
      <Menu
        label={word('compare')}
        choices={comparisons}
        isRight
        className="compare"
        onChoose={(key) =>
          key === 'custom' ? ask('comparison') : show({ comparison: key as Comparison })
        }
      >
        <span class="compare-word">
          {compared === null ? word('compare') : word(COMPARISON_WORDS[of.comparison])}
        </span>
        <span class={compared === null ? 'compare-mark' : 'compare-mark is-on'} aria-hidden="true">
          ⇄
        </span>
      </Menu>
      {asked !== null && (
        <DaysDialog
          title={word(asked === 'range' ? 'range' : 'compare')}
          frame={asked === 'range' ? frame : (compared ?? frame)}
          hasTimes={asked === 'range'}
          onClose={() => ask(null)}
          onChoose={(custom, fromTime, toTime) => {
            ask(null);
            if (asked === 'range') showRange('custom', custom, { fromTime, toTime });
            else show({ comparison: 'custom', comparedWith: custom });
          }}
        />
      )}
    </>
  );
}

/** The range before or after: a month before a month, else as many days. */
export function step(data: SiteData, direction: 1 | -1): void {
  const next = stepped(data, direction);
  if (next === null) return;
  const { fromTime, toTime, ...span } = next;
  const { scale } = view.value;
  show({ range: 'custom', custom: span, fromTime, toTime, scale, moment: '' });
}

function stepped(data: SiteData, direction: 1 | -1): Frame | null {
  const { frame, now } = data.spansOf(view.value).frames;
  return steppedFrame(frame, direction, now.day);
}

/** A range in words, with its times where it is a part of a day. */
function framed({ fromTime, toTime, ...span }: Frame): string {
  if (fromTime === '' && toTime === '') return days(span);
  return `${days(span)}, ${clock(fromTime || '00:00')} – ${clock(toTime || '23:59')}`;
}
