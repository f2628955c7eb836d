/** Who is there now: how many, where, on which pages, from where, and a running list of hits (D-15). */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { BarList, type BarRow } from '../../parts/bar-list.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { withFilter } from '../../view/filters.ts';
import { show, view } from '../../view/view.ts';
import { count, country, time } from '../../words/format.ts';
import { type WordKey, word } from '../../words/words.ts';
import { PANELS } from '../panels/panels.ts';
import { chooseRow } from '../panels/row-shown.ts';
import { keyOf, type Row, rowOf, shownOf, type Tab } from '../panels/tab.ts';
import type { SiteData } from '../site-data.ts';
import type { ListedHit, LiveData } from './live-data.ts';
import { LiveMap } from './live-map.tsx';
import type { Active, Whereabouts } from './live-places.ts';

/** Rows of a list. */
const ROWS = 7;
/** Between path and title in the key of a row; neither has it. */
const SEAM = '\u0000';

/** The number beside the name of the site. */
export function ActiveMark({ live }: { live: LiveData }) {
  const active = live.active.value;
  const isStill = live.isPaused.value || !live.isOpen.value;
  return (
    <span class={isStill ? 'active is-still' : 'active'}>
      <span class="pulse" aria-hidden="true" />
      <b>{active === null ? '–' : count(active.visitors)}</b>
      <span class="sr-only">{word('active')}</span>
    </span>
  );
}

interface TitleGiven {
  readonly live: LiveData;
  readonly name: string;
  /** As whoever is signed in wants it (M-14). */
  readonly isCounted: boolean;
}

/** The number in the title of the window; shows nothing itself. */
export function ActiveTitle({ live, name, isCounted }: TitleGiven) {
  // Looks again when what it is given changes, not only when the number does.
  useEffect(
    () =>
      effect(() => {
        const active = isCounted ? live.active.value : null;
        const number = active === null ? '' : `(${count(active.visitors)}) `;
        document.title = `${number}${name} · ${word('appName')}`;
      }),
    [live, name, isCounted],
  );
  return null;
}

interface Given {
  readonly live: LiveData;
  readonly data: SiteData;
}

export function LiveView({ live, data }: Given) {
  return (
    <section class="card live" aria-labelledby="live-title">
      <header class="panel-head">
        <h2 id="live-title">{word('live')}</h2>
        <ActiveCount live={live} />
        <LiveState live={live} />
      </header>
      <div class="live-place">
        <LiveMap live={live} data={data} />
      </div>
      <LiveLists live={live} data={data} />
      <LiveHits live={live} zone={data.domain.timezone} />
    </section>
  );
}

function LiveState({ live }: { live: LiveData }) {
  const isPaused = live.isPaused.value;
  const state: WordKey | null = isPaused ? 'paused' : live.isOpen.value ? null : 'connecting';
  return (
    <span class="live-state">
      <span role="status">{state === null ? '' : word(state)}</span>
      <button
        type="button"
        class="button is-plain"
        aria-pressed={isPaused}
        onClick={() => live.toggle()}
      >
        {word(isPaused ? 'resume' : 'pause')}
      </button>
    </span>
  );
}

function ActiveCount({ live }: { live: LiveData }) {
  const active = live.active.value;
  return (
    <p class="live-count">
      <b>{active === null ? '–' : count(active.visitors)}</b> {word('active')}
    </p>
  );
}

/** A list of active visitors. */
interface LiveTab {
  readonly key: string;
  readonly label: WordKey;
  readonly column: WordKey;
  readonly rows: (given: Given) => readonly BarRow[];
  readonly choose: (key: string, isExcluded: boolean) => void;
}

const LIVE_TABS: readonly LiveTab[] = [
  {
    ...{ key: 'pages', label: 'pages', column: 'onPages' },
    rows: ({ live }) => pageRows(live.active.value?.stats ?? []),
    choose: (key, isExcluded) => {
      const [value = ''] = key.split(SEAM);
      const added = { name: 'path', operator: isExcluded ? '!' : '', value } as const;
      show({ filters: withFilter(view.value.filters, added) });
    },
  },
  listOf('places', 'country', (places) => places.countries),
  listOf('sources', 'source', (places) => places.sources),
];

/** A list that is told like that of a panel. */
function listOf(
  panel: 'places' | 'sources',
  name: string,
  rowsOf: (places: Whereabouts) => readonly Row[],
): LiveTab {
  const tabs = PANELS.find(({ key }) => key === panel)?.tabs ?? [];
  const tab = tabs.find(({ key }) => key === name) as Tab;
  return {
    ...{ key: panel, label: panel, column: tab.column },
    rows: ({ data: { places } }) =>
      (places.value === null ? [] : rowsOf(places.value)).slice(0, ROWS).map((row) => ({
        key: keyOf(tab, row),
        text: shownOf(tab, row),
        value: Number(row['visitors']),
        shown: count(Number(row['visitors'])),
      })),
    choose: (key, isExcluded) => chooseRow(tab, rowOf(tab, key), isExcluded),
  };
}

/** Where titles are told apart a path can stand there twice (S-46). */
function pageRows(stats: Active['stats']): readonly BarRow[] {
  return stats.slice(0, ROWS).map(({ path, title, visitors }) => ({
    ...{ key: path + SEAM + title, text: title === '' ? path : `${path} · ${title}` },
    ...{ value: visitors, shown: count(visitors) },
  }));
}

function LiveLists({ live, data }: Given) {
  const chosen = view.value.tabs['live'];
  const tab = LIVE_TABS.find(({ key }) => key === chosen) ?? (LIVE_TABS[0] as LiveTab);
  const rows = tab.rows({ live, data });
  return (
    <div class="live-lists">
      <Tabs
        label={word('live')}
        tabs={LIVE_TABS.map(({ key, label }) => ({ key, label: word(label) }))}
        chosen={tab.key}
        controls="live-list"
        onChoose={(key) => show({ tabs: { ...view.value.tabs, live: key } }, true)}
      />
      <div id="live-list" role="tabpanel">
        {rows.length === 0 ? (
          <p class="empty">{word('nobody')}</p>
        ) : (
          <BarList
            rows={rows}
            column={word(tab.column)}
            metric={word('visitors')}
            onChoose={tab.choose}
          />
        )}
      </div>
    </div>
  );
}

/**
 * Times are told by the clock of the site, as everywhere on the page.
 *
 * Rows stay and their texts change, so that nothing is moved. Not pushed down either: that would be a
 * dozen frames at every hit, which is more than all else that it changes.
 */
function LiveHits({ live, zone }: { live: LiveData; zone: string }) {
  const hits = live.hits.value;
  return (
    <div class="live-hits">
      <h3>{word('latest')}</h3>
      <div class="hits-window">
        {hits.length === 0 && <p class="empty">{word('hitsAppear')}</p>}
        <ol class="hits">
          {hits.map((hit, at) => (
            <Hit key={at} hit={hit} zone={zone} />
          ))}
        </ol>
      </div>
    </div>
  );
}

function Hit({ hit, zone }: { hit: ListedHit; zone: string }) {
  const where = hit.country_code === '' ? '' : country(hit.country_code);
  const about = [where, hit.referrer_name, hit.browser, hit.os].filter((text) => text !== '');
  const isEvent = hit.event_name !== '';
  return (
    <li>
      <time dateTime={hit.time}>{time(Date.parse(hit.time), zone)}</time>
      <b dir="auto" class={isEvent ? 'is-event' : ''} title={hit.title}>
        {isEvent ? hit.event_name : hit.path}
      </b>
      <small dir="auto">
        {about.join(' · ')}
        {hit.skipped > 0 && ` · ${word('skipped', { count: hit.skipped })}`}
      </small>
    </li>
  );
}
