/**
 * Statistics by a dimension of the session: one value (S-51), and referrers (S-50).
 */

import { assert } from '../base/assert.ts';
import type { TextDimension } from '../model/dimensions.ts';
import { KIND } from '../segment/dictionary.ts';
import type { Segment } from '../segment/segment.ts';
import { eachWithEvents } from './event-scope.ts';
import { filtersColumn } from './filters.ts';
import { type FieldValue, type ListRow, listRows, presentIn } from './listing.ts';
import { PairIndex } from './pair-index.ts';
import { compareCodePoints } from './ranking.ts';
import { rate } from './rates.ts';
import { gather } from './rows.ts';
import { denominatorsOf, markSelected, type Scan, viewQuestion } from './scan.ts';
import { selectViews } from './selection.ts';
import { markSessions, Tally, tallySessions } from './tally.ts';
import { openTextSpace, spaceIds, type TextSpace } from './texts.ts';

/** S-51: visitors by the value of a session dimension. */
export function answerValues(scan: Scan): ListRow[] {
  const { query, scratch, statistic } = scan;
  const dimension = statistic.dimension as TextDimension;
  const kind = KIND[dimension];
  const space = openTextSpace(query.domainId);
  const tally = new Tally();
  eachMarked(scan, (segment, marks) => {
    const groupMap = spaceIds(space, segment, kind);
    tally.reserve(space.texts(kind).length);
    const groups = segment.sessions.columns[dimension];
    tallySessions(segment, marks, { groups, groupMap }, { into: tally, scratch });
  });
  const all = denominatorsOf(scan).visitors;
  const fields: Record<string, (group: number) => FieldValue> = {
    visitors: (group) => tally.visitors[group] as number,
    relative_visitors: (group) => rate(tally.visitors[group] as number, all),
  };
  // Every text field of such a row is the value itself: country_code stands beside country (S-56).
  for (const { name, type } of statistic.fields) {
    if (type === 'text') fields[name] = (group) => space.texts(kind)[group] as string;
  }
  const count = Math.min(space.texts(kind).length, tally.visitors.length);
  return listRows(statistic, query, { present: presentIn(tally.visitors, count), fields });
}

/** S-50: by name, or by name and URL when one of them is filtered. */
export function answerReferrers(scan: Scan): ListRow[] {
  const { query, scratch } = scan;
  const byUrl = query.filters.referrer !== null || filtersColumn(query.filters, 'referrerName');
  const groups = new ReferrerGroups(openTextSpace(query.domainId), byUrl);
  const tally = new Tally();
  eachMarked(scan, (segment, marks) => {
    const grouped = groups.assign(segment, marks);
    tally.reserve(groups.count);
    tallySessions(segment, marks, grouped, { into: tally, scratch });
  });
  const all = denominatorsOf(scan).visitors;
  return listRows(scan.statistic, query, {
    present: presentIn(tally.sessions, Math.min(groups.count, tally.sessions.length)),
    fields: {
      referrer: (group) => groups.urlOf(group),
      referrer_name: (group) => groups.nameOf(group),
      referrer_icon: (group) => groups.iconOf(group),
      visitors: (group) => tally.visitors[group] as number,
      sessions: (group) => tally.sessions[group] as number,
      relative_visitors: (group) => rate(tally.visitors[group] as number, all),
      bounces: (group) => tally.bounces[group] as number,
      bounce_rate: (group) => rate(tally.bounces[group] as number, tally.sessions[group] as number),
    },
  });
}

/** Names, or names and URLs, with the smallest URL and icon that sessions of the group have. */
class ReferrerGroups {
  readonly #space: TextSpace;
  readonly #pairs: PairIndex | null;
  readonly #urls: string[] = [];
  readonly #icons: string[] = [];

  constructor(space: TextSpace, byUrl: boolean) {
    this.#space = space;
    this.#pairs = byUrl ? new PairIndex() : null;
  }

  get count(): number {
    return this.#pairs?.count ?? this.#space.texts(KIND.referrerName).length;
  }

  nameOf(group: number): string {
    const name = this.#pairs === null ? group : (this.#pairs.firsts[group] as number);
    return this.#space.texts(KIND.referrerName)[name] as string;
  }

  urlOf(group: number): string {
    if (this.#pairs === null) return this.#urls[group] ?? '';
    return this.#space.texts(KIND.referrer)[this.#pairs.seconds[group] as number] as string;
  }

  iconOf(group: number): string {
    return this.#icons[group] ?? '';
  }

  /** Groups of a segment's sessions, and what texts their marked ones add. */
  assign(segment: Segment, marks: Uint8Array): { groups: Uint32Array; groupMap: Uint32Array } {
    const { referrer, referrerName } = segment.sessions.columns;
    const nameMap = spaceIds(this.#space, segment, KIND.referrerName);
    if (this.#pairs === null) {
      this.#addSmallest(segment, { marks, groups: referrerName, texts: referrer }, nameMap, {
        kind: KIND.referrer,
        smallest: this.#urls,
      });
      this.#addIcons(segment, marks, referrerName, nameMap);
      return { groups: referrerName, groupMap: nameMap };
    }
    const urlMap = spaceIds(this.#space, segment, KIND.referrer);
    const local = new PairIndex();
    const groups = new Uint32Array(marks.length);
    for (let row = 0; row < marks.length; row++) {
      if (marks[row] === 1) groups[row] = local.idOf(referrerName[row]!, referrer[row]!);
    }
    const groupMap = new Uint32Array(local.count);
    for (let pair = 0; pair < local.count; pair++) {
      groupMap[pair] = this.#pairs.idOf(
        nameMap[local.firsts[pair]!]!,
        urlMap[local.seconds[pair]!]!,
      );
    }
    this.#addIcons(segment, marks, groups, groupMap);
    return { groups, groupMap };
  }

  #addIcons(segment: Segment, marks: Uint8Array, groups: Uint32Array, groupMap: Uint32Array): void {
    // Icons are rare (I-94): most segments have none and need no pass.
    if (segment.dictionary.texts(KIND.referrerIcon).length === 1) return;
    const texts = segment.sessions.columns.referrerIcon;
    this.#addSmallest(segment, { marks, groups, texts }, groupMap, {
      kind: KIND.referrerIcon,
      smallest: this.#icons,
    });
  }

  /** Lowers each group's text to the smallest non-empty one of the marked sessions. */
  #addSmallest(
    segment: Segment,
    columns: { marks: Uint8Array; groups: Uint32Array; texts: Uint32Array },
    groupMap: Uint32Array,
    into: { kind: number; smallest: string[] },
  ): void {
    const { marks, groups, texts } = columns;
    const names = segment.dictionary.texts(into.kind);
    const seen = new PairIndex();
    // Nearly every URL has one name, so its last group answers before the pairs are asked.
    const lastGroups = new Uint32Array(names.length);
    for (let row = 0; row < marks.length; row++) {
      const text = texts[row]!;
      if (marks[row] === 0 || text === 0) continue;
      const group = groups[row]!;
      if (lastGroups[text] === group + 1) continue;
      lastGroups[text] = group + 1;
      seen.idOf(group, text);
    }
    for (let pair = 0; pair < seen.count; pair++) {
      const group = groupMap[seen.firsts[pair]!]!;
      const text = names[seen.seconds[pair]!] as string;
      const smallest = into.smallest[group];
      if (smallest === undefined || compareCodePoints(text, smallest) < 0) {
        into.smallest[group] = text;
      }
    }
  }
}

/** Visits every segment with a byte per session: 1 when a selected row of the scope is of it. */
export function eachMarked(scan: Scan, visit: (segment: Segment, marks: Uint8Array) => void): void {
  const { query, scratch } = scan;
  assert(scan.statistic.scope === 'views', 'dimensions are computed over page views');
  if (query.metric !== null) {
    // S-8: a custom metric makes it event scope.
    eachWithEvents(scan, (segment, selection) => {
      const { session } = segment.events.columns;
      const sessions = gather(selection, session, scratch, 'eventSessions');
      visit(segment, markSessions(segment, sessions, selection.count, scratch));
    });
    return;
  }
  const question = viewQuestion(query, query.filters, null);
  for (const segment of scan.segments) {
    const selection = selectViews(segment, question, scratch);
    if (selection.count === 0) continue;
    visit(segment, markSelected(segment, selection, scratch));
  }
}
