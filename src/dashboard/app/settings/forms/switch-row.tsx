/** A switch that takes effect at once: the request turns it over, and what is wrong stands below. */
import { useId, useState } from 'preact/hooks';
import { ApiError } from '../../data/api.ts';
import { type SayKey, say } from '../../words/settings.ts';
import { word } from '../../words/words.ts';

interface Given {
  readonly label: SayKey;
  readonly hint?: SayKey;
  readonly isOn: boolean;
  readonly onTurn: () => Promise<void>;
}

export function SwitchRow({ label, hint, isOn, onTurn }: Given) {
  const [fault, setFault] = useState('');
  const [isSending, setSending] = useState(false);
  const id = useId();
  const turn = async () => {
    if (isSending) return;
    setSending(true);
    setFault('');
    try {
      await onTurn();
    } catch (error) {
      setFault((error instanceof ApiError && error.message) || word('awayFirst'));
    }
    setSending(false);
  };
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        aria-describedby={`${id}-note`}
        onClick={(event) => {
          // It shows what the service says, not what was clicked.
          event.preventDefault();
          void turn();
        }}
      />
      <label htmlFor={id}>{say(label)}</label>
      <small id={`${id}-note`} class={fault === '' ? 'hint' : 'fault-text'} role="status">
        {fault || (hint === undefined ? '' : say(hint))}
      </small>
    </div>
  );
}
