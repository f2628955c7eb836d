/** That an access link shows only a part (D-19): said, so that nobody takes it for the whole. */
import { pinned } from '../data/api.ts';
import { FILTER_WORDS, filterOf } from '../view/filters.ts';
import { word } from '../words/words.ts';

const OPERATORS = { '': '', '!': '≠ ', '~': '~ ', '^': '≁ ' } as const;

export function PinnedNote() {
  const filter = pinned.value;
  if (filter === null) return null;
  const texts = Object.entries(filter).map(([name, value]) => {
    const known = FILTER_WORDS[name];
    const values = [value].flat().map((text) => {
      const { operator, value: shown } = filterOf(name, String(text));
      return OPERATORS[operator] + shown;
    });
    return `${known === undefined ? name : word(known)} ${values.join(', ')}`;
  });
  return (
    <p class="pinned" dir="auto">
      {word('pinnedTo', { filters: texts.join(' · ') })}
    </p>
  );
}
