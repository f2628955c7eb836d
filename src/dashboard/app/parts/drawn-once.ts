/** Rows, countries and the like: those that are what they were are not looked at again. */
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';

interface Drawn {
  readonly of: string;
  readonly vnode: VNode;
}

/**
 * @returns draws one of a list, by its key, unless it was drawn the last time of the same. What
 * `of` does not say must not change while the list is shown.
 */
export function useDrawnOnce(): (key: string, of: string, draw: () => VNode) => VNode {
  const last = useRef<ReadonlyMap<string, Drawn>>(new Map());
  const before = last.current;
  const now = new Map<string, Drawn>();
  last.current = now;
  return (key, of, draw) => {
    const known = before.get(key);
    const drawn = known?.of === of ? known : { of, vnode: draw() };
    now.set(key, drawn);
    return drawn.vnode;
  };
}
