/** The map of the active visitors: a hit lights up its country (D-15). */
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { withFilter } from '../../view/filters.ts';
import { show, view } from '../../view/view.ts';
import type { WorldMap } from '../panels/world-map.tsx';
import type { LiveData } from './live-data.ts';

const LIGHT_MS = 1_600;

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
      {View !== null && (
        <View
          rows={live.places.shown.value?.countries ?? []}
          onChoose={(value, isExcluded) => {
            const operator = isExcluded ? '!' : '';
            show({ filters: withFilter(view.value.filters, { name: 'country', operator, value }) });
          }}
        />
      )}
    </div>
  );
}

/** Nothing is added to the page, and nothing moves for those who want it to stand still. */
function lightUp(root: HTMLElement | null, letters: string): void {
  if (!/^[A-Z]{2}$/.test(letters)) return;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const lit = { fill: 'var(--live)', fillOpacity: 1 };
  root?.querySelector(`[data-country="${letters}"]`)?.animate([lit, {}], LIGHT_MS);
}
