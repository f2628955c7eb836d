/**
 * Whole metadata of events as dense ids: equal pairs in any order have one id (S-62).
 *
 * Data plane. A set of pairs is a path in a tree: the ids of its pairs, ascending, lead from the empty
 * set to its node. Numbers are those of the domain's text space, so segments share the tree.
 *
 *     {a:1, b:2} = pairs 0 1 → node 2        set 0 ──0──▶ set 1 {a:1} ──1──▶ set 2 {a:1, b:2}
 */

import { compareCodePoints } from '../../base/code-points.ts';
import { META_PAIR_COUNT_MAX, TAG_PAIR_COUNT_MAX } from '../../model/limits.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { Selection } from '../plan/selection.ts';
import { spaceIds, type TextSpace } from '../text/text-space.ts';

/** Tags of an event join its metadata (I-55). */
const PAIRS_MAX = META_PAIR_COUNT_MAX + TAG_PAIR_COUNT_MAX;

/** Sets of key and value; 0 is the empty one. */
export class MetaSets {
  readonly #space: TextSpace;
  /** (key, value) by number in the space. */
  readonly #pairs = new PairIndex();
  /** (set, pair) → the set with that pair, minus one: set 0 has no parent. */
  readonly #nodes = new PairIndex();
  readonly #sorted = new Uint32Array(PAIRS_MAX);
  readonly #json: string[] = [];

  constructor(space: TextSpace) {
    this.#space = space;
  }

  /** Writes the set of every selected event to `sets`. */
  assign(segment: Segment, selection: Selection, sets: Uint32Array): Uint32Array {
    const keyMap = spaceIds(this.#space, segment, KIND.metaKey);
    const valueMap = spaceIds(this.#space, segment, KIND.metaValue);
    const { metaEnd } = segment.events.columns;
    const { key, value } = segment.metaPairs.columns;
    const { rows, count } = selection;
    for (let index = 0; index < count; index++) {
      const row = rows === null ? index : rows[index]!;
      const end = metaEnd[row]!;
      let length = 0;
      for (let pair = row === 0 ? 0 : metaEnd[row - 1]!; pair < end; pair++) {
        const id = this.#pairs.idOf(keyMap[key[pair]!]!, valueMap[value[pair]!]!);
        this.#insert(id, length++);
      }
      sets[index] = this.#setOf(length);
    }
    return sets;
  }

  /** The pairs as an object; its keys ascending. */
  objectOf(set: number): Readonly<Record<string, string>> {
    // Keys come from clients; unlike an assignment this also makes a field of `__proto__`.
    return Object.fromEntries(this.#entriesOf(set));
  }

  /** JSON with sorted keys: what sets are ordered by. */
  jsonOf(set: number): string {
    let json = this.#json[set];
    if (json === undefined) {
      const fields = this.#entriesOf(set).map((pair) =>
        pair.map((t) => JSON.stringify(t)).join(':'),
      );
      json = `{${fields.join(',')}}`;
      this.#json[set] = json;
    }
    return json;
  }

  #entriesOf(set: number): [string, string][] {
    const keys = this.#space.texts(KIND.metaKey);
    const values = this.#space.texts(KIND.metaValue);
    const entries: [string, string][] = [];
    for (let at = set; at !== 0; at = this.#nodes.firsts[at - 1] as number) {
      const pair = this.#nodes.seconds[at - 1] as number;
      entries.push([
        keys[this.#pairs.firsts[pair] as number] as string,
        values[this.#pairs.seconds[pair] as number] as string,
      ]);
    }
    return entries.sort(([left], [right]) => compareCodePoints(left, right));
  }

  /** Inserts a pair's id among the `length` sorted ones. */
  #insert(id: number, length: number): void {
    const sorted = this.#sorted;
    let at = length;
    for (; at > 0 && sorted[at - 1]! > id; at--) sorted[at] = sorted[at - 1]!;
    sorted[at] = id;
  }

  #setOf(length: number): number {
    let set = 0;
    for (let index = 0; index < length; index++) {
      set = this.#nodes.idOf(set, this.#sorted[index]!) + 1;
    }
    return set;
  }
}
