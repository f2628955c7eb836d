/**
 * What can be managed as a list of records, a row each: how it is listed, made, changed and removed,
 * and which fields it has. One component reads this table (`record-list.tsx`).
 */
import type { ComponentChildren } from 'preact';
import type { SayKey } from '../../words/settings.ts';
import type { Field, Values } from '../forms/fields.ts';
import type { Place } from '../place.ts';

/** A record as the interface answers it. */
export type Rec = Readonly<Record<string, unknown>> & { readonly id: string };

/** What is open over a list. */
export type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'change' | 'remove'; readonly record: Rec }
  | { readonly kind: 'tool'; readonly record: Rec; readonly tool: Tool };

/** What else can be done with a record, behind a button of its row: a dialog of its own. */
export interface Tool {
  readonly label: SayKey;
  readonly show: (record: Rec) => ComponentChildren;
}

/** What a row says of a record. */
export interface Told {
  readonly name: string;
  readonly more: string;
  /** An address that is copied by a button. */
  readonly address?: string;
  /** Where it can be looked at. */
  readonly href?: string;
}

/** One kind of record. */
export interface RecordKind {
  readonly key: string;
  readonly title: SayKey;
  readonly hint: SayKey;
  /** What to do next while there is none. */
  readonly none: SayKey;
  /** Below /api/v1/. */
  readonly path: string;
  /** What the list is asked with. */
  readonly listed: (place: Place) => Values;
  /** What a new one is sent with beside its fields. */
  readonly made: (place: Place) => Values;
  /** Empty: none is made here. */
  readonly fields: readonly Field[];
  /** Null: none can be changed. */
  readonly change: 'PUT' | 'POST' | null;
  /** What a changed one is sent with beside its id and its fields. */
  readonly changed?: (record: Rec, place: Place) => Values;
  /** Which fields can be changed; by default those that are not only for new ones. */
  readonly changes?: readonly string[];
  /** What a removal names beside the id. */
  readonly removed?: (place: Place) => Values;
  /** Whether the reader may make one; by default whoever reads the list. */
  readonly isAdded?: (place: Place) => boolean;
  /** Whether the reader may change one (M-30, M-61). */
  readonly isChanged?: (record: Rec, place: Place) => boolean;
  /** Whether the reader may remove one; by default whoever may change it. */
  readonly isRemoved?: (record: Rec, place: Place) => boolean;
  readonly told: (record: Rec, place: Place) => Told;
  /** Beside changing and removing it. */
  readonly tools?: readonly Tool[];
  /** What its reader has to know of it, below its row. @param onDone something of it is different now. */
  readonly notice?: (record: Rec, place: Place, onDone: () => void) => ComponentChildren;
  /** What is shown once, when it was made. */
  readonly secrets?: readonly string[];
  /** What the values of the form would do, while they are typed (D-19). */
  readonly preview?: (values: Values, place: Place) => ComponentChildren;
}

/** A text of a record; what is none is empty. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The id of the site, under the name that an endpoint has for it. */
export const by =
  (name: 'id' | 'domain_id') =>
  ({ domain }: Place): Values => ({ [name]: domain?.id });
