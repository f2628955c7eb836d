/**
 * Rows of an export on their way back into the log (P-10): a session as it was, then its page views and
 * events. They are applied as they are (`shard/state/stored-rows.ts`), so that statistics are the same.
 *
 * The fields that a hit has for its visitor of the day before mean something else here:
 *
 *     previousHigh            UTC day of the segment that had the session
 *     previousLow             of a session: milliseconds of its activity beyond the whole seconds
 *     eventDurationSeconds    of a session: whole seconds from its start to its last activity
 *     nonInteractive          of a session: it is a bounce
 *     pairs                   of a session: exit path, exit title, page views, keep-alives
 */

import { createHit } from './blank-hit.ts';
import type { TextDimension } from './dimensions.ts';
import { type Hit, HitKind } from './hit.ts';
import { SECOND_MS } from './limits.ts';
import { TEXT_DIMENSIONS } from './text-kinds.ts';

/** Whose session it is: the visitor's id and the UTC day that it belongs to. */
export interface StoredVisitor {
  readonly day: number;
  readonly low: number;
  readonly high: number;
}

/** A session as its segment had it. */
export interface StoredSession extends Readonly<Record<TextDimension, string>> {
  readonly visitor: StoredVisitor;
  readonly startMs: number;
  /** Last activity. */
  readonly lastMs: number;
  readonly entryPath: string;
  readonly entryTitle: string;
  readonly exitPath: string;
  readonly exitTitle: string;
  readonly pageViews: number;
  readonly isBounce: boolean;
  readonly keepAlives: number;
  /** Index into `Platform`. */
  readonly platform: number;
}

/** What page views and events have alike. */
export interface StoredPage {
  readonly timeMs: number;
  readonly path: string;
  readonly title: string;
  /** Key, value, key, value …; null without any. */
  readonly pairs: string[] | null;
}

/** An event as its segment had it. */
export interface StoredEvent extends StoredPage {
  readonly name: string;
  readonly durationSeconds: number;
}

/** Places of what stands among the pairs of a session. */
export const SESSION_PAIRS = { exitPath: 0, exitTitle: 1, pageViews: 2, keepAlives: 3 } as const;

/** The session, which its rows have to follow before the visitor's next session. */
export function hitOfSession(session: StoredSession): Hit {
  const { visitor, startMs, lastMs, exitPath, exitTitle, pageViews, keepAlives } = session;
  const hit = hitOf(HitKind.StoredSession, startMs, visitor);
  const activeMs = lastMs - startMs;
  hit.eventDurationSeconds = Math.floor(activeMs / SECOND_MS);
  hit.previousLow = activeMs % SECOND_MS;
  hit.nonInteractive = session.isBounce;
  hit.platform = session.platform;
  hit.path = session.entryPath;
  hit.title = session.entryTitle;
  hit.pairs = [exitPath, exitTitle, String(pageViews), String(keepAlives)];
  for (const name of TEXT_DIMENSIONS) hit[name] = session[name];
  return hit;
}

/** A page view of the visitor's session before it. */
export function hitOfView(visitor: StoredVisitor, view: StoredPage): Hit {
  const hit = hitOf(HitKind.StoredView, view.timeMs, visitor);
  hit.path = view.path;
  hit.title = view.title;
  hit.pairs = view.pairs;
  return hit;
}

/** An event of the visitor's session before it. */
export function hitOfEvent(visitor: StoredVisitor, event: StoredEvent): Hit {
  const hit = hitOf(HitKind.StoredEvent, event.timeMs, visitor);
  hit.path = event.path;
  hit.title = event.title;
  hit.pairs = event.pairs;
  hit.eventName = event.name;
  hit.eventDurationSeconds = event.durationSeconds;
  return hit;
}

function hitOf(kind: number, timeMs: number, { day, low, high }: StoredVisitor): Hit {
  const hit = createHit(kind, timeMs);
  hit.visitorLow = low;
  hit.visitorHigh = high;
  hit.previousHigh = day;
  return hit;
}
