/** The map of the active visitors: a hit lights up its country (D-15). */
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WorldMap } from '../panels/world-map.tsx';
import type { LiveData } from './live-data.ts';

const LIGHT_MS = 1_200;

export function LiveMap({ live }: { live: LiveData }) {
  const [View, setView] = useState<typeof WorldMap | null>(null);
  useEffect(() => {
    void import('../panels/world-map.tsx').then((part) => setView(() => part.WorldMap));
  }, []);
  const root = useRef<HTMLDivElement>(null);
  const lit = useRef(0);
  useSignalEffect(() => {
    const hits = live.hits.value.filter(({ key }) => key > lit.current);
    lit.current = live.hits.value[0]?.key ?? lit.current;
    const countries = new Set(hits.map(({ country_code: code }) => code.toUpperCase()));
    for (const letters of countries) lightUp(root.current, letters);
  });
  return (
    <div class="live-map" ref={root}>
      {View !== null && <View rows={live.places.shown.value?.countries ?? []} />}
    </div>
  );
}

/** Whether nothing is to move. */
function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * Twice drawn, not at every frame: a map is dear to draw. Without an end of its own where hits go on
 * coming, since every one begins anew.
 */
function lightUp(root: HTMLElement | null, letters: string): void {
  if (!/^[A-Z]{2}$/.test(letters) || isStill()) return;
  const country = root?.querySelector<SVGElement>(`[data-country="${letters}"]`) ?? null;
  if (country === null || country.classList.contains('is-lit')) return;
  country.classList.add('is-lit');
  setTimeout(() => country.classList.remove('is-lit'), LIGHT_MS);
}
