/** What filters, their operators and values are called (D-13). */
import { FILTER_WORDS, type Filter, type Operator } from '../view/filters.ts';
import { country, languageName } from '../words/format.ts';
import { type WordKey, word } from '../words/words.ts';

/** What operators are called. */
export const OPERATOR_WORDS: Readonly<Record<Operator, WordKey>> = {
  '': 'is',
  '!': 'isNot',
  '~': 'contains',
  '^': 'containsNot',
};

/** What a filter is called. */
export function nameWord(name: string): string {
  const key = FILTER_WORDS[name];
  if (key !== undefined) return word(key);
  const prefix = name.startsWith('tag_') ? 'tag' : 'event';
  return `${word(prefix)} · ${name.slice(name.indexOf('_') + 1)}`;
}

/** What its value is called. */
export function valueWord({ name, operator, value }: Filter): string {
  const isWhole = operator === '' || operator === '!';
  if (isWhole && value.toLowerCase() === 'null') return word(EMPTY_WORDS[name] ?? 'empty');
  if (name === 'country' && isWhole) return country(value);
  if (name === 'language' && isWhole) return languageName(value);
  if (name === 'platform')
    return word(value === 'desktop' || value === 'mobile' ? value : 'otherPlatform');
  return value;
}

/** Where the empty value has a name of its own. */
const EMPTY_WORDS: Readonly<Record<string, WordKey>> = {
  referrer_name: 'direct',
  referrer: 'direct',
};

/** A filter as a sentence. */
export function filterWords(filter: Filter): string {
  const operator = word(OPERATOR_WORDS[filter.operator]);
  return `${nameWord(filter.name)} ${operator} ${valueWord(filter)}`;
}
