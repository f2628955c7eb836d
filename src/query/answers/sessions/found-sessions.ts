/**
 * Sessions of all segments under one dense number each, and what lists of them are ordered by.
 *
 * Data plane in `add` and the columns of an order, which are read once per segment.
 */

import type { TextDimension } from '../../../model/dimensions.ts';
import { KIND } from '../../../segment/memory/dictionary.ts';
import type { Segment } from '../../../segment/memory/segment.ts';
import type { FieldValue } from '../../list/listing.ts';
import type { TopKBound } from '../../list/top-k.ts';
import { type QueryRun, WorkingWords } from '../../plan/query-run.ts';
import { type SessionField, SHOWN_DIMENSIONS, visitorIdOf } from './session-fields.ts';

/** Working arrays. */
const FOUND_SESSIONS = new WorkingWords();

/** What sessions of the page have to keep to, where the first key of the order is a time. */
export interface TimeBound {
  readonly first: TopKBound;
  readonly column: 'lastMs' | 'startMs';
}

/** What sessions of a segment are ordered by under a field, given their row. */
type OrderColumn = (segment: Segment) => (session: number) => number | string;

/** Every field of the list that it can be sorted by, with its columns taken once per segment. */
const ORDER_COLUMNS: Readonly<Record<string, OrderColumn>> = {
  visitor_id: (segment) => (session) => visitorIdOf(segment, session),
  session_id: () => (session) => session + 1,
  time: timesIn('lastMs'),
  start: timesIn('startMs'),
  duration_seconds: ({ sessions }) => {
    const { startMs, lastMs } = sessions.columns;
    return (session) => Math.floor((lastMs[session]! - startMs[session]!) / 1_000);
  },
  page_views: ({ sessions }) => {
    const { pageViews } = sessions.columns;
    return (session) => pageViews[session]!;
  },
  extended: ({ sessions }) => {
    const { extended } = sessions.columns;
    return (session) => extended[session]!;
  },
  entry_path: textsIn(KIND.path, 'entryPath'),
  exit_path: textsIn(KIND.path, 'exitPath'),
  entry_title: textsIn(KIND.title, 'entryTitle'),
  exit_title: textsIn(KIND.title, 'exitTitle'),
  ...Object.fromEntries(
    SHOWN_DIMENSIONS.map(([name, dimension]) => [name, textsIn(KIND[dimension], dimension)]),
  ),
};

function timesIn(column: 'lastMs' | 'startMs'): OrderColumn {
  return ({ sessions }) => {
    const times = sessions.columns[column];
    return (session) => times[session]!;
  };
}

function textsIn(
  kind: number,
  column: TextDimension | 'entryPath' | 'exitPath' | 'entryTitle' | 'exitTitle',
): OrderColumn {
  return ({ dictionary, sessions }) => {
    const texts = dictionary.texts(kind);
    const ids = sessions.columns[column];
    return (session) => texts[ids[session]!]!;
  };
}

/** Sessions of all segments under one dense number each, in order of segment and row. */
export class FoundSessions {
  count = 0;
  /** Per segment with a session: the number of its first one, and the rows. */
  readonly #bySegment: { first: number; segment: Segment; rows: Uint32Array }[] = [];

  /** Adds sessions, those beyond the bound left out. */
  add(segment: Segment, sessions: Uint32Array, bound: TimeBound | null, run: QueryRun): void {
    let rows = sessions;
    if (bound !== null) {
      const times = segment.sessions.columns[bound.column];
      const { first } = bound;
      const taken = FOUND_SESSIONS.raw(run, sessions.length);
      let found = 0;
      for (let index = 0; index < sessions.length; index++) {
        const row = sessions[index]!;
        if (first.takes(times[row]!)) taken[found++] = row;
      }
      rows = taken.subarray(0, found);
    }
    if (rows.length === 0) return;
    this.#bySegment.push({ first: this.count, segment, rows: rows.slice() });
    this.count += rows.length;
  }

  /** What each field is ordered by: an array over all of them, made when it is first compared. */
  orders(): Record<string, (group: number) => number | string> {
    const orders: Record<string, (group: number) => number | string> = {};
    for (const [name, columnOf] of Object.entries(ORDER_COLUMNS)) {
      let values: (number | string)[] | null = null;
      orders[name] = (group) => {
        values ??= this.#valuesOf(columnOf);
        return values[group]!;
      };
    }
    return orders;
  }

  #valuesOf(columnOf: OrderColumn): (number | string)[] {
    const values = new Array<number | string>(this.count);
    for (const { first, segment, rows } of this.#bySegment) {
      const read = columnOf(segment);
      for (let index = 0; index < rows.length; index++) values[first + index] = read(rows[index]!);
    }
    return values;
  }

  /** One field of the session of a number. */
  read(number: number, field: SessionField): FieldValue {
    const known = this.#bySegment;
    let low = 0;
    let high = known.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (known[middle]!.first <= number) low = middle;
      else high = middle;
    }
    const { first, segment, rows } = known[low]!;
    return field(segment, rows[number - first]!);
  }
}
