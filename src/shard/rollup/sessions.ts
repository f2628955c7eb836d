/**
 * Counting sessions by their dimensions, and page views by their tags, in the rolling pre-aggregates.
 *
 * Data plane. A session is in one group of every family from its first page view on; its dimensions
 * never change.
 */

import { compareCodePoints } from '../../base/code-points.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { NONE } from '../../segment/memory/layout.ts';
import type { HeavyVisitor } from '../../segment/open/heavy-visitor.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import type { SeenViews } from '../../segment/open/seen-views.ts';
import { FAMILY, SESSION_FAMILIES, type SessionFamily } from '../../segment/rollup/families.ts';
import { missingOf } from './families.ts';
import { isSameGroup, sessionGroup, takeKeys } from './keys.ts';
import { longOf } from './long-sessions.ts';

/** Of the session whose first page view is counted. */
interface Counting {
  readonly visitor: number;
  /** Null unless the visitor has many sessions. */
  readonly heavy: HeavyVisitor | null;
  /** Page views from this row on are not counted yet. */
  readonly viewEnd: number;
}

/** Counts a session at its first page view in every family. */
export function countSession(home: OpenSegment, session: number, of: Counting): void {
  const { rollups } = home.segment;
  const { heavy } = of;
  takeKeys(home, session);
  for (let index = 0; index < SESSION_FAMILIES.length; index++) {
    const group = sessionGroup(home, index);
    if (heavy === null) {
      if (otherIsIn(home, session, of, SESSION_FAMILIES[index]!)) continue;
    } else {
      if (heavy.groups.has(group)) continue;
      heavy.groups.add(group);
    }
    rollups.columns.visitors[group]!++;
    rollups.touch(group);
  }
}

/** Counts a session in the families where its group had no row when they were counted. */
export function countNewGroups(home: OpenSegment, session: number): void {
  const { rollups } = home.segment;
  let missing = missingOf(session);
  if (missing === 0) return;
  takeKeys(home, session);
  for (let index = 0; missing !== 0; index++, missing >>>= 1) {
    if ((missing & 1) === 0) continue;
    const group = sessionGroup(home, index);
    rollups.columns.visitors[group]!++;
    rollups.touch(group);
  }
}

/** Takes a session's bounce out of its referrer. */
export function loseSessionBounce(home: OpenSegment, session: number): void {
  const { rollups, sessions } = home.segment;
  const name = sessions.columns.referrerName[session]!;
  const group = home.rollups.rollupRow(FAMILY.referrerName, name, 0, 0);
  rollups.columns.bounces[group]!--;
  rollups.touch(group);
}

/** What has the tag keys that a view's session and visitor were counted under; null: the rows alone. */
interface CountedTags {
  readonly long: SeenViews | null;
  readonly heavy: SeenViews | null;
}

/** Counts a page view under each of its tag keys (S-64). */
export function countTags(
  home: OpenSegment,
  session: number,
  view: number,
  { long, heavy }: CountedTags,
): void {
  const { views, tagPairs, rollups } = home.segment;
  const { tagEnd } = views.columns;
  const start = view === 0 ? 0 : tagEnd[view - 1]!;
  const end = tagEnd[view]!;
  if (start === end) return;
  const { key } = tagPairs.columns;
  if (heavy === null) markNewTags(home, session, { view, start, end });
  for (let pair = start; pair < end; pair++) {
    const id = key[pair]!;
    const group = home.rollups.rollupRow(FAMILY.tagKey, id, 0, 0);
    rollups.columns.views[group]!++;
    rollups.touch(group);
    long?.addTag(id);
    if (heavy === null) {
      if (newTags[id] === 0) continue;
      // A key that stands twice in one view is new once.
      newTags[id] = 0;
    } else if (!heavy.addTag(id)) continue;
    rollups.columns.visitors[group]!++;
  }
}

/** By key id: 1 while the visitor has no other view with it. All 0 between hits. */
let newTags = new Uint8Array(64);

function markNewTags(
  home: OpenSegment,
  session: number,
  of: { view: number; start: number; end: number },
): void {
  const { key } = home.segment.tagPairs.columns;
  for (let pair = of.start; pair < of.end; pair++) {
    const id = key[pair]!;
    if (id >= newTags.length) {
      const grown = new Uint8Array(id * 2);
      grown.set(newTags);
      newTags = grown;
    }
    newTags[id] = 1;
  }
  const { visitorSessions, segment } = home;
  let other = visitorSessions.latestOf(segment.sessions.columns.visitor[session]!);
  while (other !== NONE) {
    const long = longOf(home, other, of.view);
    if (long === null) unmarkTagsOf(home, other, of.view);
    else {
      for (let pair = of.start; pair < of.end; pair++) {
        if (long.hasTag(key[pair]!)) newTags[key[pair]!] = 0;
      }
    }
    other = visitorSessions.before(other);
  }
}

function unmarkTagsOf(home: OpenSegment, session: number, viewEnd: number): void {
  const { views, sessions, tagPairs } = home.segment;
  const { previous, tagEnd } = views.columns;
  const { key } = tagPairs.columns;
  const head = sessions.columns.lastView[session]!;
  for (let row = head; row !== NONE; row = previous[row]!) {
    if (row >= viewEnd) continue;
    for (let pair = row === 0 ? 0 : tagEnd[row - 1]!; pair < tagEnd[row]!; pair++) {
      if (key[pair]! < newTags.length) newTags[key[pair]!] = 0;
    }
  }
}

/** Whether another session of the visitor that is counted already is in the session's group. */
function otherIsIn(
  home: OpenSegment,
  session: number,
  { visitor, viewEnd }: Counting,
  family: SessionFamily,
): boolean {
  const { visitorSessions } = home;
  let other = visitorSessions.latestOf(visitor);
  while (other !== NONE) {
    const isOther = other !== session && hasViewBefore(home, other, viewEnd);
    if (isOther && isSameGroup(home, family, other, session)) return true;
    other = visitorSessions.before(other);
  }
  return false;
}

function hasViewBefore(home: OpenSegment, session: number, viewEnd: number): boolean {
  const { previous } = home.segment.views.columns;
  const head = home.segment.sessions.columns.lastView[session]!;
  for (let row = head; row !== NONE; row = previous[row]!) if (row < viewEnd) return true;
  return false;
}

/** S-50: by name, with the smallest URL and icon that sessions of the name have. */
export function countReferrer(
  home: OpenSegment,
  session: number,
  of: Counting & { readonly isAlone: boolean },
): void {
  const { heavy } = of;
  const { rollups, sessions } = home.segment;
  const { referrerName, referrer, referrerIcon, isBounce } = sessions.columns;
  const name = referrerName[session]!;
  const group = home.rollups.rollupRow(FAMILY.referrerName, name, 0, 0);
  const { columns } = rollups;
  columns.sessions[group]!++;
  columns.bounces[group]! += isBounce[session]!;
  columns.second[group] = smaller(home, KIND.referrer, columns.second[group]!, referrer[session]!);
  columns.third[group] = smaller(
    home,
    KIND.referrerIcon,
    columns.third[group]!,
    referrerIcon[session]!,
  );
  rollups.touch(group);
  if (heavy === null) {
    if (!of.isAlone && otherHasName(home, session, of)) return;
  } else {
    if (heavy.groups.has(group)) return;
    heavy.groups.add(group);
  }
  columns.visitors[group]!++;
}

function otherHasName(home: OpenSegment, session: number, { visitor, viewEnd }: Counting): boolean {
  const { visitorSessions } = home;
  const { referrerName } = home.segment.sessions.columns;
  let other = visitorSessions.latestOf(visitor);
  while (other !== NONE) {
    const hasName = other !== session && referrerName[other] === referrerName[session];
    if (hasName && hasViewBefore(home, other, viewEnd)) return true;
    other = visitorSessions.before(other);
  }
  return false;
}

/** The id of the smaller text; 0, the empty one, counts for nothing. */
function smaller(home: OpenSegment, kind: number, held: number, other: number): number {
  if (other === 0 || other === held) return held;
  if (held === 0) return other;
  const texts = home.segment.dictionary.texts(kind);
  return compareCodePoints(texts[other]!, texts[held]!) < 0 ? other : held;
}
