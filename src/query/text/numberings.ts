/**
 * Numbers of groups that live as long as a text space, so that what was counted by them can be cached.
 *
 * Control plane, a look-up per question.
 */

import type { TextSpace } from './text-space.ts';

const numberings = new WeakMap<TextSpace, Map<string, unknown>>();

/**
 * The numbering of a name in a space.
 *
 * @param name of one type of numbering; what it numbers must not depend on the question.
 */
export function numberingIn<T>(space: TextSpace, name: string, make: () => T): T {
  let known = numberings.get(space);
  if (known === undefined) {
    known = new Map();
    numberings.set(space, known);
  }
  let numbering = known.get(name) as T | undefined;
  if (numbering === undefined) {
    numbering = make();
    known.set(name, numbering);
  }
  return numbering;
}
