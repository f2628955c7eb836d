/** The filters of the view as words: inverted, widened, removed, added (D-13). */
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { searchIsOpen } from '../parts/keys.ts';
import { Menu } from '../parts/menu.tsx';
import {
  FILTER_WORDS,
  type Filter,
  isFilter,
  type Operator,
  operatorsOf,
  withFilter,
} from '../view/filters.ts';
import { show, view } from '../view/view.ts';
import { country, languageName } from '../words/format.ts';
import { type WordKey, word } from '../words/words.ts';

const OPERATOR_WORDS: Readonly<Record<Operator, WordKey>> = {
  '': 'is',
  '!': 'isNot',
  '~': 'contains',
  '^': 'containsNot',
};

/** What a filter is called. */
function nameWord(name: string): string {
  const key = FILTER_WORDS[name];
  return key === undefined ? name.slice(name.indexOf('_') + 1) : word(key);
}

function valueWord({ name, value }: Filter): string {
  if (value.toLowerCase() === 'null') return word('empty');
  if (name === 'country') return country(value);
  return name === 'language' ? languageName(value) : value;
}

export function FilterBar() {
  const { filters } = view.value;
  return (
    <section class="filters" aria-label={word('filters')}>
      {filters.map((filter) => (
        <span class="chip" key={`${filter.name} ${filter.operator}${filter.value}`}>
          <span class="chip-name">{nameWord(filter.name)}</span>
          <Menu
            label={`${nameWord(filter.name)} ${word(OPERATOR_WORDS[filter.operator])} ${valueWord(filter)}`}
            className="chip-operator"
            choices={operatorsOf(filter.name).map((operator) => ({
              key: operator,
              label: word(OPERATOR_WORDS[operator]),
              isChosen: operator === filter.operator,
            }))}
            onChoose={(operator) => replace(filter, { ...filter, operator: operator as Operator })}
          >
            {word(OPERATOR_WORDS[filter.operator])}
          </Menu>
          <b dir="auto">{valueWord(filter)}</b>
          <button
            type="button"
            class="button is-plain"
            aria-label={`${word('remove')}: ${nameWord(filter.name)} ${valueWord(filter)}`}
            onClick={() => show({ filters: view.value.filters.filter((one) => one !== filter) })}
          >
            <span aria-hidden="true">✕</span>
          </button>
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
      {searchIsOpen.value && <AddFilter onClose={() => (searchIsOpen.value = false)} />}
    </section>
  );
}

function replace(before: Filter, after: Filter): void {
  show({ filters: view.value.filters.map((one) => (one === before ? after : one)) });
}

function AddFilter({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('path');
  const [operator, setOperator] = useState<Operator>('~');
  const [value, setValue] = useState('');
  const operators = operatorsOf(name);
  return (
    <Dialog title={word('addFilter')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const added: Filter = {
            name,
            operator: operators.includes(operator) ? operator : '',
            value,
          };
          if (isFilter(name) && value !== '')
            show({ filters: withFilter(view.value.filters, added) });
          onClose();
        }}
      >
        <label>
          {word('filter')}
          <select
            class="input"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          >
            {Object.entries(FILTER_WORDS).map(([key, label]) => (
              <option key={key} value={key}>
                {word(label)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="sr-only">{word('is')}</span>
          <select
            class="input"
            value={operators.includes(operator) ? operator : ''}
            onChange={(event) => setOperator(event.currentTarget.value as Operator)}
          >
            {operators.map((one) => (
              <option key={one} value={one}>
                {word(OPERATOR_WORDS[one])}
              </option>
            ))}
          </select>
        </label>
        <label>
          {word('value')}
          <input
            class="input"
            required
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button is-main">
          {word('apply')}
        </button>
      </form>
    </Dialog>
  );
}
