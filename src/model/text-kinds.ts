/**
 * Every kind of text in a segment and in a hit, with its permanent numbers.
 *
 * The dimensions have theirs in `dimensions.ts`; here are the other kinds, and what follows from both.
 */

import { assert } from '../base/assert.ts';
import { DIMENSIONS, type TextDimension, type ValueBound } from './dimensions.ts';

/** The texts of a segment that are no dimensions; `text` is null where a hit may have several. */
export const OTHER_TEXTS = {
  path: { disk: { kind: 0, text: 0 }, values: 'wide' },
  title: { disk: { kind: 1, text: 1 }, values: 'wide' },
  eventName: { disk: { kind: 21, text: 2 }, values: 'wide' },
  tagKey: { disk: { kind: 22, text: null }, values: 'wide' },
  tagValue: { disk: { kind: 23, text: null }, values: 'wide' },
  metaKey: { disk: { kind: 24, text: null }, values: 'wide' },
  metaValue: { disk: { kind: 25, text: null }, values: 'metadata' },
} as const satisfies Readonly<Record<string, TextRow>>;

/** What dimensions and other texts have in common. */
interface TextRow {
  readonly disk: { readonly kind: number; readonly text: number | null };
  readonly values: ValueBound;
}

/** The dictionaries of a segment: every text belongs to one of them. */
export type DictionaryKind = TextDimension | keyof typeof OTHER_TEXTS;

/** The texts of a hit that stand once in it. */
export type HitText = TextDimension | 'path' | 'title' | 'eventName';

const TEXTS: Readonly<Record<DictionaryKind, TextRow>> = { ...OTHER_TEXTS, ...DIMENSIONS };

/** The kinds by their numbers. */
export const DICTIONARY_KINDS = byNumber(({ disk }) => disk.kind) as readonly DictionaryKind[];

/** By number of a kind: how many distinct values are kept. */
export const KIND_BOUNDS = DICTIONARY_KINDS.map((kind) => TEXTS[kind].values);

/** The texts of a hit by their numbers. */
export const HIT_TEXTS = byNumber(({ disk }) => disk.text) as readonly HitText[];

/** The dimensions, in the order of a hit's texts. */
export const TEXT_DIMENSIONS = HIT_TEXTS.filter(
  (text): text is TextDimension => text in DIMENSIONS,
);

/** Dimensions that came after the first format on disk and in the log that is still read. */
export const ADDED_DIMENSION_COUNT = TEXT_DIMENSIONS.length - 19;

/** The dimensions whose change opens a new session (I-48). */
export const ACQUISITION_DIMENSIONS = TEXT_DIMENSIONS.filter(
  (name) => 'isAcquisition' in DIMENSIONS[name],
);

/** Names at the places of their numbers. */
function byNumber(numberOf: (row: TextRow) => number | null): readonly string[] {
  const names: string[] = [];
  for (const [name, row] of Object.entries(TEXTS)) {
    const number = numberOf(row);
    if (number === null) continue;
    assert(names[number] === undefined, 'a number on disk is given once');
    names[number] = name;
  }
  assert(!names.includes(undefined as never), 'the next number on disk is the next free one');
  return names;
}

/** The places of names. */
export function numbersOf<Name extends string>(
  names: readonly Name[],
): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, number) => [name, number])) as Record<Name, number>;
}
