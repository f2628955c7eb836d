/** The filters of the view as words: inverted, widened, removed, added (D-13). */
import { searchIsOpen } from '../parts/keys.ts';
import { Menu } from '../parts/menu.tsx';
import {
  type Filter,
  isNegative,
  type Operator,
  operatorsOf,
  runsOf,
  withFilter,
} from '../view/filters.ts';
import { show, view } from '../view/view.ts';
import { word } from '../words/words.ts';
import { Adding } from './adding.tsx';
import { filterWords, nameWord, OPERATOR_WORDS, valueWord } from './filter-words.ts';
import type { SiteData } from './site-data.ts';

export function FilterBar({ data }: { data: SiteData }) {
  const { filters } = view.value;
  return (
    <section class="filters" aria-label={word('filters')}>
      {runsOf(filters).map((run) => (
        <span class="chips" key={`${run[0]?.name} ${run[0]?.operator}`}>
          {run.map((filter, at) => (
            <>
              {at > 0 && <span class="chip-or">{word(isNegative(filter) ? 'and' : 'or')}</span>}
              <Chip key={`${filter.operator}${filter.value}`} filter={filter} />
            </>
          ))}
        </span>
      ))}
      <button type="button" class="button is-plain" onClick={() => (searchIsOpen.value = true)}>
        <span aria-hidden="true">+</span> {word('filter')}
      </button>
      {filters.length > 1 && (
        <button type="button" class="button is-plain" onClick={() => show({ filters: [] })}>
          {word('clearFilters')}
        </button>
      )}
      <button
        type="button"
        class="button is-plain changed-open"
        onClick={() => show({ open: 'changed' })}
      >
        <span aria-hidden="true">±</span> {word('whatChanged')}
      </button>
      {searchIsOpen.value && (
        <Adding
          data={data}
          onClose={() => (searchIsOpen.value = false)}
          onAdd={(added) => show({ filters: withFilter(view.value.filters, added) })}
        />
      )}
    </section>
  );
}

function Chip({ filter }: { filter: Filter }) {
  const operators = operatorsOf(filter.name);
  return (
    <span class={isNegative(filter) ? 'chip is-negative' : 'chip'}>
      <span class="chip-name">{nameWord(filter.name)}</span>
      {operators.length === 1 ? (
        <span class="chip-is">{word('is')}</span>
      ) : (
        <Menu
          label={filterWords(filter)}
          className="chip-operator"
          choices={operators.map((operator) => ({
            key: operator,
            label: word(OPERATOR_WORDS[operator]),
            isChosen: operator === filter.operator,
          }))}
          onChoose={(operator) => replace(filter, { ...filter, operator: operator as Operator })}
        >
          {word(OPERATOR_WORDS[filter.operator])}
        </Menu>
      )}
      <b dir="auto" title={valueWord(filter)}>
        {valueWord(filter)}
      </b>
      <button
        type="button"
        class="button is-plain"
        aria-label={`${word('remove')}: ${nameWord(filter.name)} ${valueWord(filter)}`}
        onClick={() => remove(filter)}
      >
        <span aria-hidden="true">✕</span>
      </button>
    </span>
  );
}

function remove(filter: Filter): void {
  // One of these two alone says nothing (F-31).
  const names = ['visitor_id', 'session_id'];
  const isPair = names.includes(filter.name);
  show({
    filters: view.value.filters.filter((one) =>
      isPair ? !names.includes(one.name) : one !== filter,
    ),
  });
}

function replace(before: Filter, after: Filter): void {
  show({ filters: view.value.filters.map((one) => (one === before ? after : one)) });
}
