/**
 * Order of a list: default and requested keys, ties by code point, and only as much as is shown.
 *
 * Control plane, but over as many groups as a site has pages: a page of 100 rows is taken with a
 * heap, so most groups cost one comparison of numbers and never touch a string.
 */

/** Compares two groups: below 0 when the left one comes first. */
export type Compare = (left: number, right: number) => number;

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
  const end = Math.min(page.offset + page.limit, groups.length);
  const first = end * 4 < groups.length ? firstOf(groups, compare, end) : Array.from(groups);
  return first.sort(compare).slice(page.offset, end);
}

/** The first `count` groups in no particular order: a heap whose root is the last of them. */
function firstOf(groups: Uint32Array, compare: Compare, count: number): number[] {
  const heap = Array.from(groups.subarray(0, count));
  for (let index = (count >>> 1) - 1; index >= 0; index--) sink(heap, index, compare);
  for (let index = count; index < groups.length; index++) {
    const group = groups[index] as number;
    if (compare(group, heap[0] as number) >= 0) continue;
    heap[0] = group;
    sink(heap, 0, compare);
  }
  return heap;
}

function sink(heap: number[], start: number, compare: Compare): void {
  let parent = start;
  for (;;) {
    let child = parent * 2 + 1;
    if (child >= heap.length) return;
    const next = child + 1;
    if (next < heap.length && compare(heap[next] as number, heap[child] as number) > 0)
      child = next;
    if (compare(heap[child] as number, heap[parent] as number) <= 0) return;
    const group = heap[parent] as number;
    heap[parent] = heap[child] as number;
    heap[child] = group;
    parent = child;
  }
}
