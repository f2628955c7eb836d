/** Which days are looked at, and with which they are compared. */
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Menu } from '../parts/menu.tsx';
import { dayOf, dayText } from '../view/days.ts';
import { COMPARISONS, type Comparison, RANGES, type RangeName, type Span } from '../view/range.ts';
import { show, view } from '../view/view.ts';
import { days } from '../words/format.ts';
import { type WordKey, word } from '../words/words.ts';
import type { SiteData } from './site-data.ts';

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
  const { span, compared } = data.spansOf(of);
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
      <div class="steps">
        <button
          type="button"
          class="button is-plain"
          aria-label={word('keyArrows')}
          onClick={() => step(data, -1)}
        >
          <span aria-hidden="true">‹</span>
        </button>
        <Menu
          label={`${word('range')}: ${days(span)}`}
          choices={ranges}
          onChoose={(key) => (key === 'custom' ? ask('range') : choose(key as RangeName))}
        >
          <span>{of.range === 'custom' ? days(span) : rangeWord(of.range)}</span>
        </Menu>
        <button
          type="button"
          class="button is-plain"
          aria-label={word('keyArrows')}
          disabled={!canStep(data, 1)}
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
        <span>{compared === null ? word('compare') : word(COMPARISON_WORDS[of.comparison])}</span>
      </Menu>
      {asked !== null && (
        <DaysDialog
          title={word(asked === 'range' ? 'range' : 'compare')}
          span={asked === 'range' ? span : (compared ?? span)}
          hasTimes={asked === 'range'}
          onClose={() => ask(null)}
          onChoose={(custom, fromTime, toTime) => {
            ask(null);
            if (asked === 'range') show({ range: 'custom', custom, fromTime, toTime, scale: '' });
            else show({ comparison: 'custom', comparedWith: custom });
          }}
        />
      )}
    </>
  );
}

function choose(range: RangeName): void {
  show({ range, custom: null, fromTime: '', toTime: '', scale: '' });
}

/** The same number of days before or after. */
export function step(data: SiteData, direction: number): void {
  if (!canStep(data, direction)) return;
  const { from, to } = data.spansOf(view.value).span;
  const by = direction * (to - from + 1);
  show({ range: 'custom', custom: { from: from + by, to: to + by }, scale: view.value.scale });
}

function canStep(data: SiteData, direction: number): boolean {
  const { span } = data.spansOf(view.value);
  const now = data.spansOf({ ...view.value, range: 'today', custom: null }).span;
  return direction < 0 || span.to < now.to;
}

interface Given {
  readonly title: string;
  readonly span: Span;
  readonly hasTimes: boolean;
  readonly onClose: () => void;
  readonly onChoose: (span: Span, fromTime: string, toTime: string) => void;
}

function DaysDialog({ title, span, hasTimes, onClose, onChoose }: Given) {
  const [from, setFrom] = useState(dayText(span.from));
  const [to, setTo] = useState(dayText(span.to));
  const [fromTime, setFromTime] = useState('');
  const [toTime, setToTime] = useState('');
  const isOneDay = from === to;
  const isRight = !Number.isNaN(dayOf(from)) && !Number.isNaN(dayOf(to));
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const [first, last] = [dayOf(from), dayOf(to)].sort((left, right) => left - right);
          const times = isOneDay && hasTimes ? [fromTime, toTime] : ['', ''];
          if (isRight)
            onChoose({ from: first ?? 0, to: last ?? 0 }, times[0] ?? '', times[1] ?? '');
        }}
      >
        <label>
          {word('from')}
          <input
            class="input"
            type="date"
            required
            value={from}
            onInput={(event) => setFrom(event.currentTarget.value)}
          />
        </label>
        <label>
          {word('to')}
          <input
            class="input"
            type="date"
            required
            value={to}
            onInput={(event) => setTo(event.currentTarget.value)}
          />
        </label>
        {isOneDay && hasTimes && (
          <>
            <label>
              {word('fromTime')}
              <input
                class="input"
                type="time"
                value={fromTime}
                onInput={(event) => setFromTime(event.currentTarget.value)}
              />
            </label>
            <label>
              {word('toTime')}
              <input
                class="input"
                type="time"
                value={toTime}
                onInput={(event) => setToTime(event.currentTarget.value)}
              />
            </label>
          </>
        )}
        <button type="submit" class="button is-main" disabled={!isRight}>
          {word('apply')}
        </button>
      </form>
    </Dialog>
  );
}
