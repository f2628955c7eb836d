/** A form made of a table of fields; what the service says of a field stands beside it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, faultOf } from '../../data/api.ts';
import { type SayKey, say } from '../../words/settings.ts';
import { word } from '../../words/words.ts';
import { FieldInput } from './field-input.tsx';
import { type Field, firstValue, sentValue, type Values } from './fields.ts';
import { useUnsaved } from './unsaved.ts';
import { useChanged } from './use-changed.ts';

interface Given {
  readonly fields: readonly Field[];
  readonly values: Values;
  readonly submitWord: SayKey;
  /** Sends it; what it throws is shown. */
  readonly onSubmit: (values: Values) => Promise<void>;
  /** What the values would do, while they are typed. */
  readonly preview?: (values: Values) => ComponentChildren;
  /** The button says that something goes for good. */
  readonly isDanger?: boolean;
  /** The button stands beside its only field, and speaks up once something is typed. */
  readonly isRow?: boolean;
  /** It cannot be sent yet. */
  readonly isOff?: boolean;
}

export function RecordForm(given: Given) {
  const { fields, values, submitWord, onSubmit, preview, isDanger, isRow, isOff } = given;
  const first = Object.fromEntries(fields.map((field) => [field.name, firstValue(field, values)]));
  const saved = JSON.stringify(first);
  const [entered, setEntered] = useState<Record<string, unknown>>(first);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [state, setState] = useState<'' | 'sending' | 'saved'>('');
  const root = useRef<HTMLFormElement>(null);
  // Not the state, which the second click of a double click may come before.
  const isOnItsWay = useRef(false);
  const isChanged = JSON.stringify(entered) !== saved;
  useUnsaved(state === '' && isChanged);
  // What is there now may be written otherwise than it was typed.
  useChanged(saved, () => setEntered(first));
  useEffect(() => {
    if (fault !== null) root.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [fault]);
  const shown = fields.filter(({ isShown }) => isShown?.(entered) !== false);
  const sent = Object.fromEntries(
    shown.map((field) => [field.name, sentValue(field, entered[field.name])]),
  );
  const submit = async () => {
    if (isOnItsWay.current || isOff === true) return;
    isOnItsWay.current = true;
    setState('sending');
    setFault(null);
    try {
      await onSubmit(sent);
      setState('saved');
    } catch (error) {
      setFault(faultOf(error));
      setState('');
    }
    isOnItsWay.current = false;
  };
  const quiet = isRow === true && !isChanged ? '' : 'is-main';
  return (
    <form
      class={`form ${isRow === true ? 'is-row' : ''} ${preview === undefined ? '' : 'has-preview'}`}
      ref={root}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div class="form-fields">
        {shown.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={entered[field.name]}
            fault={fieldFault(fault, field.name)}
            onInput={(value) => {
              setState('');
              setEntered((before) => ({ ...before, [field.name]: value }));
            }}
          />
        ))}
      </div>
      {preview?.(sent)}
      <div class="form-end">
        <button
          type="submit"
          class={`button ${isDanger === true ? 'is-danger' : quiet}`}
          aria-disabled={state === 'sending'}
          disabled={isOff === true}
        >
          {say(submitWord)}
        </button>
        <span class="hint" role="status">
          {state === 'saved' && say('saved')}
        </span>
      </div>
      <p class="fault-text" role="alert">
        {otherFaults(fault, shown)}
      </p>
    </form>
  );
}

/** What is wrong with a field; of a list, with which of its lines. */
function fieldFault(fault: ApiError | null, name: string): string {
  return Object.entries(fault?.validation ?? {})
    .filter(([key]) => key.split('.')[0] === name)
    .map(([key, text]) => {
      const line = key.split('.')[1];
      return line === undefined ? text : `${Number(line) + 1}: ${text}`;
    })
    .join('; ');
}

const NOT_FOUND = 404;
const CONFLICT = 409;

/** What is thrown where somebody else changed what stands in the form: sent again, it replaces that. */
export function changedElsewhere(): ApiError {
  return new ApiError(CONFLICT, say('changedMeanwhile'));
}

/** What went wrong and has no field. */
function otherFaults(fault: ApiError | null, fields: readonly Field[]): string {
  if (fault === null) return '';
  const { status, validation, retryAfterSeconds: seconds } = fault;
  if (status === 0) return word('awayFirst');
  if (seconds > 0) return word('tooMany', { seconds });
  if (status === NOT_FOUND) return say('goneMeanwhile');
  if (Object.keys(validation).length === 0) return fault.message;
  const named = new Set(fields.map(({ name }) => name));
  return Object.entries(validation)
    .filter(([name]) => !named.has(name.split('.')[0] ?? ''))
    .map(([name, text]) => `${name} ${text}`)
    .join('; ');
}
