/**
 * Whether a text contains one of many words, in any case (F-20, F-32).
 *
 * Data plane, once per distinct text. Few words are looked for one after the other. Many are one
 * automaton (Aho and Corasick), which takes a step per character however many words there are: a
 * hundred words cost 3 µs a text one by one, and a tenth of it together.
 *
 *     words ab, bc     root ─a─▶ a ─b─▶ ab!      a ─other─▶ root
 *                      root ─b─▶ b ─c─▶ bc!      ab ─c─▶ bc!
 */

/** As many words are looked for one by one. */
const PLAIN_COUNT_MAX = 4;
/** Cells of an automaton's table, 4 bytes each; more words than fit are looked for one by one. */
const CELL_COUNT_MAX = 4_000_000;

/** Tells whether a text contains one of the words. */
export type TextSearch = (text: string) => boolean;

/** Looks for words that are `folded`. */
export function searchFor(words: readonly string[]): TextSearch {
  const automaton = words.length > PLAIN_COUNT_MAX ? makeAutomaton(words) : null;
  if (automaton === null) {
    return (text) => {
      const lower = folded(text);
      for (const word of words) if (lower.includes(word)) return true;
      return false;
    };
  }
  return (text) => runAutomaton(automaton, text);
}

/**
 * A text without its case. Lower-casing makes another letter of a sigma that ends a word,
 * so that a word would not contain its own beginning; here every sigma is one letter.
 */
export function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

const SIGMA = 'σ'.charCodeAt(0);
const FINAL_SIGMA = 'ς'.charCodeAt(0);
const UNIT_COUNT = 0x1_0000;

interface Automaton {
  /** By UTF-16 unit: its column in the table; 0 is every unit that no word has. */
  readonly columns: Uint16Array;
  /** By state's first cell + column: first cell of the next state. The root is 0. */
  readonly next: Int32Array;
  /** By state's first cell: 1 when a word ends there. */
  readonly ends: Uint8Array;
}

function runAutomaton({ columns, next, ends }: Automaton, text: string): boolean {
  const lower = text.toLowerCase();
  let state = 0;
  for (let index = 0; index < lower.length; index++) {
    state = next[state + columns[lower.charCodeAt(index)]!]!;
    if (ends[state] === 1) return true;
  }
  return false;
}

/** Null when the table were too large. */
function makeAutomaton(words: readonly string[]): Automaton | null {
  const columns = new Uint16Array(UNIT_COUNT);
  let width = 1;
  let states = 1;
  for (const word of words) {
    states += word.length;
    for (let index = 0; index < word.length; index++) {
      const unit = word.charCodeAt(index);
      if (columns[unit] === 0) columns[unit] = width++;
    }
  }
  if (states * width > CELL_COUNT_MAX) return null;
  columns[FINAL_SIGMA] = columns[SIGMA]!;
  const next = new Int32Array(states * width);
  const ends = new Uint8Array(states * width);
  let free = width;
  for (const word of words) {
    let state = 0;
    for (let index = 0; index < word.length; index++) {
      const cell = state + columns[word.charCodeAt(index)]!;
      if (next[cell] === 0) {
        next[cell] = free;
        free += width;
      }
      state = next[cell]!;
    }
    ends[state] = 1;
  }
  followFailures({ next, ends, width });
  return { columns, next, ends };
}

/** Makes of every missing step that of the longest ending that is the beginning of a word. */
function followFailures({
  next,
  ends,
  width,
}: {
  next: Int32Array;
  ends: Uint8Array;
  width: number;
}): void {
  // By state's first cell: where the longest proper ending of what was read leads.
  const failures = new Map<number, number>();
  const queue: number[] = [];
  for (let column = 1; column < width; column++) {
    const state = next[column]!;
    if (state === 0) continue;
    failures.set(state, 0);
    queue.push(state);
  }
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at]!;
    const failure = failures.get(state)!;
    if (ends[failure] === 1) ends[state] = 1;
    for (let column = 1; column < width; column++) {
      const cell = state + column;
      const further = next[failure + column]!;
      if (next[cell] === 0) {
        next[cell] = further;
        continue;
      }
      failures.set(next[cell]!, further);
      queue.push(next[cell]!);
    }
  }
}
