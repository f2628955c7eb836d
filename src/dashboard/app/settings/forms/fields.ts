/** Fields of forms: rows of tables, and their values as they are typed and as they are sent. */
import type { SayKey } from '../../words/settings.ts';

/** How a field is entered. */
export type FieldKind =
  | 'text'
  | 'lines'
  | 'number'
  | 'email'
  | 'password'
  | 'date'
  | 'time'
  | 'long'
  | 'url'
  | 'choice'
  | 'switch'
  | 'json'
  | 'zone'
  | 'steps'
  | 'filters'
  | 'moment';

/** What stands in a form, by the name of its field. */
export type Values = Readonly<Record<string, unknown>>;

/** One field of a form. */
export interface Field {
  /** As the interface calls it. */
  readonly name: string;
  readonly label: SayKey;
  /** What stands for the names in it. */
  readonly labelled?: Readonly<Record<string, string>>;
  readonly kind: FieldKind;
  readonly isRequired?: true;
  /** What the browser may fill in; by default nothing. */
  readonly autocomplete?: 'current-password' | 'new-password' | 'one-time-code';
  readonly hint?: SayKey;
  /** Of a choice: value → what it is called. */
  readonly choices?: readonly (readonly [string, SayKey])[];
  /** Further choices, called what people called them. */
  readonly named?: readonly (readonly [string, string])[];
  /** Only when it is made. */
  readonly isOnce?: true;
  /** What a record calls it, where the request calls it otherwise. */
  readonly shownAs?: string;
  /** Where it means nothing it is neither shown nor sent. */
  readonly isShown?: (values: Values) => boolean;
}

/** What a field shows before somebody types. */
export function firstValue({ name, kind, shownAs, choices }: Field, values: Values): unknown {
  const value = values[shownAs ?? name];
  if (kind === 'switch') return value === true;
  if (kind === 'lines') return Array.isArray(value) ? value.join('\n') : '';
  if (kind === 'json') return JSON.stringify(value ?? {}, null, 2);
  if (kind === 'steps') return value ?? [{ filter: {} }, { filter: {} }];
  if (kind === 'filters') return value ?? {};
  if (kind === 'moment') return typeof value === 'string' ? localMoment(value) : '';
  return value ?? choices?.[0]?.[0] ?? '';
}

/** What was typed, as it is sent. Text that is no JSON stays text, which the service refuses. */
export function sentValue({ kind }: Field, value: unknown): unknown {
  if (kind === 'switch') return value === true;
  if (kind === 'steps') return value;
  if (kind === 'filters') return withoutEmpty(value as Values);
  // Blanks at its ends belong to a password.
  if (kind === 'password') return String(value ?? '');
  const text = String(value ?? '').trim();
  if (kind === 'number') return text === '' ? null : Number(text);
  if (kind === 'moment') return text === '' ? null : new Date(text).toISOString();
  if (kind === 'json') return jsonOf(text);
  if (kind !== 'lines') return text;
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Rows in which nobody typed anything are none. */
function withoutEmpty(filter: Values): Values | null {
  const rows = Object.entries(filter)
    .map(([name, values]) => [name, [values].flat().filter((one) => one !== '')] as const)
    .filter(([, values]) => values.length > 0);
  return rows.length === 0 ? null : Object.fromEntries(rows);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An instant as a field of the browser shows it: without zone, in that of the reader. */
function localMoment(iso: string): string {
  const at = new Date(iso);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return Number.isNaN(at.getTime()) ? '' : local.toISOString().slice(0, 16);
}
