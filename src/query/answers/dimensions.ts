/**
 * Statistics by a dimension of the session: values (S-51, S-52), and referrers (S-50).
 */

import { assert } from '../../base/assert.ts';
import { compareCodePoints } from '../../base/code-points.ts';
import type { TextDimension } from '../../model/dimensions.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { numbersIn, sumOver, tallyOver } from '../cache/cached-aggregate.ts';
import { joinPairs } from '../count/composite-groups.ts';
import { eventsInScope } from '../count/event-scope.ts';
import { Tally, tallySessions } from '../count/tally.ts';
import { type FieldValue, type ListRow, listRows, presentIn } from '../list/listing.ts';
import { rate } from '../list/rates.ts';
import { denominatorsOf, type Scan, viewQuestion } from '../plan/query-context.ts';
import type { Scratch } from '../plan/scratch.ts';
import { gather } from '../plan/selection.ts';
import { filtersColumn } from '../question/filters.ts';
import { viewedSessions } from '../select/viewed-sessions.ts';
import { inVisitorOrder } from '../select/visitor-order.ts';
import { openTextSpace, spaceIds, type TextSpace } from '../text/text-space.ts';

/** Places for pairs seen lately; a power of two that stays in the nearest cache. */
const RECENT_PAIRS = 2_048;

/** S-51, S-52, S-55: visitors by the values of session dimensions. */
export function answerValues(scan: Scan): ListRow[] {
  const { query, scratch, statistic } = scan;
  const columns = statistic.columns ?? [];
  const space = openTextSpace(query.domainId);
  const groups = numbersIn(space, statistic.name, () => new ValueGroups(space, columns));
  const tally = tallyOver(scan, [], 0, (segment, into) => {
    const sessions = sessionsInScope(scan, segment);
    const grouped = groups.assign(segment, sessions, scratch);
    into.reserve(groups.count);
    tallySessions(segment, sessions, grouped, { into, scratch });
  });
  const all = denominatorsOf(scan).visitors;
  const fields: Record<string, (group: number) => FieldValue> = {
    visitors: (group) => tally.visitors[group] as number,
    relative_visitors: (group) => rate(tally.visitors[group] as number, all),
  };
  for (const [name, dimension] of columns) {
    fields[name] = (group) => groups.textOf(group, dimension);
  }
  const count = Math.min(groups.count, tally.visitors.length);
  return listRows(statistic, query, { present: presentIn(tally.visitors, count), fields });
}

/** Values of one dimension, or pairs, pairs of pairs and so on of several. */
class ValueGroups {
  readonly #space: TextSpace;
  readonly #dimensions: readonly TextDimension[];
  /** Per further dimension: group before it × its value → group. */
  readonly #levels: readonly PairIndex[];
  /** Region and country of an unknown place are blank: one unknown row (S-52). */
  readonly #blanksUnknown: boolean;

  constructor(space: TextSpace, columns: readonly (readonly [string, TextDimension])[]) {
    this.#space = space;
    this.#dimensions = [...new Set(columns.map(([, dimension]) => dimension))];
    this.#levels = this.#dimensions.slice(1).map(() => new PairIndex());
    this.#blanksUnknown = this.#dimensions.at(-1) === 'country';
  }

  get count(): number {
    const first = this.#dimensions[0] as TextDimension;
    return this.#levels.at(-1)?.count ?? this.#space.texts(KIND[first]).length;
  }

  textOf(group: number, dimension: TextDimension): string {
    const texts = this.#space.texts(KIND[dimension]);
    let id = group;
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      const pairs = this.#levels[level] as PairIndex;
      if (this.#dimensions[level + 1] === dimension) return texts[pairs.seconds[id]!] as string;
      id = pairs.firsts[id]!;
    }
    return texts[id] as string;
  }

  /** Groups of some sessions of a segment, and where they go in the tally. */
  assign(
    segment: Segment,
    sessions: Uint32Array,
    scratch: Scratch,
  ): { groups: ArrayLike<number>; groupMap: Uint32Array } {
    const { columns } = segment.sessions;
    const first = this.#dimensions[0] as TextDimension;
    let groups: ArrayLike<number> = columns[first];
    let groupMap = spaceIds(this.#space, segment, KIND[first]);
    for (const [level, pairs] of this.#levels.entries()) {
      const dimension = this.#dimensions[level + 1] as TextDimension;
      const local = pairGroups(
        sessions,
        groups,
        {
          values: columns[dimension],
          unknown: this.#blanksUnknown ? columns[first] : null,
        },
        scratch,
      );
      const valueMap = spaceIds(this.#space, segment, KIND[dimension]);
      groupMap = joinPairs(local.pairs, { firsts: groupMap, seconds: valueMap }, pairs);
      groups = local.groups;
    }
    return { groups, groupMap };
  }
}

/** Pairs of a group and a value over some sessions; `unknown` 0 makes the value 0. */
function pairGroups(
  sessions: Uint32Array,
  groups: ArrayLike<number>,
  further: { values: ArrayLike<number>; unknown: ArrayLike<number> | null },
  scratch: Scratch,
): { groups: Uint32Array; pairs: PairIndex } {
  const { values, unknown } = further;
  const pairs = new PairIndex();
  // By session row; in place where `groups` are such pairs already.
  const paired = scratch.rawWords('pairedGroups', values.length);
  // The pair at a place that most pairs have for themselves answers before the index is asked.
  const recent = scratch.words('recentPairs', RECENT_PAIRS);
  for (let index = 0; index < sessions.length; index++) {
    const row = sessions[index]!;
    const group = groups[row]!;
    const value = unknown !== null && unknown[row] === 0 ? 0 : values[row]!;
    const place = (Math.imul(group, 37) + value) & (RECENT_PAIRS - 1);
    const known = recent[place]! - 1;
    if (known >= 0 && pairs.firsts[known] === group && pairs.seconds[known] === value) {
      paired[row] = known;
      continue;
    }
    const pair = pairs.idOf(group, value);
    recent[place] = pair + 1;
    paired[row] = pair;
  }
  return { groups: paired, pairs };
}

/** S-50: by name, or by name and URL when one of them is filtered. */
export function answerReferrers(scan: Scan): ListRow[] {
  const { query, scratch } = scan;
  const byUrl = query.filters.referrer !== null || filtersColumn(query.filters, 'referrerName');
  const space = openTextSpace(query.domainId);
  const pairs = byUrl ? numbersIn(space, 'referrers', () => new PairIndex()) : null;
  const sum = sumOver(scan, [], {
    empty: () => ({ tally: new Tally(), groups: new ReferrerGroups(space, pairs) }),
    copy: ({ tally, groups }) => ({ tally: tally.copy(), groups: groups.copy() }),
    bytes: ({ tally, groups }) => tally.bytes + groups.bytes,
    add: (segment, { tally, groups }) => {
      const sessions = sessionsInScope(scan, segment);
      const grouped = groups.assign(segment, sessions, scratch);
      tally.reserve(groups.count);
      tallySessions(segment, sessions, grouped, { into: tally, scratch });
    },
  });
  const { tally, groups } = sum;
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
  #urls: string[] = [];
  #icons: string[] = [];

  /** @param pairs of names and URLs; null: by name alone. */
  constructor(space: TextSpace, pairs: PairIndex | null) {
    this.#space = space;
    this.#pairs = pairs;
  }

  copy(): ReferrerGroups {
    const copy = new ReferrerGroups(this.#space, this.#pairs);
    copy.#urls = this.#urls.slice();
    copy.#icons = this.#icons.slice();
    return copy;
  }

  /** Bytes of the lists; their texts are the segments' and the space's. */
  get bytes(): number {
    return (this.#urls.length + this.#icons.length) * 8;
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

  /** Groups of some sessions of a segment, and what texts they add. */
  assign(
    segment: Segment,
    sessions: Uint32Array,
    scratch: Scratch,
  ): { groups: Uint32Array; groupMap: Uint32Array } {
    const { referrer, referrerName } = segment.sessions.columns;
    const nameMap = spaceIds(this.#space, segment, KIND.referrerName);
    if (this.#pairs === null) {
      this.#addSmallest(segment, { sessions, groups: referrerName, texts: referrer }, nameMap, {
        kind: KIND.referrer,
        smallest: this.#urls,
      });
      this.#addIcons(segment, sessions, referrerName, nameMap);
      return { groups: referrerName, groupMap: nameMap };
    }
    const urlMap = spaceIds(this.#space, segment, KIND.referrer);
    const local = pairGroups(sessions, referrerName, { values: referrer, unknown: null }, scratch);
    const groupMap = joinPairs(local.pairs, { firsts: nameMap, seconds: urlMap }, this.#pairs);
    const { groups } = local;
    this.#addIcons(segment, sessions, groups, groupMap);
    return { groups, groupMap };
  }

  #addIcons(
    segment: Segment,
    sessions: Uint32Array,
    groups: Uint32Array,
    groupMap: Uint32Array,
  ): void {
    // Icons are rare (I-94): most segments have none and need no pass.
    if (segment.dictionary.texts(KIND.referrerIcon).length === 1) return;
    const texts = segment.sessions.columns.referrerIcon;
    this.#addSmallest(segment, { sessions, groups, texts }, groupMap, {
      kind: KIND.referrerIcon,
      smallest: this.#icons,
    });
  }

  /** Lowers each group's text to the smallest non-empty one of the sessions. */
  #addSmallest(
    segment: Segment,
    columns: { sessions: Uint32Array; groups: Uint32Array; texts: Uint32Array },
    groupMap: Uint32Array,
    into: { kind: number; smallest: string[] },
  ): void {
    const { sessions, groups, texts } = columns;
    const names = segment.dictionary.texts(into.kind);
    const seen = new PairIndex();
    // Nearly every URL has one name, so its last group answers before the pairs are asked.
    const lastGroups = new Uint32Array(names.length);
    for (let index = 0; index < sessions.length; index++) {
      const row = sessions[index]!;
      const text = texts[row]!;
      if (text === 0) continue;
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

/** The sessions of a segment's selected rows of the scope, in order of visitor; in the scratch. */
export function sessionsInScope(scan: Scan, segment: Segment): Uint32Array {
  const { query, scratch } = scan;
  assert(scan.statistic.scope === 'views', 'dimensions are computed over page views');
  if (query.metric === null) {
    return viewedSessions(segment, viewQuestion(query, query.filters, null), scratch).sessions;
  }
  // S-8: a custom metric makes it event scope.
  const selection = eventsInScope(scan, segment);
  const { session } = segment.events.columns;
  const sessions = gather(selection, session, scratch, 'eventSessions');
  const fired = sessions.subarray(0, selection.count);
  return inVisitorOrder(segment, fired, scratch, 'viewedSessions');
}
