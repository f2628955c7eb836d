/**
 * A button for what cannot be taken back: it works once the name of what goes stands beside it (D-17).
 */
import { useState } from 'preact/hooks';
import type { SayKey } from '../../words/settings.ts';
import type { Field, Values } from './fields.ts';
import { RecordForm } from './record-form.tsx';

interface Given {
  /** What has to be typed. */
  readonly name: string;
  readonly hint: string;
  readonly submitWord: SayKey;
  /** What else is asked. */
  readonly fields?: readonly Field[];
  readonly onSure: (values: Values) => Promise<void>;
}

export function TypedName({ name, hint, submitWord, fields = [], onSure }: Given) {
  const [typed, setTyped] = useState('');
  return (
    <>
      <label class="field">
        {hint}
        <input
          class="input"
          name="confirm"
          value={typed}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <RecordForm
        fields={fields}
        values={{}}
        submitWord={submitWord}
        isDanger
        isOff={typed.trim() !== name.trim()}
        onSubmit={onSure}
      />
    </>
  );
}
