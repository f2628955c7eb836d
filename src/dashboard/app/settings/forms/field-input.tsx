/** One field of a form: its label, how it is entered, and what is to be known or wrong of it. */
import { useId } from 'preact/hooks';
import { say } from '../../words/settings.ts';
import type { Field } from './fields.ts';
import { FiltersInput, type FilterValues } from './filters-input.tsx';
import { StepsInput } from './steps-input.tsx';

interface Given {
  readonly field: Field;
  readonly value: unknown;
  /** '' is none. */
  readonly fault: string;
  readonly onInput: (value: unknown) => void;
}

export function FieldInput({ field, value, fault, onInput }: Given) {
  const { kind, hint } = field;
  const label = say(field.label, field.labelled);
  const id = useId();
  const note = fault || (hint === undefined ? '' : say(hint));
  const noted = (
    <small id={`${id}-note`} class={fault === '' ? 'hint' : 'fault-text'}>
      {note}
    </small>
  );
  if (kind === 'steps' || kind === 'filters') {
    return (
      <fieldset class="field steps-field" aria-describedby={`${id}-note`}>
        <legend>{label}</legend>
        {kind === 'steps' ? (
          <StepsInput value={value} onInput={onInput} isFaulty={fault !== ''} />
        ) : (
          <FiltersInput value={value as FilterValues} label={label} onInput={onInput} />
        )}
        {noted}
      </fieldset>
    );
  }
  return (
    <div class={kind === 'switch' ? 'field check' : 'field'}>
      {kind === 'switch' && <Control {...{ field, value, fault, onInput, id }} />}
      <label htmlFor={id}>{label}</label>
      {kind !== 'switch' && <Control {...{ field, value, fault, onInput, id }} />}
      {noted}
    </div>
  );
}

/** Kinds that have several lines. */
const ROWS: Readonly<Record<string, number>> = { lines: 3, json: 6, long: 3 };
const TYPES: Readonly<Record<string, string>> = { zone: 'text', moment: 'datetime-local' };

function Control({ field, value, fault, onInput, id }: Given & { readonly id: string }) {
  const { kind, isRequired, choices = [], named = [], name } = field;
  const described = { 'aria-invalid': fault !== '', 'aria-describedby': `${id}-note` };
  const given = { class: 'input', id, name, required: isRequired === true, ...described };
  const text = String(value ?? '');
  const typed = (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value);
  if (kind === 'switch') {
    return (
      <input
        {...{ id, name, ...described }}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onInput(event.currentTarget.checked)}
      />
    );
  }
  const rows = ROWS[kind];
  if (rows !== undefined) {
    const isWords = kind === 'long';
    return (
      <textarea
        {...given}
        {...(isWords ? { dir: 'auto' as const } : { spellcheck: false })}
        rows={rows}
        value={text}
        onInput={typed}
      />
    );
  }
  if (kind === 'choice') {
    return (
      <select {...given} value={text} onChange={typed}>
        {[...choices.map(([key, called]) => [key, say(called)] as const), ...named].map(
          ([key, called]) => (
            <option key={key} value={key}>
              {called}
            </option>
          ),
        )}
      </select>
    );
  }
  const listed = kind === 'zone' ? { list: `${id}-list` } : {};
  return (
    <>
      <input
        {...given}
        {...listed}
        type={(TYPES[kind] ?? kind) as 'text'}
        step="any"
        autocomplete={field.autocomplete ?? 'off'}
        spellcheck={false}
        value={text}
        onInput={typed}
      />
      {kind === 'zone' && (
        <datalist id={`${id}-list`}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      )}
    </>
  );
}
