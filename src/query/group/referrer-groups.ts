/**
 * Groups of sessions by referrer: by name, or by name and URL, with the smallest URL and icon of each.
 *
 * Data plane in `assign`.
 */

import { compareCodePoints } from '../../base/code-points.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { QueryRun } from '../plan/query-run.ts';
import { spaceIds, type TextSpace } from '../text/text-space.ts';
import { groupSessions, mergeComposites } from './composite-groups.ts';

/** Names, or names and URLs, with the smallest URL and icon that sessions of the group have. */
export class ReferrerGroups {
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
    run: QueryRun,
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
    const local = groupSessions(sessions, referrerName, { values: referrer, unknown: null }, run);
    const groupMap = mergeComposites(
      local.pairs,
      { firsts: nameMap, seconds: urlMap },
      this.#pairs,
    );
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
