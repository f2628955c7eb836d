/** One end of a range of days, with what is wrong with it. */
import { useId } from 'preact/hooks';
import { say } from '../../words/settings.ts';

interface Given {
  readonly name: 'from' | 'to';
  readonly value: string;
  /** '' is none. */
  readonly fault: string;
  readonly onInput: (value: string) => void;
}

export function DayField({ name, value, fault, onInput }: Given) {
  const id = useId();
  return (
    <div class="field">
      <label htmlFor={id}>{say(name)}</label>
      <input
        id={id}
        class="input"
        type="date"
        name={name}
        value={value}
        aria-invalid={fault !== ''}
        aria-describedby={`${id}-fault`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <small id={`${id}-fault`} class="fault-text" role="alert">
        {fault}
      </small>
    </div>
  );
}
