/** The map of the active visitors: the countries of the latest hits are lit (D-15). */
import { useComputed } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { useFollowing } from '../../parts/use-following.ts';
import { LaterMap } from '../panels/later-map.ts';
import type { Row } from '../panels/tab.ts';
import type { SiteData } from '../site-data.ts';
import type { LiveData } from './live-data.ts';

/** Not a class: those of a country are written anew when it has its first visitor. */
const LIT = 'data-lit';
const NOBODY: readonly Row[] = [];

export function LiveMap({ live, data }: { live: LiveData; data: SiteData }) {
  // Drawing it takes longer than drawing the numbers, which it must not keep waiting.
  const isWanted = useComputed(() => data.shown.value !== null).value;
  const root = useRef<HTMLDivElement>(null);
  const lit = useRef<readonly Element[]>([]);
  const last = useRef(0);
  useFollowing(() => {
    const hits = live.hits.value.filter(({ key }) => key > last.current);
    last.current = live.hits.value[0]?.key ?? last.current;
    // Goes out with what is drawn next: a map is dear to draw, and this way it is drawn once for a hit.
    void live.active.value;
    const lights = isStill() ? [] : hits.flatMap(({ country_code: code }) => landOf(root, code));
    for (const land of lit.current) land.toggleAttribute(LIT, lights.includes(land));
    for (const land of lights) land.toggleAttribute(LIT, true);
    lit.current = lights;
  });
  const rows = data.places.value?.countries ?? NOBODY;
  const map = useMemo(() => isWanted && <LaterMap rows={rows} />, [isWanted, rows]);
  return (
    <div class="live-map" ref={root}>
      {map}
    </div>
  );
}

/** Whether nothing is to move. */
function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** The shape of a country; none where the map has none. */
function landOf(root: { readonly current: Element | null }, code: string): readonly Element[] {
  if (!/^[a-z]{2}$/i.test(code)) return [];
  const land = root.current?.querySelector(`[data-country="${code.toUpperCase()}"]`);
  return land === null || land === undefined ? [] : [land];
}
