/**
 * Order of a list: default and requested keys, ties by code point, and only as much as is shown.
 *
 * Control plane, but over as many groups as a site has pages or sessions: a page of 100 rows costs a
 * comparison or two per group, however deep it lies and in whatever order groups come. A sorted sample
 * tells two groups that the page most likely lies between; what lies before is counted, what lies
 * behind is dropped, and the rest is sorted or sampled again.
 *
 *     before: counted │ low ─── the page ─── high │ behind: dropped
 */

/** Compares two groups: below 0 when the left one comes first. */
export type Compare = (left: number, right: number) => number;

/** As many groups are sorted as they are. */
const SORTED_COUNT_MAX = 2_048;
/** Of more groups, this many are drawn; the page's ends are known to a few of them in hundred. */
const SAMPLE_COUNT = 1_024;
/** Places in the sample on either side: three to four standard deviations at the middle. */
const MARGIN = 56;
/** Each leaves a ninth or less, unless its sample misleads; whatever is left is sorted. */
const ROUND_COUNT_MAX = 16;

/**
 * The rows of a list from `offset` on, at most `limit`, in order.
 *
 * @param groups group numbers; reordered.
 * @param compare a total order.
 */
export function pageOf(
  groups: Uint32Array,
  compare: Compare,
  page: { readonly offset: number; readonly limit: number },
): readonly number[] {
  if (page.offset >= groups.length) return [];
  let from = page.offset;
  let end = Math.min(page.offset + page.limit, groups.length);
  let left = groups;
  for (let round = 1; left.length > SORTED_COUNT_MAX && round <= ROUND_COUNT_MAX; round++) {
    const between = groupsBetween(left, sampleOf(left, round).sort(compare), {
      ...{ compare, from, end },
    });
    if (between === null) continue;
    left = between.groups;
    from -= between.before;
    end -= between.before;
  }
  return Array.from(left).sort(compare).slice(from, end);
}

/**
 * The groups that a part of the order lies among.
 *
 * @param groups reordered.
 * @param sample some of them, in order.
 * @returns null when the sample misled; else what is left, and how many lie before it.
 * @cost one or two comparisons per group.
 */
function groupsBetween(
  groups: Uint32Array,
  sample: readonly number[],
  { compare, from, end }: { compare: Compare; from: number; end: number },
): { groups: Uint32Array; before: number } | null {
  const share = SAMPLE_COUNT / groups.length;
  const low = sample[Math.floor(from * share) - MARGIN];
  const high = sample[Math.ceil(end * share) + MARGIN];
  let before = 0;
  let count = 0;
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index]!;
    if (high !== undefined && compare(group, high) > 0) continue;
    if (low !== undefined && compare(group, low) < 0) {
      before++;
      continue;
    }
    // What is written over has been looked at; what was counted or dropped is needed no more.
    const other = groups[count]!;
    groups[count] = group;
    groups[index] = other;
    count++;
  }
  if (before > from || before + count < end) return null;
  return { groups: groups.subarray(0, count), before };
}

/** Some of the groups, the same every time, at places that have nothing to do with their order. */
function sampleOf(groups: Uint32Array, round: number): number[] {
  const sample: number[] = [];
  let state = Math.imul(round, 0x9e3779b1);
  for (let drawn = 0; drawn < SAMPLE_COUNT; drawn++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    sample.push(groups[(state >>> 0) % groups.length]!);
  }
  return sample;
}
