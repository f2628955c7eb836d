/**
 * Whether a hit's hostname belongs to its domain (I-5). Data plane: once per hit.
 */

import type { Site } from './site.ts';

/**
 * Whether the hostname is the domain's own or one of its alternatives.
 *
 * @param hostname normalised by I-4.
 */
export function hostnameAllowed(hostname: string, site: Site): boolean {
  if (hostname === site.hostname) return true;
  const alternatives = site.alternativeHostnames;
  for (let index = 0; index < alternatives.length; index++) {
    if (matchesHostname(hostname, alternatives[index]!)) return true;
  }
  return false;
}

/**
 * Whether a hostname equals an alternative, in which `*` stands for one or more characters.
 *
 * Greedy with one step back: a later `*` makes the earlier one's choice final, so the cost is at
 * most the product of the lengths, never exponential.
 */
export function matchesHostname(hostname: string, alternative: string): boolean {
  if (!alternative.includes('*')) return hostname === alternative;
  let at = 0;
  let want = 0;
  let star = -1;
  let starAt = 0;
  while (at < hostname.length) {
    if (want < alternative.length && alternative.charCodeAt(want) === STAR) {
      // The star takes one character now; on a mismatch below it takes one more.
      star = want++;
      starAt = ++at;
    } else if (
      want < alternative.length &&
      alternative.charCodeAt(want) === hostname.charCodeAt(at)
    ) {
      at++;
      want++;
    } else if (star !== -1) {
      want = star + 1;
      at = ++starAt;
    } else return false;
  }
  return want === alternative.length;
}

const STAR = 0x2a;
