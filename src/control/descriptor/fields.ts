/**
 * The kinds of field that descriptors are made of: texts, numbers, choices, references, secrets.
 *
 * Control plane. Texts are trimmed; null counts as absent, and a blank optional text as unset (M-6).
 */
import { sha256Hex } from '../../base/hash.ts';
import { randomAlphanumeric } from '../../base/random.ts';
import {
  boolean,
  integer,
  nullable,
  number,
  oneOf,
  type Schema,
  string,
} from '../../base/schema.ts';
import type { FieldSchema } from '../../base/validate.ts';
import { INPUT_TEXT_LENGTH_MAX } from '../../model/limits.ts';
import type { AnyRecord, Computed, Field, Making, Reference, Sent, Viewing } from './resource.ts';

/** What requests may carry as a text that must be there. */
export const REQUIRED_TEXT: FieldSchema = {
  type: 'string',
  textLengthMax: INPUT_TEXT_LENGTH_MAX,
  notBlank: true,
};
/** What requests may carry as any other text. */
export const TEXT: FieldSchema = {
  type: ['string', 'null'],
  textLengthMax: INPUT_TEXT_LENGTH_MAX,
};
const FLAG: FieldSchema = { type: ['boolean', 'null'] };

/** A text that must be there. @param options `normal` makes of a trimmed text what is kept. */
export function text(options: {
  readonly lengthMax?: number;
  readonly sentAs?: string;
  readonly normal?: (text: string) => string;
  /** What it is when a request says nothing; absent: it is required. */
  readonly absent?: (making: Making) => string;
  readonly fault?: (text: string) => string;
  readonly unique?: Field<string>['unique'];
}): Field<string> {
  const { absent, normal = (typed) => typed } = options;
  const isRequired = absent === undefined;
  return {
    schema: string,
    sent: [{ ...named(options.sentAs), ...(isRequired ? REQUIRED : { rule: TEXT }) }],
    make: (sent, making) => {
      const typed = trimmed(sent);
      // A blank optional text is unset (M-6).
      return typed === '' && absent !== undefined ? absent(making) : normal(typed);
    },
    ...(isRequired ? { isRequired } : {}),
    ...given('lengthMax', options.lengthMax),
    ...given('fault', options.fault),
    ...given('unique', options.unique),
  };
}

const REQUIRED = { rule: REQUIRED_TEXT, isRequired: true } as const;

/** Who asked for a job; with the account the name goes, the job is the domain's. */
export const ASKER: Field<string | null> = {
  ...{ schema: nullable(string), make: () => null, shown: [] },
  refersTo: { to: 'user', whenGone: 'clear' },
};

/** A text that may be unset: null. */
export function optionalText(options: { readonly lengthMax?: number }): Field<string | null> {
  return {
    schema: nullable(string),
    sent: [{ rule: TEXT }],
    make: (sent) => trimmed(sent) || null,
    ...given('lengthMax', options.lengthMax),
  };
}

/** One of some words; `absent` when a request says nothing or a blank. */
export function choice<const Word extends string, const Absent extends Word | '' | null>(
  words: readonly Word[],
  { absent }: { readonly absent: Absent },
): Field<Word | Absent> {
  const isWord = absent === null || (words as readonly string[]).includes(absent);
  const schema = oneOf(isWord ? words : [absent, ...words]);
  return {
    schema: (absent === null ? nullable(schema) : schema) as Schema<Word | Absent>,
    sent: [{ rule: TEXT }],
    // What is none of the words is refused by name, so it stays what it is until then.
    make: (sent) => (trimmed(sent) || absent) as Word | Absent,
    fault: (value) =>
      value === absent || words.includes(value as Word) ? '' : `must be ${words.join(' or ')}`,
  };
}

/** One of some words, which must be there. */
export function word<const Word extends string>(words: readonly Word[]): Field<Word> {
  return {
    schema: oneOf(words),
    sent: [REQUIRED],
    make: (sent) => trimmed(sent) as Word,
    fault: (value) => (words.includes(value) ? '' : `must be ${words.join(' or ')}`),
  };
}

/** A whole number within bounds, which must be there. */
export function wholeNumber({ min, max }: { readonly min: number; readonly max: number }) {
  const rule: FieldSchema = { type: 'integer', minimum: min, maximum: max };
  const field: Field<number> = {
    schema: integer,
    sent: [{ rule, isRequired: true }],
    make: Number,
    // Said of what comes by another way than the body that has this rule.
    fault: (value) =>
      Number.isInteger(value) && value >= min && value <= max
        ? ''
        : `must be an integer from ${min} to ${max}`,
  };
  return field;
}

/** A number that may be unset: 0 and null are. */
export function target(options: {
  readonly max: number;
  readonly sentAs?: string;
  readonly isWhole?: true;
}): Field<number | null> {
  const type = options.isWhole === true ? 'integer' : 'number';
  const rule: FieldSchema = { type: [type, 'null'], minimum: 0, maximum: options.max };
  return {
    schema: nullable(type === 'integer' ? integer : number),
    sent: [{ ...named(options.sentAs), rule }],
    make: (sent) => (sent as number | undefined) || null,
  };
}

/** Yes or no; no when a request says nothing. */
export function flag(): Field<boolean> {
  return {
    schema: boolean,
    sent: [{ rule: FLAG }],
    make: (sent) => (sent as boolean | undefined) ?? false,
  };
}

/** What no request carries. @param first its value in a new record. */
export function kept<Value>(
  schema: Schema<Value>,
  first: (making: Making) => NoInfer<Value>,
): Field<Value> {
  return { schema, make: (_, making) => first(making) };
}

/** A random text that is shown and replaced by actions only. */
export function generated(length: number): Field<string> {
  return { schema: string, isCode: true, make: () => randomAlphanumeric(length) };
}

/**
 * A random text of which only the SHA-256 is kept; who makes the record is told it once.
 *
 * @param wire under which name it is told.
 */
export function secret(
  wire: string,
  make: (draft: AnyRecord) => string,
  unique?: Field<string>['unique'],
): Field<string> {
  return {
    schema: string,
    ...{ wire, isSecret: true, shown: [] },
    make: (_, { draft, reveal }) => {
      const plain = make(draft);
      reveal(wire, plain);
      return sha256Hex(plain);
    },
    ...given('unique', unique),
  };
}

/**
 * A random text that somebody of ours has to read later, to sign with it: kept as it is; shown to who
 * makes the record, and never again.
 *
 * @param wire under which name it is told.
 */
export function keptSecret(wire: string, make: () => string): Field<string> {
  return {
    schema: string,
    ...{ wire, isSecret: true, shown: [] },
    make: (_, { reveal }) => {
      const plain = make();
      reveal(wire, plain);
      return plain;
    },
  };
}

/** A field that requests carry when the record is made, and never after. */
export function onlyAtCreation<Value>(field: Field<Value>): Field<Value> {
  return { ...field, sent: (field.sent ?? []).map((sent) => ({ ...sent, on: 'create' as const })) };
}

/** The same field, worked out of others whenever these change. */
export function derived<Value>(
  schema: Schema<Value>,
  make: (draft: AnyRecord) => NoInfer<Value>,
): Field<Value> {
  return { schema, isDerived: true, make: (_, { draft }) => make(draft) };
}

/** A field that answers do not show. */
export function hidden<Value>(field: Field<Value>): Field<Value> {
  return { ...field, shown: [] };
}

/** Something that answers show and no record has. */
export function computed<Value>(
  schema: Schema<Value>,
  of: (record: AnyRecord, viewing: Viewing) => NoInfer<Value>,
): Computed {
  return { computed: schema, of };
}

/** The record of another resource that it belongs to; requests name it when it is made. */
export function reference(refersTo: Reference): Field<string> {
  return {
    schema: string,
    sent: [{ ...REQUIRED, on: 'create' }],
    make: (sent) => String(sent),
    refersTo,
  };
}

/** As `reference`, where there may be none. */
export function optionalReference(refersTo: Reference): Field<string | null> {
  return {
    schema: nullable(string),
    sent: [{ rule: TEXT, on: 'create' }],
    make: (sent) => trimmed(sent) || null,
    refersTo,
  };
}

/** The user on whose behalf the record was made. */
export function callerReference(whenGone: Reference['whenGone']): Field<string> {
  return {
    schema: string,
    make: (_, { userId }) => userId,
    refersTo: { to: 'user', whenGone },
  };
}

function trimmed(sent: unknown): string {
  return typeof sent === 'string' ? sent.trim() : '';
}

function named(name: string | undefined): Pick<Sent, 'name'> {
  return given('name', name);
}

/** A member of an object, or nothing: absent and undefined are not the same. */
function given<const Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}
