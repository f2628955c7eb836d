/** The list of keys. */
import { type WordKey, word } from '../words/words.ts';
import { Dialog } from './dialog.tsx';
import { helpIsOpen, keysAreOn } from './keys.ts';

const KEYS: readonly (readonly [string, WordKey])[] = [
  ['?', 'keyHelp'],
  ['T', 'keyToday'],
  ['Y', 'keyYesterday'],
  ['W', 'keyWeek'],
  ['M', 'keyMonth'],
  ['/', 'keySearch'],
  ['← →', 'keyArrows'],
  ['Alt Enter', 'excludeKey'],
  ['Esc', 'keyEscape'],
];

export function KeyHelp() {
  if (!helpIsOpen.value) return null;
  return (
    <Dialog title={word('keys')} onClose={() => (helpIsOpen.value = false)}>
      <dl class="keys">
        {KEYS.map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{word(label)}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={keysAreOn.value}
          onChange={(event) => (keysAreOn.value = event.currentTarget.checked)}
        />
        {word('keysOn')}
      </label>
    </Dialog>
  );
}
