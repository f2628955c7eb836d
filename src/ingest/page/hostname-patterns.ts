/**
 * Hostnames with `*` (I-5), compiled so that a hostname is looked up, not compared with each of them.
 *
 * Data plane: asked for a hit whose hostname is not its domain's own. Plain hostnames are one Map hit;
 * `*.shop.test`, as nearly all with a star are, one for each dot of the hostname; what remains, such as
 * `shop.*`, is compared one by one.
 */

/** A pattern with a star that no index finds, and its rank. */
interface LoosePattern {
  readonly pattern: string;
  readonly rank: number;
}

/** Which of some patterns a hostname matches: the rank of the first. */
export class HostnamePatterns {
  readonly #plain = new Map<string, number>();
  /** By what follows the star: `.shop.test`. */
  readonly #suffixes = new Map<string, number>();
  /** In the order of their ranks. */
  readonly #loose: LoosePattern[] = [];

  /**
   * @param patterns normalised by I-4, each with a rank; ranks do not descend.
   */
  constructor(patterns: Iterable<readonly [pattern: string, rank: number]>) {
    for (const [pattern, rank] of patterns) {
      if (!pattern.includes('*')) keepFirst(this.#plain, pattern, rank);
      else if (isSuffix(pattern)) keepFirst(this.#suffixes, pattern.slice(1), rank);
      else this.#loose.push({ pattern, rank });
    }
  }

  /**
   * The lowest rank among the patterns that a hostname matches.
   *
   * @param hostname normalised by I-4.
   * @returns -1: it matches none.
   */
  rankOf(hostname: string): number {
    let found = this.#plain.get(hostname) ?? -1;
    if (this.#suffixes.size > 0) found = lower(found, this.#suffixRank(hostname));
    const loose = this.#loose;
    for (let index = 0; index < loose.length; index++) {
      const { pattern, rank } = loose[index]!;
      if (found !== -1 && rank >= found) break;
      if (matchesHostname(hostname, pattern)) return rank;
    }
    return found;
  }

  /** Whether a hostname matches one of them. */
  has(hostname: string): boolean {
    return this.rankOf(hostname) !== -1;
  }

  /** The star stands for one or more characters, dots too: each dot but a leading one may end it. */
  #suffixRank(hostname: string): number {
    let found = -1;
    for (let dot = hostname.indexOf('.', 1); dot !== -1; dot = hostname.indexOf('.', dot + 1)) {
      found = lower(found, this.#suffixes.get(hostname.slice(dot)) ?? -1);
    }
    return found;
  }
}

/** Patterns of one owner, of which none comes before another. */
export function patternsOf(hostnames: readonly string[]): HostnamePatterns {
  return new HostnamePatterns(hostnames.map((hostname) => [hostname, 0]));
}

/** Whether one star stands in front, and a dot behind it. */
function isSuffix(pattern: string): boolean {
  return pattern.startsWith('*.') && pattern.indexOf('*', 1) === -1;
}

function keepFirst(ranks: Map<string, number>, key: string, rank: number): void {
  if (!ranks.has(key)) ranks.set(key, rank);
}

/** -1 is none. */
function lower(left: number, right: number): number {
  if (left === -1 || right === -1) return Math.max(left, right);
  return Math.min(left, right);
}

/**
 * Whether a hostname equals a pattern in which `*` stands for one or more characters.
 *
 * Greedy with one step back: a later `*` makes the earlier one's choice final, so the cost is at
 * most the product of the lengths, never exponential.
 */
export function matchesHostname(hostname: string, pattern: string): boolean {
  let at = 0;
  let want = 0;
  let star = -1;
  let starAt = 0;
  while (at < hostname.length) {
    if (want < pattern.length && pattern.charCodeAt(want) === STAR) {
      // The star takes one character now; on a mismatch below it takes one more.
      star = want++;
      starAt = ++at;
    } else if (want < pattern.length && pattern.charCodeAt(want) === hostname.charCodeAt(at)) {
      at++;
      want++;
    } else if (star !== -1) {
      want = star + 1;
      at = ++starAt;
    } else return false;
  }
  return want === pattern.length;
}

const STAR = 0x2a;
