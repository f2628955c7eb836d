/**
 * What stays the same from one answer to the next is the same object, so that what shows it need not be
 * drawn again: a hit changes the totals and a few panels, not the page.
 */
import type { Result } from '../data/batch.ts';
import type { Frame } from '../view/range.ts';

/** What is kept of an answer (`Shown` of site-data.ts has it). */
interface Answered {
  readonly view: unknown;
  readonly frames: { readonly focus: Frame; readonly compared: Frame | null };
  readonly results: ReadonlyMap<string, Result>;
  readonly comparedRows: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** An answer with all that it has in common with the one before taken from that. */
export function keptOf<Of extends Answered>(before: Of | null, now: Of): Of {
  if (before === null) return now;
  const frames = isEqual(before.frames, now.frames) ? before.frames : now.frames;
  const results = new Map<string, Result>();
  for (const [key, result] of now.results) {
    // What is wrong is told anew.
    results.set(key, 'answer' in result ? kept(before.results.get(key), result) : result);
  }
  const comparedRows = new Map(
    [...now.comparedRows].map(([key, rows]) => {
      const old = before.comparedRows.get(key);
      return [key, old !== undefined && isEqual([...old], [...rows]) ? old : rows] as const;
    }),
  );
  const { focus: span, compared } = frames;
  return { ...now, frames, span, compared, results, comparedRows };
}

/** Whether two answers show the same to who looks at some of the questions. */
export function isSamePart(before: Answered, now: Answered, isOf: (key: string) => boolean) {
  if (before.view !== now.view || before.frames !== now.frames) return false;
  for (const [key, result] of now.results) {
    if (!isOf(key)) continue;
    const isSame = before.results.get(key) === result;
    if (!isSame || before.comparedRows.get(key) !== now.comparedRows.get(key)) return false;
  }
  return true;
}

/** The old one where the new one says the same. */
export function kept<Value>(before: Value | undefined, now: Value): Value {
  return before !== undefined && isEqual(before, now) ? before : now;
}

/** The new one, with every field from the old one that says the same. */
export function keptFields<Of extends object>(before: Of | null, now: Of): Of {
  if (before === null) return now;
  const fields = Object.entries(now).map(([name, value]) => [
    name,
    kept((before as Record<string, unknown>)[name], value),
  ]);
  return Object.fromEntries(fields) as Of;
}

/** What was compared last, as text: of an answer that stays it is made once. */
const texts = new WeakMap<object, string>();

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const text = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, text);
  return text;
}

/** Of what came as JSON: two of the same question have their fields in the same order. */
function isEqual(left: unknown, right: unknown): boolean {
  return textOf(left) === textOf(right);
}
