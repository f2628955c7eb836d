/** Adds a filter by name, operator and value; values that there are come while one types (D-13). */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { call } from '../data/api.ts';
import { Latest } from '../data/latest.ts';
import { Dialog } from '../parts/dialog.tsx';
import {
  FILTER_WORDS,
  type Filter,
  isFilter,
  type Operator,
  operatorsOf,
  PAIRED,
} from '../view/filters.ts';
import { view } from '../view/view.ts';
import { word } from '../words/words.ts';
import { nameWord, OPERATOR_WORDS } from './filter-words.ts';
import { daysOf, type SiteData, sharedOf } from './site-data.ts';

/** Letters are waited for this long. */
const TYPING_MS = 150;

/** Which options a filter has (S-95), where they are not called like it. */
const OPTIONS: Readonly<Record<string, string>> = {
  ...{ path: 'page', entry_path: 'page', exit_path: 'page', referrer_name: 'referrer/name' },
  ...{ utm_source: 'utm/source', utm_medium: 'utm/medium', utm_campaign: 'utm/campaign' },
  ...{ utm_content: 'utm/content', utm_term: 'utm/term' },
  ...{ country: 'country', region: 'region', city: 'city', language: 'language' },
  ...{ referrer: 'referrer', channel: 'channel', device: 'device', hostname: 'hostname' },
  ...{ event: 'event', tag: 'tag' },
};
/** Filters with a key of the site's own. */
const KEYED = { tag_: 'tagValue', meta_: 'metaValue' } as const;

interface Given {
  readonly data: SiteData;
  readonly onClose: () => void;
  readonly onAdd: (filter: Filter) => void;
}

export function AddFilter({ data, onClose, onAdd }: Given) {
  const [kind, setKind] = useState('path');
  const [key, setKey] = useState('');
  const [operator, setOperator] = useState<Operator>('~');
  const [value, setValue] = useState('');
  const isKeyed = Object.hasOwn(KEYED, kind);
  const name = isKeyed ? kind + key.trim() : kind;
  const operators = operatorsOf(name);
  const chosen = operators.includes(operator) ? operator : '';
  const options = useOptions(data, name, value);
  const add = () => {
    const added: Filter = { name, operator: chosen, value };
    if (!isFilter(name) || value === '' || (isKeyed && key.trim() === '')) return;
    onClose();
    onAdd(added);
  };
  return (
    <Dialog title={word('addFilter')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label>
          {word('filter')}
          <select
            class="input"
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value)}
          >
            {Object.keys(FILTER_WORDS)
              .filter((one) => !PAIRED.has(one))
              .map((one) => (
                <option key={one} value={one}>
                  {nameWord(one)}
                </option>
              ))}
            {Object.entries(KEYED).map(([prefix, label]) => (
              <option key={prefix} value={prefix}>
                {word(label)}
              </option>
            ))}
          </select>
        </label>
        {isKeyed && (
          <label>
            {word('key')}
            <input
              class="input"
              required
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          </label>
        )}
        <label>
          {word('operator')}
          <select
            class="input"
            value={chosen}
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
            list="filter-options"
            autocomplete="off"
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        <datalist id="filter-options">
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
        <button type="submit" class="button is-main">
          {word('apply')}
        </button>
      </form>
    </Dialog>
  );
}

/** Values that contain what is typed. They help, so nothing is said where there are none. */
function useOptions(data: SiteData, name: string, typed: string): readonly string[] {
  const [options, setOptions] = useState<readonly string[]>([]);
  const latest = useMemo(() => new Latest(), []);
  useEffect(() => {
    const option = OPTIONS[name];
    setOptions([]);
    if (option === undefined) return;
    const of = view.peek();
    const { id } = sharedOf(data.domain.id, of);
    const query = { id, ...daysOf(data.spansOf(of).span), search: typed };
    const timer = setTimeout(() => {
      const path =
        `GET /api/v1/statistics/options/${option}` as 'GET /api/v1/statistics/options/page';
      latest
        .ask((signal) => call(path, query, undefined, signal))
        .then((answer) => answer !== null && setOptions(answer))
        .catch(() => setOptions([]));
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      latest.cancel();
    };
  }, [name, typed]);
  return options;
}
