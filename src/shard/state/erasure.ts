/**
 * Deletion of statistics, one day at a time.
 *
 * Data plane. A record of the log marks days of a domain as pending. A day is rebuilt without the
 * deleted rows before anything else uses it, or in the background, whichever comes first. So the
 * outcome is that of a deletion at the record's position, whatever the order of the days. A deleted
 * session is unbound everywhere (I-46): the visitor's next hit finds none.
 *
 *     record ─▶ pending: day → what goes ─┬─ a hit asks for the day ─▶ rebuilt first, then the hit
 *                                         └─ the actor's slice      ─▶ rebuilt, saved, next day
 *
 * A session that goes is unbound everywhere (I-46): the visitor's next hit finds none.
 */

import { assert } from '../../base/assert.ts';
import { type Erasure, takesRows } from '../../model/erasure.ts';
import type { DomainId } from '../../model/ids.ts';
import { DAY_MS } from '../../model/limits.ts';
import { BOUND_ELSEWHERE, NONE } from '../../segment/memory/layout.ts';
import { type KeptRows, rebuildSegment, sessionsWithRows } from '../../segment/memory/rebuild.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { OpenSegment } from '../../segment/open/open-segment.ts';

/** What goes of a day that is still to be rebuilt. */
export type DayErasures = Pick<Erasure, 'kind' | 'startMs' | 'endMs'>[];

/** A domain as far as erasing needs it. */
interface ErasedDomain {
  readonly domainId: DomainId;
  readonly pendingErasures: Map<number, DayErasures>;
  readonly segments: Map<number, OpenSegment>;
  hasUnsavedErasures: boolean;
  readonly usage: { forgetFirstRow(): void };
  /** The segment of a day as it is, pending or not; null if there is none. */
  rawSegment(day: number): OpenSegment | null;
}

/** A stored segment as far as the choice of days needs it. */
interface DaySpan {
  readonly day: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/** Whether a segment may hold rows that go, or bindings of a day that does. */
function isTouched({ day, minMs, maxMs }: DaySpan, { startMs, endMs }: Erasure): boolean {
  // A day that only carries sessions of earlier ones has no span of its own.
  if (maxMs < minMs) return day * DAY_MS < endMs && (day + 1) * DAY_MS > startMs;
  return minMs < endMs && maxMs >= startMs;
}

/**
 * Rebuilds a day without what its pending erasures name; does nothing if it has none.
 *
 * @cost one pass over the segment, and a load from disk if it is not in memory.
 */
export function eraseDay(domain: ErasedDomain, day: number): void {
  const erasures = domain.pendingErasures.get(day);
  if (erasures === undefined) return;
  // First what may be damaged: the day then stays pending.
  const open = domain.rawSegment(day);
  const dayBefore = open === null ? null : domain.rawSegment(day - 1);
  domain.pendingErasures.delete(day);
  domain.hasUnsavedErasures = true;
  if (open === null) return;
  const kept: KeptRows = {
    views: rowsOutside(open.segment.views, erasures, false),
    events: rowsOutside(open.segment.events, erasures, true),
    carried: linksThatLead(open, dayBefore),
  };
  const keepsAll = !kept.views.includes(0) && !kept.events.includes(0) && !kept.carried.includes(0);
  if (keepsAll) return;
  // What was used stays used (S-99); the first row may be another one now (M-17).
  domain.usage.forgetFirstRow();
  const rebuilt = new OpenSegment(domain.domainId, day, {
    segment: rebuildSegment(open.segment, kept),
    header: null,
  });
  rebuilt.isDirty = true;
  rebuilt.isRebuilt = true;
  domain.segments.set(day, rebuilt);
  unbindGone(domain, open.segment, sessionsWithRows(open.segment, kept));
}

/**
 * Marks the days that an erasure touches as pending; those of an earlier erasure may be among them.
 *
 * @param erasure one that takes rows: of a day that is rebuilt, links that lead nowhere go, too.
 */
export function expectErasure(
  domain: ErasedDomain,
  erasure: Erasure,
  days: Iterable<DaySpan>,
): void {
  const { kind, startMs, endMs } = erasure;
  assert(takesRows(erasure), 'what takes no rows rebuilds no day');
  for (const span of days) {
    if (!isTouched(span, erasure)) continue;
    const pending = domain.pendingErasures.get(span.day);
    if (pending === undefined) domain.pendingErasures.set(span.day, [{ kind, startMs, endMs }]);
    else if (!pending.some((earlier) => covers(earlier, erasure))) {
      pending.push({ kind, startMs, endMs });
    }
  }
  domain.hasUnsavedErasures = true;
}

/** Whether what an earlier erasure takes includes all of a later one: sent again, it is no more work. */
function covers(earlier: DayErasures[number], later: Erasure): boolean {
  const isWithin = earlier.startMs <= later.startMs && earlier.endMs >= later.endMs;
  return isWithin && (earlier.kind === later.kind || earlier.kind === '' || earlier.kind === 'all');
}

/** Rebuilds the earliest pending day: later ones then see which of their bindings are left. */
export function eraseNextDay(domain: ErasedDomain): void {
  let first = Number.POSITIVE_INFINITY;
  for (const day of domain.pendingErasures.keys()) first = Math.min(first, day);
  if (Number.isFinite(first)) eraseDay(domain, first);
}

/** Whether a segment holds nothing that any statistic or any later hit could need. */
export function isEmptied(domain: ErasedDomain, open: OpenSegment): boolean {
  if (open.segment.sessions.rowCount > 0) return false;
  return !linksThatLead(open, domain.rawSegment(open.day - 1)).includes(1);
}

/** One byte per row: 1 where no erasure names it. */
function rowsOutside(
  table: Segment['views'] | Segment['events'],
  erasures: DayErasures,
  isOfEvents: boolean,
): Uint8Array {
  const kept = new Uint8Array(table.rowCount).fill(1);
  const { timeMs } = table.columns;
  for (const { kind, startMs, endMs } of erasures) {
    if (kind === 'events' && !isOfEvents) continue;
    for (let row = 0; row < kept.length; row++) {
      const atMs = timeMs[row]!;
      if (atMs >= startMs && atMs < endMs) kept[row] = 0;
    }
  }
  return kept;
}

/**
 * One byte per carried id: 1 while it is bound, or links to an id of the day before that is.
 *
 * A link to an unbound id is of no use: a session that reaches this day again links its id anew.
 */
function linksThatLead(open: OpenSegment, yesterday: OpenSegment | null): Uint8Array {
  const { carried } = open.segment;
  const kept = new Uint8Array(carried.rowCount);
  const { session, previousLow, previousHigh } = carried.columns;
  for (let row = 0; row < kept.length; row++) {
    const leads =
      session[row] !== NONE ||
      (yesterday !== null && isBound(yesterday, previousLow[row]!, previousHigh[row]!));
    kept[row] = leads ? 1 : 0;
  }
  return kept;
}

function isBound(open: OpenSegment, low: number, high: number): boolean {
  const { visitors, carried } = open.segment;
  const visitor = open.visitorIndex.find(low, high);
  const here = visitor < 0 ? BOUND_ELSEWHERE : visitors.columns.session[visitor]!;
  if (here !== BOUND_ELSEWHERE) return here !== NONE;
  const row = open.carriedIndex.find(low, high);
  return row >= 0 && carried.columns.session[row] !== NONE;
}

/** Later days forget the sessions that went with this one (I-46). */
function unbindGone(domain: ErasedDomain, before: Segment, stays: Uint8Array): void {
  const { boundDays } = before.sessions.columns;
  for (let session = 0; session < stays.length; session++) {
    if (stays[session] !== 0) continue;
    for (let day = before.day + 1; day <= before.day + boundDays[session]!; day++) {
      domain.rawSegment(day)?.unbindCarriedSession(before.day, session);
    }
  }
}
