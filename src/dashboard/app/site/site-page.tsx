/** One site on one page (D-10). */
import { useEffect, useMemo } from 'preact/hooks';
import { AppearanceMenu } from '../parts/appearance-menu.tsx';
import { Fault } from '../parts/fault.tsx';
import { view } from '../view/view.ts';
import { time } from '../words/format.ts';
import { word } from '../words/words.ts';
import { Chart } from './chart/chart.tsx';
import { Totals } from './chart/totals.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FirstHit } from './first-hit.tsx';
import { LiveData } from './live/live-data.ts';
import { ActiveMark, LiveView } from './live/live-view.tsx';
import { GoalsPanel } from './panels/goals-panel.tsx';
import { PanelView } from './panels/panel.tsx';
import { PANELS } from './panels/panels.ts';
import { SessionsPanel } from './panels/sessions-panel.tsx';
import { RangeMenu } from './range-menu.tsx';
import { type Domain, SiteData } from './site-data.ts';
import { useSiteKeys } from './site-keys.ts';
import { ViewTools } from './views/view-tools.tsx';

interface Given {
  readonly domain: Domain;
  /** Who is signed in; null: nobody. */
  readonly userId: string | null;
  /** Beside the name: the way to other sites, and the account. */
  readonly children?: preact.ComponentChildren;
}

export function SitePage({ domain, userId, children }: Given) {
  const data = useMemo(() => new SiteData(domain), [domain.id]);
  const live = useMemo(() => new LiveData(domain.id, () => data.renew()), [domain.id]);
  const { filters } = view.value;
  useEffect(() => live.watch(filters), [filters]);
  useEffect(
    () => () => {
      data.stop();
      live.stop();
    },
    [data],
  );
  useSiteKeys(data);
  const name = domain.display_name || domain.hostname;
  const visitors = live.active.value?.visitors;
  useEffect(() => {
    document.title = `${visitors === undefined ? '' : `(${visitors}) `}${name} · ${word('appName')}`;
  }, [visitors, name]);
  const shown = data.shown.value;
  const fault = data.fault.value;
  const isEmpty = domain.statistics_start === null && live.hits.value.length === 0;
  return (
    <>
      <a class="skip" href="#numbers">
        {word('skip')}
      </a>
      <header class="top">
        <h1 dir="auto">{name}</h1>
        <ActiveMark live={live} />
        <div class="top-tools">
          <RangeMenu data={data} />
          <ViewTools data={data} userId={userId} />
          <AppearanceMenu />
          {children}
        </div>
      </header>
      <main id="numbers" aria-busy={data.isAsking.value}>
        <FilterBar />
        {fault !== null && shown === null && <Fault error={fault} onRetry={() => data.again()} />}
        {fault !== null && shown !== null && (
          <p class="fault" role="status">
            {fault.status === 0
              ? word('away', { time: time(shown.atMs) })
              : word('failed', { reason: fault.message })}
            <button type="button" class="button" onClick={() => data.again()}>
              {word('retry')}
            </button>
          </p>
        )}
        {isEmpty && <FirstHit domain={domain} />}
        <div class="grid">
          <div class="wide">
            <Totals data={data} />
            <Chart data={data} />
          </div>
          <LiveView live={live} />
          {PANELS.map((panel) => (
            <PanelView key={panel.key} panel={panel} data={data} />
          ))}
          <GoalsPanel data={data} />
          <SessionsPanel data={data} />
        </div>
        <footer class="foot">
          {shown !== null && <span>{word('exact', { ms: String(Math.round(shown.tookMs)) })}</span>}
          <a href="/docs">{word('apiLink')}</a>
        </footer>
      </main>
    </>
  );
}
