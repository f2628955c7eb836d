/** A range of days, with what is wrong with its ends. */
import { useId } from 'preact/hooks';
import { say } from '../../words/settings.ts';

const ENDS = ['from', 'to'] as const;
type Days = Readonly<Record<(typeof ENDS)[number], string>>;

interface DaysGiven {
  readonly value: Days;
  /** '' is none. */
  readonly faults: Days;
  readonly hint: string;
  readonly onInput: (changed: Partial<Days>) => void;
}

export function DayFields({ value, faults, hint, onInput }: DaysGiven) {
  return (
    <div class="day-fields">
      {ENDS.map((end) => (
        <DayField
          key={end}
          name={end}
          value={value[end]}
          fault={faults[end]}
          onInput={(day) => onInput({ [end]: day })}
        />
      ))}
      <small class="hint">{hint}</small>
    </div>
  );
}

interface Given {
  readonly name: keyof Days;
  readonly value: string;
  readonly fault: string;
  readonly onInput: (value: string) => void;
}

function DayField({ name, value, fault, onInput }: Given) {
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
