/** All sites of whoever is signed in (D-16), also compared and ordered by change (D-19). */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ApiError, call, faultOf } from '../data/api.ts';
import { AppearanceMenu } from '../parts/appearance-menu.tsx';
import { Fault } from '../parts/fault.tsx';
import { loaded } from '../parts/loaded.tsx';
import { More } from '../parts/more.tsx';
import type { Domain } from '../site/site-data.ts';
import { go, place } from '../view/view.ts';
import { word } from '../words/words.ts';
import { ORDERS, type Order, ordered } from './site-order.ts';
import { SiteRow } from './site-row.tsx';
import { SiteTraffic } from './site-traffic.ts';

// Whoever only looks does not load the form.
const AddSite = loaded(async () => (await import('./add-site.tsx')).AddSite);

/** Height of a row in pixels: rows out of sight are not there. */
const ROW_HEIGHT = 72;
const OVERSCAN = 6;
const ORDER_WORDS = { name: 'byName', traffic: 'byTraffic', change: 'byChange' } as const;

export function SitesPage({ children }: { children?: preact.ComponentChildren }) {
  const [sites, setSites] = useState<readonly Domain[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [isAdding, setAdding] = useState(false);
  const traffic = useMemo(() => new SiteTraffic(), []);
  const { search, order } = asked(place.value.search);
  const load = async () => {
    try {
      setSites((await call('GET /api/v1/domain', {})) as readonly Domain[]);
      setFault(null);
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  useEffect(() => {
    void load();
    document.title = `${word('sites')} · ${word('appName')}`;
    return () => traffic.stop();
  }, []);
  const revision = traffic.revision.value;
  // By name nothing moves when numbers come.
  const moves = order === 'name' ? 0 : revision;
  const found = useMemo(
    () => ordered(sites ?? [], { search, order }, (id) => traffic.of(id)),
    [sites, search, order, moves],
  );
  const { first, end } = useVisibleRows(found.length);
  const shown = found.slice(first, end);
  const ids = shown.map(({ id }) => id).join(' ');
  useEffect(
    // What is in sight comes first; an order by numbers needs those of all, a few at a time.
    () => traffic.wish(order === 'name' ? shown : [...shown, ...found]),
    [ids, order, found.length],
  );
  const onTaste = async (site: Domain, taste: 'pin' | 'favorite') => {
    try {
      await call(`POST /api/v1/user/${taste}`, {}, { id: site.id });
      await load();
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  return (
    <>
      <header class="top">
        <h1>{word('sites')}</h1>
        <div class="top-range">
          <Tools search={search} order={order} />
        </div>
        <button type="button" class="button is-main" onClick={() => setAdding(true)}>
          {word('addSite')}
        </button>
        <More>
          <AppearanceMenu />
          {children}
        </More>
      </header>
      <main>
        {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
        {sites !== null && sites.length === 0 && (
          <section class="card first">
            <h2>{word('noSites')}</h2>
            <p>{word('noSitesHint')}</p>
          </section>
        )}
        {sites !== null && sites.length > 0 && found.length === 0 && (
          <p class="empty">{word('noSuchSite')}</p>
        )}
        <SiteRows total={found.length}>
          {shown.map((site, index) => (
            <SiteRow
              key={site.id}
              site={site}
              traffic={traffic.of(site.id)}
              top={(first + index) * ROW_HEIGHT}
              place={first + index + 1}
              count={found.length}
              onTaste={(taste) => void onTaste(site, taste)}
            />
          ))}
        </SiteRows>
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

/** As high as all rows, though few of them are there. */
function SiteRows({ total, children }: { total: number; children: preact.ComponentChildren }) {
  return (
    <ul
      class="sites"
      ref={(list) => {
        if (list !== null) list.style.blockSize = `${total * ROW_HEIGHT}px`;
      }}
    >
      {children}
    </ul>
  );
}

/** What the address says of the list. */
function asked(text: string): { search: string; order: Order } {
  const given = new URLSearchParams(text);
  const order = ORDERS.find((known) => known === given.get('order')) ?? 'name';
  return { search: given.get('search') ?? '', order };
}

function Tools({ search, order }: { search: string; order: Order }) {
  const show = (next: { search: string; order: Order }) => {
    const address = new URLSearchParams();
    if (next.search !== '') address.set('search', next.search);
    if (next.order !== 'name') address.set('order', next.order);
    const text = address.toString();
    go('/', text === '' ? '' : `?${text}`, true);
    scrollTo(0, 0);
  };
  return (
    <>
      <input
        type="search"
        class="input site-search"
        aria-label={word('searchSites')}
        placeholder={word('searchSites')}
        value={search}
        onInput={(event) => show({ search: event.currentTarget.value, order })}
      />
      <select
        class="input site-order"
        aria-label={word('orderOf')}
        value={order}
        onChange={(event) => show({ search, order: event.currentTarget.value as Order })}
      >
        {ORDERS.map((key) => (
          <option key={key} value={key}>
            {word(ORDER_WORDS[key])}
          </option>
        ))}
      </select>
    </>
  );
}

/** Which rows are in sight. */
function useVisibleRows(total: number): { first: number; end: number } {
  const [range, setRange] = useState({ first: 0, end: 20 });
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
