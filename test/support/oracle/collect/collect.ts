/**
 * The oracle's ingestion: what one collection request does to the world (I-40 to I-79).
 *
 * One small function per rule, in the words of the rule. Not modelled: the 24 hours of I-76 (needs a
 * day).
 */

import type { Dimensions, ModelHit, Session, World } from '../world.ts';
import { type SegmentTexts, standsFor, store } from './texts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What the batch endpoints answer, without the text of the errors. */
export interface CollectionAnswer {
  accepted: number;
  /** Places of the items with a foreign hostname. */
  rejected: number[];
}

/**
 * One request with its items in the order as sent; changes `world`.
 *
 * @param idempotencyKey '' is none.
 */
export function collect(
  world: World,
  hits: readonly ModelHit[],
  idempotencyKey = '',
): CollectionAnswer {
  // only foreign hostnames are rejected, whatever else happens to the items.
  const rejected = hits.flatMap((hit, index) => (hit.isForeign ? [index] : []));
  const answer = { accepted: hits.length - rejected.length, rejected };
  if (idempotencyKey !== '' && world.usedKeys.has(idempotencyKey)) {
    // I-76, I-77: every item counts as duplicate, foreign ones too; the answer is as if it were new.
    world.dropped.push(...hits.map(() => 'duplicate'));
    return answer;
  }
  if (idempotencyKey !== '') world.usedKeys.add(idempotencyKey);
  // I-70: sorted by time, stable, then one by one.
  for (const hit of [...hits].sort((a, b) => a.timeMs - b.timeMs)) takeHit(world, hit);
  return answer;
}

function takeHit(world: World, hit: ModelHit): void {
  // I-5: the hostname check comes before the bot filter.
  if (hit.isForeign) world.dropped.push('hostname');
  else if (hit.botReason !== '') world.dropped.push(hit.botReason);
  else if (hit.kind === 'ka') takeKeepAlive(world, hit);
  else takeViewOrEvent(world, hit);
}

/** The visitor id of the hit's UTC day, or of the day before (I-33). */
function visitorOf(hit: ModelHit, daysBefore: 0 | 1): string {
  return `${hit.person} ${Math.floor(hit.timeMs / DAY_MS) - daysBefore}`;
}

/** I-40. */
function isLive(session: Session | undefined, timeMs: number): session is Session {
  return (
    session !== undefined &&
    session.lastMs > timeMs - 30 * MINUTE_MS &&
    session.startMs < timeMs + 30 * MINUTE_MS
  );
}

/** I-46: the live session bound to the id of day d, else that of day d − 1, which d is bound to then. */
function findLiveSession(world: World, hit: ModelHit): Session | null {
  const ofToday = world.bound.get(visitorOf(hit, 0));
  if (isLive(ofToday, hit.timeMs)) return ofToday;
  const ofYesterday = world.bound.get(visitorOf(hit, 1));
  if (!isLive(ofYesterday, hit.timeMs)) return null;
  world.bound.set(visitorOf(hit, 0), ofYesterday);
  return ofYesterday;
}

/** I-44 and, when late, I-72. */
function takeKeepAlive(world: World, hit: ModelHit): void {
  const session = findLiveSession(world, hit);
  if (session === null) {
    world.dropped.push('keep-alive-without-session'); // I-45
    return;
  }
  session.extended = Math.min(session.extended + 1, 65_535);
  session.lastMs = Math.max(session.lastMs, hit.timeMs);
}

function takeViewOrEvent(world: World, hit: ModelHit): void {
  const session = findLiveSession(world, hit);
  if (session === null) {
    open(world, hit, visitorOf(hit, 0)); // I-46, last sentences
    return;
  }
  if (hasOtherAcquisition(world, session, hit)) {
    // I-48: of the same visitor id, and it takes over all bindings of the session it replaces.
    const replacement = open(world, hit, session.visitor);
    for (const [visitor, bound] of world.bound) {
      if (bound === session) world.bound.set(visitor, replacement);
    }
    return;
  }
  if (session.pageViews >= 200) {
    world.dropped.push('page-view-cap'); // I-49, after I-48
    return;
  }
  if (hit.kind === 'pv') joinPageView(world, session, hit);
  else joinEvent(world, session, hit);
}

const ACQUISITION = [
  'referrer',
  'referrerName',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmContent',
  'utmTerm',
] as const satisfies readonly (keyof Dimensions)[];

/** The texts of the segment that a visitor's sessions are in: of the day the visitor was first seen. */
function textsOf(world: World, visitor: string): SegmentTexts {
  const day = Number(visitor.slice(visitor.lastIndexOf(' ') + 1));
  const texts = world.texts.get(day) ?? new Map();
  world.texts.set(day, texts);
  return texts;
}

/** I-48: non-empty and different in any of the fields, as it would be stored (I-79). */
function hasOtherAcquisition(world: World, session: Session, hit: ModelHit): boolean {
  const texts = textsOf(world, session.visitor);
  return ACQUISITION.some((field) => {
    const text = hit.dimensions[field];
    if (text === '') return false;
    return standsFor(texts, field, text, world.textLimits) !== session.dimensions[field];
  });
}

/** I-79: the page of a hit as it is stored. */
function storePage(world: World, visitor: string, hit: ModelHit): ModelHit {
  const texts = textsOf(world, visitor);
  const path = store(texts, 'path', hit.path, world.textLimits);
  return { ...hit, path, title: store(texts, 'title', hit.title, world.textLimits) };
}

/** I-79: in the order of the table of terms. */
const STORED_DIMENSIONS = [
  ...(['country', 'region', 'city', 'language', 'referrer', 'referrerName', 'channel'] as const),
  ...(['os', 'osVersion', 'browser', 'browserVersion', 'screenClass'] as const),
  ...(['utmSource', 'utmMedium', 'utmCampaign', 'utmContent', 'utmTerm', 'hostname'] as const),
  //
  'device' as const,
];

function storeDimensions(world: World, visitor: string, { dimensions }: ModelHit): Dimensions {
  const texts = textsOf(world, visitor);
  const stored = { ...dimensions };
  for (const field of STORED_DIMENSIONS) {
    stored[field] = store(texts, field, dimensions[field], world.textLimits);
  }
  return stored;
}

/** I-79; of several keys that have become `(other)` the first stands. */
function storePairs(world: World, visitor: string, { kind, pairs }: ModelHit): ModelHit['pairs'] {
  const texts = textsOf(world, visitor);
  const stored: Record<string, string> = {};
  for (const [key, value] of Object.entries(pairs)) {
    const name = store(texts, kind === 'ev' ? 'metaKey' : 'tagKey', key, world.textLimits);
    if (name in stored) continue;
    const valueKind = kind === 'ev' ? 'metaValue' : 'tagValue';
    stored[name] = store(texts, valueKind, value, world.textLimits);
  }
  return stored;
}

/** I-41, I-50. */
function open(world: World, sent: ModelHit, visitor: string): Session {
  const hit = storePage(world, visitor, sent);
  const dimensions = storeDimensions(world, visitor, sent);
  const session: Session = {
    // Not their number: sessions before it may have been deleted.
    id: (world.sessions.at(-1)?.id ?? 0) + 1,
    visitor,
    startMs: hit.timeMs,
    lastMs: hit.timeMs,
    entryPath: hit.path,
    entryTitle: hit.title,
    exitPath: hit.path,
    exitTitle: hit.title,
    pageViews: 1,
    isBounce: true,
    extended: 0,
    dimensions,
  };
  world.sessions.push(session);
  world.bound.set(visitorOf(hit, 0), session);
  storePageView(world, session, hit);
  if (hit.kind === 'ev') storeEvent(world, session, hit);
  return session;
}

/** I-42 and, when late, I-72. */
function joinPageView(world: World, session: Session, sent: ModelHit): void {
  const hit = storePage(world, session.visitor, sent);
  session.pageViews += 1;
  if (hit.path !== session.entryPath) session.isBounce = false;
  if (hit.timeMs >= session.lastMs) {
    session.lastMs = hit.timeMs;
    session.exitPath = hit.path;
    session.exitTitle = hit.title;
  }
  if (hit.timeMs < session.startMs) {
    session.startMs = hit.timeMs;
    session.entryPath = hit.path;
    session.entryTitle = hit.title;
  }
  storePageView(world, session, hit);
}

/** I-43, I-51, I-52 and, when late, I-72. */
function joinEvent(world: World, session: Session, sent: ModelHit): void {
  const hit = storePage(world, session.visitor, sent);
  if (!hit.nonInteractive) session.isBounce = false;
  if (hit.timeMs >= session.lastMs) {
    session.lastMs = hit.timeMs;
    const keepsTitle = hit.title === '' && hit.path === session.exitPath;
    if (!keepsTitle) session.exitTitle = hit.title;
    session.exitPath = hit.path;
  }
  storeEvent(world, session, hit);
}

/** I-99: a page view written for an event has no tags (I-50, I-55). */
function storePageView(world: World, session: Session, hit: ModelHit): void {
  const { timeMs, path, title } = hit;
  const tags = hit.kind === 'pv' ? storePairs(world, session.visitor, hit) : {};
  world.pageViews.push({ session, timeMs, path, title, tags });
}

/** I-53, I-54. */
function storeEvent(world: World, session: Session, hit: ModelHit): void {
  const texts = textsOf(world, session.visitor);
  const name = store(texts, 'eventName', hit.eventName, world.textLimits);
  world.events.push({
    session,
    timeMs: hit.timeMs,
    name,
    path: hit.path,
    title: hit.title,
    durationSeconds: hit.eventDurationSeconds,
    meta: storePairs(world, session.visitor, hit),
  });
}
