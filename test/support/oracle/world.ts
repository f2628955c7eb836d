/**
 * The oracle's world: what one domain has stored, as plain arrays of plain objects.
 *
 * Written from the semantics alone and shares no code with the engine. Everything that a rule
 * can reach is a field here; nothing is indexed, narrowed or cached.
 */

import { RULE_LIMITS, type SegmentTexts, type TextLimits } from './collect/texts.ts';

/** The dimensions of a session (semantics, Terms), as far as they can be filtered or listed. */
export interface Dimensions {
  country: string;
  region: string;
  city: string;
  language: string;
  referrer: string;
  referrerName: string;
  channel: string;
  os: string;
  osVersion: string;
  browser: string;
  browserVersion: string;
  /** */
  device: string;
  platform: 'desktop' | 'mobile' | 'unknown';
  screenClass: string;
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
  utmContent: string;
  utmTerm: string;
  hostname: string;
}

/** A hit with everything derived (dimensions lie before the oracle). */
export interface ModelHit {
  kind: 'pv' | 'ev' | 'ka';
  timeMs: number;
  /** Address and user agent, what makes a visitor together with the UTC day (I-30 to I-33). */
  person: string;
  /** The hostname is refused by I-5. */
  isForeign: boolean;
  /** The reason of the bot filter (I-10 to I-24), '' when it passes. */
  botReason: string;
  path: string;
  title: string;
  /** Tags of a page view, metadata of an event. */
  pairs: Readonly<Record<string, string>>;
  eventName: string;
  eventDurationSeconds: number;
  nonInteractive: boolean;
  dimensions: Dimensions;
}

export interface Session {
  /** Its number among the sessions of the world, from 1: the oracle's session id. */
  id: number;
  /** The visitor's id: person and UTC day (I-33). A carried session keeps the day it was first seen. */
  visitor: string;
  startMs: number;
  lastMs: number;
  entryPath: string;
  entryTitle: string;
  exitPath: string;
  exitTitle: string;
  pageViews: number;
  isBounce: boolean;
  extended: number;
  dimensions: Dimensions;
}

export interface PageView {
  session: Session;
  timeMs: number;
  path: string;
  title: string;
  tags: Readonly<Record<string, string>>;
}

export interface EventRow {
  session: Session;
  timeMs: number;
  name: string;
  path: string;
  title: string;
  durationSeconds: number;
  meta: Readonly<Record<string, string>>;
}

/** What sums are counted by. */
export const SUM_DIMENSIONS = [
  ...(['total', 'page', 'entry', 'exit', 'referrer', 'language', 'country', 'region'] as const),
  ...(['city', 'browser', 'os', 'device', 'utm_source', 'utm_medium', 'utm_campaign'] as const),
] as const;

/** One day, one value of one dimension. */
export interface ModelSum {
  date: string;
  dimension: (typeof SUM_DIMENSIONS)[number];
  value: string;
  country: string;
  visitors: number;
  views: number;
  sessions: number;
  bounces: number;
  seconds: number;
}

export interface World {
  sessions: Session[];
  /** In order of arrival. */
  pageViews: PageView[];
  /** In order of arrival. */
  events: EventRow[];
  /** Visitor id of a day → the session it is bound to (I-46). */
  bound: Map<string, Session>;
  /** Reason of every dropped item, in order. */
  dropped: string[];
  /** Idempotency keys that are used up (I-77). */
  usedKeys: Set<string>;
  /** By UTC day: the distinct texts of its segment (I-79). Deletions take nothing from them. */
  texts: Map<number, SegmentTexts>;
  readonly textLimits: TextLimits;
  /** What other products counted (S-98), by import. */
  imported: ({ id: string } & ModelSum)[];
  /** Imports whose sums count. */
  shown: Set<string>;
}

/** A goal as it is sent; '' is unset. */
export interface ModelGoal {
  name: string;
  path_pattern: string;
  event_name: string;
  event_meta_key: string;
  event_meta_value: string;
  custom_metric_key: string;
  custom_metric_type: string;
}

/** A step as it is sent. */
export interface ModelStep {
  name: string;
  filter: Readonly<Record<string, string | readonly string[]>>;
}

/** What is defined on a domain: its goals, and one funnel. */
export interface Conversions {
  goals: readonly ModelGoal[];
  steps: readonly ModelStep[];
}

/** A domain without a hit. */
export function emptyWorld(textLimits = RULE_LIMITS): World {
  return {
    ...{ sessions: [], pageViews: [], events: [], dropped: [] },
    bound: new Map(),
    usedKeys: new Set(),
    texts: new Map(),
    textLimits,
    imported: [],
    shown: new Set(),
  };
}

/** Whole seconds from start to last activity (I-42). */
export function durationSeconds(session: Session): number {
  return Math.floor((session.lastMs - session.startMs) / 1_000);
}

/** Seconds to the session's next page view, at most 3,600; null for its last one (I-60, I-62). */
export function timeOnPageSeconds(world: World, view: PageView): number | null {
  const ofSession = world.pageViews
    .filter((other) => other.session === view.session)
    // Sorting is stable, so equal times stay in order of arrival.
    .sort((a, b) => a.timeMs - b.timeMs);
  const following = ofSession[ofSession.indexOf(view) + 1];
  if (following === undefined) return null;
  return Math.min(Math.floor((following.timeMs - view.timeMs) / 1_000), 3_600);
}
