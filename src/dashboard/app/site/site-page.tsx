/** One site on one page (D-10). */
import { useEffect, useMemo } from 'preact/hooks';
import type { User } from '../account/user.ts';
import type { ApiError } from '../data/api.ts';
import type { StatisticOf } from '../data/batch.ts';
import { AppearanceMenu } from '../parts/appearance-menu.tsx';
import { Fault } from '../parts/fault.tsx';
import { More } from '../parts/more.tsx';
import { useFollowing } from '../parts/use-following.ts';
import { show, view } from '../view/view.ts';
import { word } from '../words/words.ts';
import { Chart } from './chart/chart.tsx';
import { Totals } from './chart/totals.tsx';
import { Exact } from './exact.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FirstHit } from './first-hit.tsx';
import { LiveData } from './live/live-data.ts';
import { ActiveMark, ActiveTitle, LiveView } from './live/live-view.tsx';
import { Logo } from './logo.tsx';
import { Notice } from './notice.tsx';
import { GoalsPanel } from './panels/goals-panel.tsx';
import { Over } from './panels/over.tsx';
import { PanelView } from './panels/panel.tsx';
import { PANELS } from './panels/panels.ts';
import { SessionsPanel } from './panels/sessions-panel.tsx';
import { PinnedNote } from './pinned-note.tsx';
import { RangeMenu } from './range-menu.tsx';
import { answerOf, type Domain, SiteData } from './site-data.ts';
import { useSiteKeys } from './site-keys.ts';
import { SiteSwitch } from './site-switch.tsx';
import { wearTheme } from './theme.ts';
import { ViewDialogs, ViewTools } from './views/view-tools.tsx';

interface Given {
  readonly domain: Domain;
  /** Who is signed in; null: nobody. */
  readonly user: User | null;
  /** Whether there is a way to other sites. */
  readonly hasSites: boolean;
  /** Another one: what was refused may be asked again. */
  readonly round: number;
  /** It may not be looked at any more: the session has ended, or the site is gone. */
  readonly onGone: () => void;
  /** At the end of the header: the account. */
  readonly children?: preact.ComponentChildren;
}

/** Reads no number itself: what a hit changes is drawn anew, and nothing else. */
export function SitePage({ domain, user, hasSites, round, onGone, children }: Given) {
  const data = useMemo(() => new SiteData(domain), [domain.id]);
  const live = useMemo(() => {
    const onPause = (isPaused: boolean) => data.hold(isPaused);
    return new LiveData(domain, view.peek().filters, {
      onNews: () => data.renew(),
      onActive: (active) => data.renewPlaces(active),
      onGone,
      onPause,
    });
  }, [data]);
  useFollowing(() => live.watch(view.value.filters));
  // What came beside the numbers is drawn with them, in one frame.
  useFollowing(() => {
    const places = data.places.value;
    if (data.shown.value !== null) live.showWith(places);
  });
  useEffect(
    () => () => {
      data.stop();
      live.stop();
    },
    [data],
  );
  useFollowing(() => {
    if (isRefusal(data.fault.value)) onGone();
  });
  useEffect(() => {
    if (round === 0) return;
    data.again();
    live.again();
  }, [round]);
  useEffect(() => {
    const { classList } = document.documentElement;
    classList.toggle('is-full', user?.full_width === true);
    return () => classList.remove('is-full');
  }, [user?.full_width]);
  useSiteKeys(data);
  useEffect(() => wearTheme(domain), [domain.theme]);
  const name = domain.display_name || domain.hostname;
  return (
    <>
      <a class="skip" href="#numbers">
        {word('skip')}
      </a>
      <header class="top">
        <div class="top-name">
          <Logo theme={domain.theme} name={name} />
          <h1 dir="auto">{name}</h1>
          {hasSites && <SiteSwitch now={domain.id} />}
          <ActiveMark live={live} />
          <ActiveTitle live={live} name={name} isCounted={user?.active_in_title === true} />
        </div>
        <div class="top-range">
          <RangeMenu data={data} />
        </div>
        <More>
          <ViewTools />
          <AppearanceMenu />
          {children}
        </More>
      </header>
      <Numbers data={data}>
        <FilterBar data={data} />
        <PinnedNote />
        <FirstFault data={data} />
        <FirstHint data={data} live={live} />
        <div class="grid">
          <div class="wide">
            <Totals data={data} />
            <Chart data={data} />
          </div>
          <LiveView live={live} data={data} />
          {PANELS.map((panel) => (
            <PanelView key={panel.key} panel={panel} data={data} />
          ))}
          <GoalsPanel data={data} />
          <SessionsPanel data={data} />
        </div>
        <footer class="foot">
          <Exact data={data} />
          <a href="/docs">{word('apiDocs')}</a>
          <button type="button" class="as-link" onClick={() => show({ open: 'credits' })}>
            {word('credits')}
          </button>
        </footer>
      </Numbers>
      <Over data={data} />
      <ViewDialogs data={data} userId={user?.id ?? null} />
      <Notice data={data} />
    </>
  );
}

const REFUSALS: readonly number[] = [401, 403, 404];

function isRefusal(fault: ApiError | null): boolean {
  return fault !== null && REFUSALS.includes(fault.status);
}

interface Watching {
  readonly data: SiteData;
}

/** What is shown says which state of the data it is from, for whoever compares it with the interface. */
function Numbers({ data, children }: Watching & { children: preact.ComponentChildren }) {
  return (
    <main id="numbers" aria-busy={data.isAsking.value} data-position={data.shown.value?.position}>
      {children}
    </main>
  );
}

function FirstFault({ data }: Watching) {
  const fault = data.fault.value;
  if (fault === null || data.shown.value !== null) return null;
  return <Fault error={fault} onRetry={() => data.again()} />;
}

function FirstHint({ data, live }: Watching & { live: LiveData }) {
  const { domain } = data;
  const views = answerOf<StatisticOf<'total'>>(data.shown.value, 'total')?.views ?? 0;
  const isEmpty = domain.statistics_start === null && views === 0;
  return isEmpty && live.hits.value.length === 0 ? <FirstHit domain={domain} /> : null;
}
