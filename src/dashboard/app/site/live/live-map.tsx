/** The map of the active visitors: a hit lights up its country (D-15). */
import { useComputed } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useFollowing } from '../../parts/use-following.ts';
import type { Row } from '../panels/tab.ts';
import type { WorldMap } from '../panels/world-map.tsx';
import type { SiteData } from '../site-data.ts';
import type { LiveData } from './live-data.ts';

/** How long a country stays lit: until something else is drawn after the least, or else the most. */
const LIGHT_MS_MIN = 900;
const LIGHT_MS_MAX = 1_600;
const NOBODY: readonly Row[] = [];

export function LiveMap({ live, data }: { live: LiveData; data: SiteData }) {
  const [View, setView] = useState<typeof WorldMap | null>(null);
  // Drawing it takes longer than drawing the numbers, which it must not keep waiting.
  const isWanted = useComputed(() => data.shown.value !== null).value;
  useEffect(() => {
    if (isWanted)
      void import('../panels/world-map.tsx').then((part) => setView(() => part.WorldMap));
  }, [isWanted]);
  const root = useRef<HTMLDivElement>(null);
  const lit = useRef(0);
  const lights = useMemo(() => new Lights(root), []);
  useEffect(() => () => lights.stop(), []);
  useFollowing(() => {
    void live.active.value;
    const hits = live.hits.value.filter(({ key }) => key > lit.current);
    lit.current = live.hits.value[0]?.key ?? lit.current;
    lights.putOut(LIGHT_MS_MIN);
    for (const { country_code: code } of hits) lights.add(code.toUpperCase());
  });
  const rows = data.places.value?.countries ?? NOBODY;
  const map = useMemo(() => View !== null && <View rows={rows} />, [View, rows]);
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

/** A map is dear to draw: twice for a hit, not at every frame, and with other things where these are drawn. */
class Lights {
  readonly #root: { readonly current: HTMLElement | null };
  /** What is lit, and since when. */
  readonly #lit = new Map<SVGElement, number>();
  #timer = 0;

  constructor(root: { readonly current: HTMLElement | null }) {
    this.#root = root;
  }

  /** Without an end of its own where hits go on coming, since every one begins anew. */
  add(letters: string): void {
    if (!/^[A-Z]{2}$/.test(letters) || isStill()) return;
    const country = this.#root.current?.querySelector<SVGElement>(`[data-country="${letters}"]`);
    if (country === null || country === undefined) return;
    country.classList.add('is-lit');
    this.#lit.set(country, performance.now());
    if (this.#timer === 0) this.#timer = window.setTimeout(() => this.#end(), LIGHT_MS_MAX);
  }

  /** Puts out what has been lit so long. */
  putOut(ms: number): void {
    const sinceMs = performance.now() - ms;
    for (const [country, litMs] of this.#lit) {
      if (litMs > sinceMs) continue;
      country.classList.remove('is-lit');
      this.#lit.delete(country);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    this.putOut(LIGHT_MS_MIN);
    this.#timer = this.#lit.size > 0 ? window.setTimeout(() => this.#end(), LIGHT_MS_MAX) : 0;
  }
}
