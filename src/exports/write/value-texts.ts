/**
 * Values as texts, for the formats that are text.
 *
 * Data plane: neighbours mostly have the same day and the same visitor, and a text is escaped once for
 * all of its rows.
 */

import { isoTime } from '../../base/iso-time.ts';
import { DAY_MS } from '../../model/limits.ts';
import { type TextBytes, TextForms } from '../../segment/memory/text-bytes.ts';
import type { ColumnType } from '../columns.ts';
import type { Vector } from '../rows/vectors.ts';

/** How a format writes texts, and what it puts around those that need no escape. */
export interface TextForm {
  /** A text of a visitor. */
  escaped(text: string): string;
  /** Around instants, dates and ids: they hold digits and marks only. */
  readonly quote: string;
}

/** Texts that are escaped, by the list that they are of. */
export class EscapedTexts {
  readonly #form: TextForm;
  readonly #lists = new WeakMap<TextBytes, TextForms>();

  constructor(form: TextForm) {
    this.#form = form;
  }

  /** What reads the value of a row of a vector. */
  reader(vector: Vector, type: ColumnType): (row: number) => string {
    if (vector.kind === 'texts') {
      const { ids, texts } = vector;
      const escaped = this.#lists.get(texts) ?? new TextForms(texts, this.#form.escaped);
      this.#lists.set(texts, escaped);
      return (row) => escaped.of(ids[row]!);
    }
    const { quote } = this.#form;
    if (vector.kind === 'ids') return idReader(vector.low, vector.high, quote);
    const { values } = vector;
    if (type === 'time') return (row) => quote + isoTime(values[row]!) + quote;
    if (type === 'date') return (row) => quote + dateOf(values[row]!) + quote;
    if (type === 'flag') return (row) => (values[row] === 1 ? 'true' : 'false');
    return (row) => String(values[row]);
  }
}

function idReader(low: ArrayLike<number>, high: ArrayLike<number>, quote: string) {
  let lastLow = -1;
  let lastHigh = -1;
  let text = '';
  return (row: number): string => {
    if (low[row] === lastLow && high[row] === lastHigh) return text;
    lastLow = low[row]!;
    lastHigh = high[row]!;
    text = quote + String((BigInt(lastHigh) << 32n) | BigInt(lastLow)) + quote;
    return text;
  };
}

const DATE_LENGTH = 'yyyy-mm-dd'.length;

function dateOf(day: number): string {
  return isoTime(day * DAY_MS).slice(0, DATE_LENGTH);
}
