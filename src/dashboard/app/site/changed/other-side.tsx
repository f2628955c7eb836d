/** The two sides in words, and how the other one is chosen. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { dayOf, dayText } from '../../view/days.ts';
import { withFilter } from '../../view/filters.ts';
import { show, view } from '../../view/view.ts';
import { count, days } from '../../words/format.ts';
import { type WordKey, word } from '../../words/words.ts';
import { Adding } from '../adding.tsx';
import { filterWords } from '../filter-words.ts';
import type { SiteData } from '../site-data.ts';
import {
  hasOwnFilters,
  OTHER_DAYS,
  type OtherDays,
  otherDays,
  picksOfDays,
  picksOfFilters,
  type Side,
} from './side.ts';

const DAYS_WORDS: Readonly<Record<OtherDays, WordKey>> = {
  previous: 'comparePrevious',
  year: 'compareYear',
  same: 'sameDays',
  custom: 'compareCustom',
};

interface WordsGiven {
  readonly label: string;
  readonly side: Side;
  /** Undefined: not known yet. */
  readonly visitors: number | undefined;
  readonly children?: ComponentChildren;
}

export function SideWords({ label, side, visitors, children }: WordsGiven) {
  return (
    <section class="side" aria-label={label}>
      <h3>{label}</h3>
      <p class="side-number">
        <b>{visitors === undefined ? '–' : count(visitors)}</b> {word('visitors')}
      </p>
      <p>{days(side.span)}</p>
      <p class="side-filters">
        {side.filters.length === 0
          ? word('noFilters')
          : side.filters.map((filter) => (
              <bdi key={filterWords(filter)}>{filterWords(filter)}</bdi>
            ))}
      </p>
      {children}
    </section>
  );
}

function pick(picks: Readonly<Record<string, string>>): void {
  show({ tabs: { ...view.value.tabs, ...picks } }, true);
}

export function OtherSide({ data, side }: { data: SiteData; side: Side }) {
  const [isAdding, setAdding] = useState(false);
  const of = view.value;
  const chosen = otherDays(of);
  const change = (end: 'from' | 'to', text: string) => {
    const day = dayOf(text);
    if (!Number.isNaN(day)) pick(picksOfDays('custom', { ...side.span, [end]: day }));
  };
  return (
    <div class="side-tools">
      <select
        class="input"
        aria-label={word('range')}
        value={chosen}
        onChange={(event) => pick(picksOfDays(event.currentTarget.value as OtherDays, side.span))}
      >
        {OTHER_DAYS.map((one) => (
          <option key={one} value={one}>
            {word(DAYS_WORDS[one])}
          </option>
        ))}
      </select>
      {chosen === 'custom' && (
        <span class="side-dates">
          {(['from', 'to'] as const).map((end) => (
            <input
              key={end}
              class="input"
              type="date"
              aria-label={word(end)}
              value={dayText(side.span[end])}
              onChange={(event) => change(end, event.currentTarget.value)}
            />
          ))}
        </span>
      )}
      <span class="side-buttons">
        <button type="button" class="button" onClick={() => setAdding(true)}>
          {word('otherFilter')}
        </button>
        {side.filters.length > 0 && (
          <button type="button" class="button" onClick={() => pick(picksOfFilters([]))}>
            {word('withoutFilters')}
          </button>
        )}
        {hasOwnFilters(of) && (
          <button type="button" class="button" onClick={() => pick(picksOfFilters(null))}>
            {word('sameFilters')}
          </button>
        )}
      </span>
      {isAdding && (
        <Adding
          data={data}
          onClose={() => setAdding(false)}
          onAdd={(filter) => {
            const own = hasOwnFilters(of) ? side.filters : [];
            pick(picksOfFilters(withFilter(own, filter)));
          }}
        />
      )}
    </div>
  );
}
