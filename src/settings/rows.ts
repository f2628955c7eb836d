/**
 * What kinds of settings there are, and how each is read from text or from a JSON value.
 *
 * Control plane. `schema.ts` has the settings themselves.
 */

/** What a row needs to know of one setting. */
export interface SettingRow<Value> {
  /** What is used when nobody says otherwise. */
  readonly fallback: Value;
  /** Said instead of the fallback where that is worked out at start. */
  readonly fallbackText?: string;
  /** '' when the value has none. */
  readonly unit: string;
  /** Completes the sentence 'must be …'. */
  readonly bounds: string;
  readonly meaning: string;
  readonly takesEffect: string;
  /** A relative path is read from the working directory. */
  readonly isPath?: boolean;
  /** Its value is never printed. */
  readonly isSecret?: boolean;
  /** Turns what was given (text, or a JSON value from a file) into a value; undefined: malformed. */
  readonly read: (given: unknown) => Value | undefined;
}

/** As the table holds it. */
export type Row<Value> = SettingRow<Value>;
type Words = Omit<Row<unknown>, 'fallback' | 'read' | 'bounds' | 'unit' | 'takesEffect'> & {
  readonly unit?: string;
  readonly takesEffect?: string;
};

const AT_START = 'at the next start';

/** Code points of one setting's value; far above any sensible one. */
const TEXT_LENGTH_MAX = 4_096;
/** Entries of a setting that is a list. */
const LIST_LENGTH_MAX = 256;

function row<Value>(
  words: Words,
  typed: Pick<Row<Value>, 'fallback' | 'bounds' | 'read'>,
): Row<Value> {
  return { unit: '', takesEffect: AT_START, ...words, ...typed };
}

function readText(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const text = given.trim();
  return text === '' || text.length > TEXT_LENGTH_MAX || text.includes('\0') ? undefined : text;
}

/** A whole number within bounds. */
export function integer(
  words: Words,
  typed: { fallback: number; min: number; max: number },
): Row<number> {
  const { fallback, min, max } = typed;
  return row(words, {
    fallback,
    bounds: `an integer from ${min} to ${max}`,
    read(given) {
      const isDecimal = typeof given === 'string' && /^\d{1,15}$/.test(given.trim());
      const value = isDecimal ? Number(given) : given;
      if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
      return value >= min && value <= max ? value : undefined;
    },
  });
}

/** One of some words; the first is the default. */
export function choice<const Value extends string>(
  words: Words,
  values: readonly [Value, ...Value[]],
): Row<Value> {
  return row<Value>(words, {
    fallback: values[0],
    bounds: `one of ${values.join(', ')}`,
    read: (given) => values.find((value) => value === given),
  });
}

/** Text of a pattern. */
export function text(words: Words, typed: { fallback: string; bounds: string; pattern: RegExp }) {
  return row<string>(words, {
    fallback: typed.fallback,
    bounds: typed.bounds,
    read(given) {
      const value = readText(given);
      return value !== undefined && typed.pattern.test(value) ? value : undefined;
    },
  });
}

/** Text that may be absent: null in a file and '' in the environment say 'none'. */
export function optional(
  words: Words,
  typed: { bounds: string; read: (given: string) => string | undefined },
): Row<string | null> {
  return row<string | null>(words, {
    fallback: null,
    bounds: typed.bounds,
    read(given) {
      if (given === null || given === '') return null;
      const value = readText(given);
      return value === undefined ? undefined : typed.read(value);
    },
  });
}

/** Text that is never shown. */
export function secret(meaning: string): Row<string | null> {
  return optional(
    { meaning, fallbackText: 'none', isSecret: true },
    { bounds: 'text', read: (given) => given },
  );
}

/** Comma-separated text or a JSON array of strings; '' or [] is none. */
export function list(
  words: Words,
  typed: { bounds: string; accepts: (entry: string) => boolean },
): Row<readonly string[]> {
  return row<readonly string[]>(
    { fallbackText: 'none', ...words },
    {
      fallback: [],
      bounds: typed.bounds,
      read(given) {
        if (given === null || given === '') return [];
        const entries = typeof given === 'string' ? given.split(',') : given;
        if (!Array.isArray(entries) || entries.length > LIST_LENGTH_MAX) return undefined;
        const values = entries.map(readText);
        return values.every((value) => value !== undefined && typed.accepts(value))
          ? (values as string[])
          : undefined;
      },
    },
  );
}
