/**
 * Builds segments for tests straight through the Table and Dictionary API, without the actor.
 *
 * A session is described by its steps in order of time; start, entry, exit, bounce and time on page
 * follow from them by the plain cases of I-41 to I-60.
 */

import { Platform, TEXT_DIMENSIONS, type TextDimension } from '../../src/model/dimensions.ts';
import { DAY_MS } from '../../src/model/limits.ts';
import { KIND } from '../../src/segment/memory/dictionary.ts';
import { NONE } from '../../src/segment/memory/layout.ts';
import { Segment } from '../../src/segment/memory/segment.ts';

export interface Step {
  /** ISO timestamp, or `HH:MM[:SS]` on the builder's day. */
  at: string;
  view?: string;
  event?: string;
  /** Path of an event, `/` by default. */
  on?: string;
  keepAlive?: boolean;
  title?: string;
  tags?: Record<string, string>;
  meta?: Record<string, string>;
  duration?: number;
  nonInteractive?: boolean;
}

export type Dimensions = Partial<Record<TextDimension, string>> & {
  platform?: keyof typeof Platform;
};

export class SegmentBuilder {
  readonly segment: Segment;
  readonly #visitors = new Map<string, number>();
  readonly #date: string;

  constructor(date: string, domainId = 'd1') {
    this.#date = date;
    this.segment = new Segment(domainId, Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  }

  /** Adds a session; an event that comes first also writes a page view (I-50). */
  session(visitor: string, steps: readonly Step[], dimensions: Dimensions = {}): this {
    const { segment } = this;
    const row = segment.sessions.append();
    const columns = segment.sessions.columns;
    columns.visitor[row] = this.#visitor(visitor);
    columns.platform[row] = Platform[dimensions.platform ?? 'Unknown'];
    for (const name of TEXT_DIMENSIONS) {
      columns[name][row] = this.#id(name, dimensions[name] ?? '');
    }
    columns.startMs[row] = this.#ms((steps[0] as Step).at);
    columns.isBounce[row] = 1;
    columns.lastView[row] = NONE;
    for (const [index, step] of steps.entries()) this.#step(row, step, index === 0);
    return this;
  }

  #step(row: number, step: Step, isFirst: boolean): void {
    const { segment } = this;
    const columns = segment.sessions.columns;
    const atMs = this.#ms(step.at);
    segment.cover(atMs);
    columns.lastMs[row] = Math.max(atMs, columns.lastMs[row] as number);
    if (step.keepAlive === true) {
      columns.extended[row] = (columns.extended[row] as number) + 1;
      return;
    }
    const path = this.#id('path', step.view ?? step.on ?? '/');
    const title = this.#id('title', step.title ?? '');
    if (isFirst) {
      columns.entryPath[row] = path;
      columns.entryTitle[row] = title;
    }
    columns.exitPath[row] = path;
    columns.exitTitle[row] = title;
    if (step.view !== undefined || isFirst)
      this.#view(row, atMs, { path, title, tags: step.tags ?? {} });
    if (step.view !== undefined && path !== columns.entryPath[row]) columns.isBounce[row] = 0;
    if (step.event === undefined) return;
    if (!isFirst && step.nonInteractive !== true) columns.isBounce[row] = 0;
    this.#event(row, atMs, { path, title, step });
  }

  #view(
    row: number,
    atMs: number,
    given: { path: number; title: number; tags: Record<string, string> },
  ) {
    const { path, title, tags } = given;
    const { views, sessions, tagPairs } = this.segment;
    const view = views.append();
    const previous = sessions.columns.lastView[row] as number;
    views.columns.timeMs[view] = atMs;
    views.columns.session[view] = row;
    views.columns.path[view] = path;
    views.columns.title[view] = title;
    views.columns.previous[view] = previous;
    if (previous !== NONE) {
      const gap = Math.floor((atMs - (views.columns.timeMs[previous] as number)) / 1_000);
      views.columns.timeOnPage[previous] = Math.min(gap, 3_600);
    }
    sessions.columns.lastView[row] = view;
    sessions.columns.pageViews[row] = (sessions.columns.pageViews[row] as number) + 1;
    for (const [key, value] of Object.entries(tags)) {
      const pair = tagPairs.append();
      tagPairs.columns.key[pair] = this.#id('tagKey', key);
      tagPairs.columns.value[pair] = this.#id('tagValue', value);
    }
    views.columns.tagEnd[view] = tagPairs.rowCount;
  }

  #event(row: number, atMs: number, given: { path: number; title: number; step: Step }) {
    const { events, metaPairs } = this.segment;
    const event = events.append();
    events.columns.timeMs[event] = atMs;
    events.columns.session[event] = row;
    events.columns.name[event] = this.#id('eventName', given.step.event as string);
    events.columns.path[event] = given.path;
    events.columns.title[event] = given.title;
    events.columns.durationSeconds[event] = given.step.duration ?? 0;
    for (const [key, value] of Object.entries(given.step.meta ?? {})) {
      const pair = metaPairs.append();
      metaPairs.columns.key[pair] = this.#id('metaKey', key);
      metaPairs.columns.value[pair] = this.#id('metaValue', value);
    }
    events.columns.metaEnd[event] = metaPairs.rowCount;
  }

  #visitor(name: string): number {
    const known = this.#visitors.get(name);
    if (known !== undefined) return known;
    const { visitors } = this.segment;
    const row = visitors.append();
    visitors.columns.low[row] = row + 1;
    visitors.columns.high[row] = this.segment.day;
    this.#visitors.set(name, row);
    return row;
  }

  #id(kind: keyof typeof KIND, text: string): number {
    return this.segment.dictionary.intern(KIND[kind], text);
  }

  #ms(at: string): number {
    return Date.parse(at.includes('T') ? at : `${this.#date}T${at}Z`);
  }
}

/** Segments of several UTC days from one list of sessions, each on the day of its first step. */
export function segmentsOf(
  sessions: readonly (readonly [string, readonly Step[], Dimensions?])[],
): Segment[] {
  const builders = new Map<string, SegmentBuilder>();
  for (const [visitor, steps, dimensions] of sessions) {
    const date = (steps[0] as Step).at.slice(0, 10);
    const builder = builders.get(date) ?? new SegmentBuilder(date);
    builders.set(date, builder);
    builder.session(visitor, steps, dimensions);
  }
  return [...builders.values()].map((builder) => builder.segment);
}
