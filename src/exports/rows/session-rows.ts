/**
 * Sessions of a segment for an export, in the order in which they were opened.
 *
 * Data plane. They are read some blocks at a time, so a day takes no more memory than an hour.
 */

import { SECOND_MS } from '../../model/limits.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { NONE } from '../../segment/memory/layout.ts';
import { textBytes } from '../../segment/memory/text-bytes.ts';
import { DIMENSION_COLUMNS, PLATFORM_TEXTS } from '../columns.ts';
import { BATCH_ROWS, keyVectors, type TakenSessions } from './taken-sessions.ts';
import { type Batch, numbers, textsBy, type Vector } from './vectors.ts';

const PLATFORMS = textBytes(PLATFORM_TEXTS);

/** The sessions that are taken. */
export function* sessionBatches(taken: TakenSessions): Generator<Batch> {
  const { visitors, room } = taken;
  const rows = room.words('row', BATCH_ROWS);
  for (let first = 0; first < visitors.length; first += BATCH_ROWS) {
    const end = Math.min(first + BATCH_ROWS, visitors.length);
    let count = 0;
    for (let row = first; row < end; row++) {
      if (visitors[row] !== NONE) rows[count++] = row;
    }
    if (count > 0) yield sessionBatch(taken, { first, end }, rows.subarray(0, count));
  }
}

/** @param rows those of the range that are taken. */
function sessionBatch(
  taken: TakenSessions,
  range: { readonly first: number; readonly end: number },
  rows: Uint32Array,
): Batch {
  const { texts, room } = taken;
  const { sessions } = taken.segment;
  type Name = (typeof sessions.names)[number];
  const read = <Values extends Uint32Array | Float64Array>(name: Name, into: Values): Values => {
    sessions.copy(name, range, into);
    if (rows.length === range.end - range.first) return into;
    for (let at = 0; at < rows.length; at++) into[at] = into[rows[at]! - range.first]!;
    return into;
  };
  const words = (name: Name) => read(name, room.words(name, BATCH_ROWS));
  const text = (kind: number, name: Name) => textsBy(words(name), texts[kind]!);
  const starts = read('startMs', room.doubles('startMs', BATCH_ROWS));
  const ends = read('lastMs', room.doubles('lastMs', BATCH_ROWS));
  const seconds = room.words('seconds', BATCH_ROWS);
  for (let at = 0; at < rows.length; at++) {
    seconds[at] = Math.floor((ends[at]! - starts[at]!) / SECOND_MS);
  }
  const vectors: Vector[] = [
    ...keyVectors(taken, rows, rows.length),
    ...[starts, ends, seconds].map(numbers),
    text(KIND.path, 'entryPath'),
    text(KIND.title, 'entryTitle'),
    text(KIND.path, 'exitPath'),
    text(KIND.title, 'exitTitle'),
    ...[words('pageViews'), words('isBounce'), words('extended')].map(numbers),
    textsBy(words('platform'), PLATFORMS),
    ...DIMENSION_COLUMNS.map(([, name]) => text(KIND[name], name)),
  ];
  return { rows: rows.length, vectors };
}
