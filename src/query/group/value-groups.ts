/**
 * Groups of sessions by the values of their dimensions: one dimension, pairs, pairs of pairs and so on.
 *
 * Data plane in `assign`. Numbers are those of the domain's text space, so that segments add up in
 * place.
 */

import type { NumberColumn } from '../../base/bring-near.ts';
import type { TextDimension } from '../../model/dimensions.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { QueryRun } from '../plan/query-run.ts';
import { spaceIds, type TextSpace } from '../text/text-space.ts';
import { groupSessions, mergeComposites } from './composite-groups.ts';

/** Values of one dimension, or pairs, pairs of pairs and so on of several. */
export class ValueGroups {
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
    run: QueryRun,
  ): { groups: NumberColumn; groupMap: Uint32Array } {
    const { columns } = segment.sessions;
    const first = this.#dimensions[0] as TextDimension;
    let groups: NumberColumn = columns[first];
    let groupMap = spaceIds(this.#space, segment, KIND[first]);
    for (const [level, pairs] of this.#levels.entries()) {
      const dimension = this.#dimensions[level + 1] as TextDimension;
      const local = groupSessions(
        sessions,
        groups,
        {
          values: columns[dimension],
          unknown: this.#blanksUnknown ? columns[first] : null,
        },
        run,
      );
      const valueMap = spaceIds(this.#space, segment, KIND[dimension]);
      groupMap = mergeComposites(local.pairs, { firsts: groupMap, seconds: valueMap }, pairs);
      groups = local.groups;
    }
    return { groups, groupMap };
  }
}
