/** A form made of a table of fields; what the service says of a field stands beside it. */
import { useId, useState } from 'preact/hooks';
import { ApiError } from '../data/api.ts';
import { type WordKey, word } from '../words/words.ts';
import type { Field } from './records.ts';

type Values = Readonly<Record<string, unknown>>;

interface Given {
  readonly fields: readonly Field[];
  readonly values: Values;
  readonly submitWord: WordKey;
  /** Sends it; what it throws is shown. */
  readonly onSubmit: (values: Values) => Promise<void>;
}

export function RecordForm({ fields, values, submitWord, onSubmit }: Given) {
  const [entered, setEntered] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, firstValue(field, values)])),
  );
  const [fault, setFault] = useState<ApiError | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async () => {
    setSending(true);
    setFault(null);
    try {
      await onSubmit(
        Object.fromEntries(
          fields.map((field) => [field.name, sentValue(field, entered[field.name])]),
        ),
      );
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, String(error)));
    }
    setSending(false);
  };
  const named = new Set(fields.map(({ name }) => name));
  const others = Object.entries(fault?.validation ?? {}).filter(
    ([name]) => !named.has(name.split('.')[0] ?? ''),
  );
  const hasFault = fault !== null && Object.keys(fault.validation).length === 0;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={entered[field.name]}
          fault={faultOf(fault, field.name)}
          onInput={(value) => setEntered({ ...entered, [field.name]: value })}
        />
      ))}
      <button type="submit" class="button is-main" disabled={isSending}>
        {word(submitWord)}
      </button>
      <p class="fault-text" role="alert">
        {hasFault && (fault.status === 0 ? word('awayFirst') : fault.message)}
        {others.map(([name, text]) => `${name} ${text}`).join('; ')}
      </p>
    </form>
  );
}

interface FieldGiven {
  readonly field: Field;
  readonly value: unknown;
  readonly fault: string;
  readonly onInput: (value: unknown) => void;
}

function FieldInput({ field, value, fault, onInput }: FieldGiven) {
  const { kind, label, hint, isRequired, choices, name } = field;
  const id = useId();
  const described = { 'aria-invalid': fault !== '', 'aria-describedby': `${id}-note` };
  const given = { class: 'input', id, name, required: isRequired === true, ...described };
  const text = String(value ?? '');
  return (
    <div class={kind === 'switch' ? 'field check' : 'field'}>
      {kind === 'switch' && (
        <input
          id={id}
          type="checkbox"
          name={name}
          checked={value === true}
          onChange={(event) => onInput(event.currentTarget.checked)}
        />
      )}
      <label htmlFor={id}>{word(label)}</label>
      {(kind === 'lines' || kind === 'filter') && (
        <textarea
          {...given}
          rows={3}
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {kind === 'choice' && (
        <select {...given} value={text} onChange={(event) => onInput(event.currentTarget.value)}>
          {choices?.map(([key, called]) => (
            <option key={key} value={key}>
              {word(called)}
            </option>
          ))}
        </select>
      )}
      {['text', 'number', 'email', 'url'].includes(kind) && (
        <input
          {...given}
          type={kind as 'text'}
          step="any"
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      <small id={`${id}-note`} class={fault === '' ? 'hint' : 'fault-text'}>
        {fault || (hint === undefined ? '' : word(hint))}
      </small>
    </div>
  );
}

function faultOf(fault: ApiError | null, name: string): string {
  const found = Object.entries(fault?.validation ?? {}).find(([key]) => key.split('.')[0] === name);
  return found?.[1] ?? '';
}

function firstValue({ name, kind, shownAs, choices }: Field, values: Values): unknown {
  const value = values[shownAs ?? name];
  if (kind === 'switch') return value === true;
  if (kind === 'lines') return Array.isArray(value) ? value.join('\n') : '';
  if (kind === 'filter') return linesOf(value);
  return value ?? choices?.[0]?.[0] ?? '';
}

function sentValue({ kind }: Field, value: unknown): unknown {
  const text = String(value ?? '').trim();
  if (kind === 'switch') return value === true;
  if (kind === 'number') return text === '' ? null : Number(text);
  if (kind === 'filter') return filterOf(text);
  if (kind === 'lines')
    return text
      .split(/[\n,]/)
      .map((line) => line.trim())
      .filter(Boolean);
  return text;
}

/** A line for each value: `country=de`. */
function linesOf(filter: unknown): string {
  return Object.entries((filter ?? {}) as Readonly<Record<string, unknown>>)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}=${String(value)}`))
    .join('\n');
}

/** What lines mean; the service says what is wrong with it. Null: nothing. */
function filterOf(text: string): Record<string, string[]> | null {
  const filter: Record<string, string[]> = {};
  for (const line of text.split('\n').map((typed) => typed.trim())) {
    if (line === '') continue;
    const at = line.includes('=') ? line.indexOf('=') : line.length;
    const name = line.slice(0, at).trim();
    filter[name] = [...(filter[name] ?? []), line.slice(at + 1).trim()];
  }
  return Object.keys(filter).length === 0 ? null : filter;
}
