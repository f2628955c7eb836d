/** All sites of whoever is signed in (D-16). */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError, call } from '../data/api.ts';
import { AppearanceMenu } from '../parts/appearance-menu.tsx';
import { Fault } from '../parts/fault.tsx';
import type { Domain } from '../site/site-data.ts';
import { go } from '../view/view.ts';
import { word } from '../words/words.ts';
import { AddSite } from './add-site.tsx';
import { SiteRow } from './site-row.tsx';

/** Height of a row in pixels: rows out of sight are not there. */
const ROW_HEIGHT = 72;
const OVERSCAN = 6;

export function SitesPage({ children }: { children?: preact.ComponentChildren }) {
  const [sites, setSites] = useState<readonly Domain[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [search, setSearch] = useState('');
  const [isAdding, setAdding] = useState(false);
  const load = async () => {
    try {
      setSites((await call('GET /api/v1/domain', {})) as readonly Domain[]);
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, String(error)));
    }
  };
  useEffect(() => {
    void load();
    document.title = `${word('sites')} · ${word('appName')}`;
  }, []);
  const found = useMemo(() => ordered(sites ?? [], search), [sites, search]);
  const range = useVisibleRows(found.length);
  return (
    <>
      <header class="top">
        <h1>{word('sites')}</h1>
        <div class="top-tools">
          <input
            type="search"
            class="input"
            aria-label={word('searchSites')}
            placeholder={word('searchSites')}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <button type="button" class="button is-main" onClick={() => setAdding(true)}>
            {word('addSite')}
          </button>
          <AppearanceMenu />
          {children}
        </div>
      </header>
      <main>
        {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
        {sites !== null && sites.length === 0 && (
          <section class="card first">
            <h2>{word('noSites')}</h2>
            <p>{word('noSitesHint')}</p>
          </section>
        )}
        <ul class="sites" style={{ blockSize: `${found.length * ROW_HEIGHT}px` }}>
          {found.slice(range.first, range.end).map((site, index) => (
            <SiteRow key={site.id} site={site} top={(range.first + index) * ROW_HEIGHT} />
          ))}
        </ul>
      </main>
      {isAdding && (
        <AddSite
          onClose={() => setAdding(false)}
          onMade={(site) => {
            setAdding(false);
            go(`/${site.subdomain}`);
          }}
        />
      )}
    </>
  );
}

/** Pinned first, then favourites, then by name. */
function ordered(sites: readonly Domain[], search: string): readonly Domain[] {
  const wanted = search.trim().toLowerCase();
  const rank = ({ settings }: Domain) => {
    const own = settings as { pinned?: boolean; favorite?: boolean };
    return own.pinned === true ? 0 : own.favorite === true ? 1 : 2;
  };
  return sites
    .filter(({ hostname, display_name: name }) =>
      `${hostname} ${name}`.toLowerCase().includes(wanted),
    )
    .sort((left, right) => rank(left) - rank(right) || left.hostname.localeCompare(right.hostname));
}

/** Which rows are in sight. */
function useVisibleRows(total: number): { first: number; end: number } {
  const [range, setRange] = useState({ first: 0, end: 30 });
  useEffect(() => {
    const onScroll = () => {
      const first = Math.max(0, Math.floor(scrollY / ROW_HEIGHT) - OVERSCAN);
      const end = Math.ceil((scrollY + innerHeight) / ROW_HEIGHT) + OVERSCAN;
      setRange((before) =>
        before.first === first && before.end === end ? before : { first, end },
      );
    };
    onScroll();
    addEventListener('scroll', onScroll, { passive: true });
    addEventListener('resize', onScroll);
    return () => {
      removeEventListener('scroll', onScroll);
      removeEventListener('resize', onScroll);
    };
  }, [total]);
  return { first: Math.min(range.first, total), end: Math.min(range.end, total) };
}
