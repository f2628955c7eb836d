/** One panel: its tabs, the first rows, and the way to all of them. */
import { useEffect, useState } from 'preact/hooks';
import { BarList } from '../../parts/bar-list.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { withFilter } from '../../view/filters.ts';
import { show, view } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { answerOf, PANEL_ROWS, type SiteData, tabOf } from '../site-data.ts';
import { AllRows } from './all-rows.tsx';
import { type Panel, type Row, rowsOf } from './panels.ts';
import { barOf, chooseRow } from './row-bars.ts';
import type { WorldMap } from './world-map.tsx';

/** The map is loaded once somebody looks at countries. */
function MapOf({ data }: { data: SiteData }) {
  const [View, setView] = useState<typeof WorldMap | null>(null);
  useEffect(() => {
    void import('./world-map.tsx').then((part) => setView(() => part.WorldMap));
  }, []);
  const rows = answerOf<readonly Row[]>(data.shown.value, 'map') ?? [];
  return (
    <div class="world-space">
      {View !== null && (
        <View
          rows={rows}
          onChoose={(value, isExcluded) => {
            const operator = isExcluded ? '!' : '';
            show({ filters: withFilter(view.value.filters, { name: 'country', operator, value }) });
          }}
        />
      )}
    </div>
  );
}

export function PanelView({ panel, data }: { panel: Panel; data: SiteData }) {
  const [isAll, setAll] = useState(false);
  const shown = data.shown.value;
  const tab = tabOf(panel, view.value);
  const result = shown?.results.get(panel.key);
  // The tab was changed and its rows are on their way.
  const isOther = shown !== null && tabOf(panel, shown.view) !== tab;
  const id = `panel-${panel.key}`;
  const rows =
    result !== undefined && 'answer' in result && !isOther ? rowsOf(tab, result.answer) : null;
  return (
    <section class="card panel" aria-labelledby={`${id}-title`}>
      <header class="panel-head">
        <h2 id={`${id}-title`}>{word(panel.title)}</h2>
        <Tabs
          label={word(panel.title)}
          tabs={panel.tabs.map(({ key, label }) => ({ key, label: word(label) }))}
          chosen={tab.key}
          controls={id}
          onChoose={(key) => {
            show({ tabs: { ...view.value.tabs, [panel.key]: key } }, true);
          }}
        />
      </header>
      <div id={id} role="tabpanel" class="panel-body" aria-busy={rows === null}>
        {panel.key === 'places' && tab.key === 'country' && <MapOf data={data} />}
        {rows !== null && (
          <BarList
            rows={rows.map((row) => barOf(tab, row, data.domain.hostname))}
            column={word(tab.column)}
            metric={word(tab.metricLabel)}
            onChoose={
              tab.filter === null ? null : (key, isExcluded) => chooseRow(tab, key, isExcluded)
            }
          />
        )}
        {result !== undefined && 'error' in result && !isOther && (
          <Fault error={result.error} onRetry={() => data.again()} />
        )}
      </div>
      <footer class="panel-foot">
        {rows !== null && rows.length >= PANEL_ROWS && (
          <button type="button" class="button is-plain" onClick={() => setAll(true)}>
            {word('more')}
          </button>
        )}
      </footer>
      {isAll && <AllRows tab={tab} data={data} onClose={() => setAll(false)} />}
    </section>
  );
}
