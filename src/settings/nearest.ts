/**
 * 'Did you mean …': the name that a mistyped one is closest to.
 *
 * Control plane. Plain edit distance (Levenshtein); the lists are short and it runs once.
 */

/** More edits than this share of the name is another word, not a slip. */
const EDITS_SHARE_MAX = 0.4;

/**
 * The candidate that takes the fewest edits.
 *
 * @returns '' when none is close enough to be meant.
 */
export function nearest(wrong: string, candidates: readonly string[]): string {
  let best = '';
  let bestEdits = Math.floor(wrong.length * EDITS_SHARE_MAX) + 1;
  for (const candidate of candidates) {
    const edits = editDistance(wrong.toLowerCase(), candidate.toLowerCase());
    if (edits < bestEdits) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = above[column - 1] ?? 0;
      const isSame = left.charAt(row - 1) === right.charAt(column - 1);
      const changed = Math.min(above[column] ?? 0, current[column - 1] ?? 0) + 1;
      current.push(Math.min(isSame ? replaced : replaced + 1, changed));
    }
    above = current;
  }
  return above[right.length] ?? 0;
}
