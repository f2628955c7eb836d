/**
 * The last selection of each segment, kept for the next question: a page asks twenty questions under
 * the same filters, and each would select the same sessions of the same days.
 *
 * Data plane, a look-up per question and segment. One selection per segment is kept, as long as the
 * rows are the same: it is at most four bytes a session, booked to the segment like an index. Whatever
 * a selection depends on is its key.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import type { QueryRun } from '../plan/query-run.ts';
import { isRevised } from '../plan/segment-planner.ts';
import { isInside, type Span } from '../plan/selection.ts';
import type { ViewPredicate } from '../plan/view-predicate.ts';
import { filterSets, hasSessionFilter, type QueryFilters } from '../question/filters.ts';

/** Whether what is selected of a segment is the same for every range that has all of it. */
export function keepsSelection(segment: Segment, range: Span, { indexes }: QueryRun): boolean {
  return indexes !== 'never' && isRevised(segment) && isInside(segment, range);
}

interface Kept<Found> {
  readonly revision: number;
  readonly key: string;
  readonly found: Found;
  readonly bytes: number;
}

/** One selection per segment. */
export class LastSelection<Found> {
  readonly #kept = new WeakMap<Segment, Kept<Found>>();
  readonly #bytesOf: (found: Found) => number;

  constructor(bytesOf: (found: Found) => number) {
    this.#bytesOf = bytesOf;
  }

  /** What is kept of a segment as it is now; null: nothing under this key. */
  find(segment: Segment, key: string): Found | null {
    const kept = this.#kept.get(segment);
    return kept?.revision === segment.revision && kept.key === key ? kept.found : null;
  }

  /** Keeps a selection in place of the one before. @param found nobody changes it any more. */
  keep(segment: Segment, key: string, found: Found): Found {
    const bytes = this.#bytesOf(found);
    segment.derivedBytes += bytes - (this.#kept.get(segment)?.bytes ?? 0);
    this.#kept.set(segment, { revision: segment.revision, key, found, bytes });
    return found;
  }
}

interface Keys {
  readonly ofSessions: string;
  readonly ofViews: string;
}

const keys = new WeakMap<QueryFilters, Keys>();

/** What sessions are selected by: sets without a test of sessions make no difference. */
export function sessionKey(filters: QueryFilters): string {
  return keysOf(filters).ofSessions;
}

/** What page views are selected by. */
export function viewKey({ filters, search, byTitle, onlyTagged }: ViewPredicate): string {
  const { ofViews } = keysOf(filters);
  if (search === null && onlyTagged !== true) return ofViews;
  return `${ofViews} ${JSON.stringify([search, byTitle, onlyTagged === true])}`;
}

function keysOf(filters: QueryFilters): Keys {
  const known = keys.get(filters);
  if (known !== undefined) return known;
  const tested = filterSets(filters)
    .map((set) => ({ ...set, also: null }))
    .filter(hasSessionFilter)
    .map(({ sessionTexts, referrer, platforms, sessionIds, events }) => [
      ...[sessionTexts, referrer, platforms, sessionIds, events],
    ]);
  const made = { ofSessions: JSON.stringify(tested), ofViews: JSON.stringify(filters) };
  keys.set(filters, made);
  return made;
}
