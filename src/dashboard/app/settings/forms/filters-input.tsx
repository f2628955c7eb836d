/** Filters as rows: a parameter and its value; several values of one parameter are several rows. */
import { FILTER_WORDS } from '../../view/filters.ts';
import { say } from '../../words/settings.ts';
import { word } from '../../words/words.ts';

/** Filters as the interface has them. */
export type FilterValues = Readonly<Record<string, string | readonly string[]>>;

type Row = readonly [name: string, value: string];

interface Given {
  readonly value: FilterValues;
  /** Whose filters they are. */
  readonly label: string;
  readonly onInput: (value: FilterValues) => void;
}

export function FiltersInput({ value, label, onInput }: Given) {
  const rows = rowsOf(value);
  const shown: readonly Row[] = rows.length === 0 ? [['path', '']] : rows;
  const names = [...new Set([...Object.keys(FILTER_WORDS), ...shown.map(([name]) => name)])];
  const put = (at: number, row: Row) =>
    onInput(filterOf(shown.map((one, n) => (n === at ? row : one))));
  return (
    <>
      {shown.map(([name, text], at) => (
        <div class="filter-row" key={at}>
          <select
            class="input"
            aria-label={`${label}: ${word('filter')}`}
            value={name}
            onChange={(event) => put(at, [event.currentTarget.value, text])}
          >
            {names.map((known) => (
              <option key={known} value={known}>
                {FILTER_WORDS[known] === undefined ? known : word(FILTER_WORDS[known])}
              </option>
            ))}
          </select>
          <input
            class="input"
            aria-label={`${label}: ${word('value')}`}
            placeholder={name === 'path' ? '/prices' : ''}
            autocomplete="off"
            value={text}
            onInput={(event) => put(at, [name, event.currentTarget.value])}
          />
          <button
            type="button"
            class="button is-plain"
            aria-label={say('filterRemove', { name: label })}
            onClick={() => onInput(filterOf(shown.filter((_, n) => n !== at)))}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </div>
      ))}
      <button
        type="button"
        class="button is-plain"
        onClick={() => onInput(filterOf([...shown, [nextName(shown), '']]))}
      >
        {word('addFilter')}
        <span class="sr-only"> {label}</span>
      </button>
    </>
  );
}

/** A name that is not there yet, so that the new row stands below the others. */
function nextName(rows: readonly Row[]): string {
  const taken = new Set(rows.map(([name]) => name));
  return Object.keys(FILTER_WORDS).find((name) => !taken.has(name)) ?? 'path';
}

function rowsOf(filter: FilterValues): Row[] {
  return Object.entries(filter).flatMap(([name, values]) =>
    [values].flat().map((value): Row => [name, value as string]),
  );
}

function filterOf(rows: readonly Row[]): FilterValues {
  const filter: Record<string, string | string[]> = {};
  for (const [name, value] of rows) {
    const before = filter[name];
    filter[name] = before === undefined ? value : [before, value].flat();
  }
  return filter;
}
