/** One panel: its tabs, the first rows, and the way to all of them. */
import { useMemo, useRef } from 'preact/hooks';
import { BarList } from '../../parts/bar-list.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { show, view } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { answerOf, daysOf, type Shown, type SiteData, sharedOf } from '../site-data.ts';
import { usePart } from '../use-part.ts';
import { ApiLink } from './api-link.tsx';
import { csvOf, saveAs } from './csv.ts';
import { LaterMap } from './later-map.ts';
import { BY, isByTitle } from './panels.ts';
import { Picks } from './picks.tsx';
import { PANEL_ROWS, questionOf } from './questions.ts';
import { barOf, chooseRow } from './row-shown.ts';
import {
  isChoosable,
  isNone,
  keyOf,
  type Panel,
  type Row,
  rowsOf,
  type Tab,
  tabOf,
  tabsOf,
} from './tab.ts';

/** Rows under the map. */
const MAP_ROWS = 4;

/** The map is loaded once somebody looks at it, and has its numbers. */
function MapOf({ shown }: { shown: Shown | null }) {
  const first = answerOf<readonly Row[]>(shown, 'map') ?? [];
  const rest = answerOf<readonly Row[]>(shown, 'map rest') ?? [];
  return <div class="world-space">{shown !== null && <LaterMap rows={[...first, ...rest]} />}</div>;
}

export function PanelView({ panel, data }: { panel: Panel; data: SiteData }) {
  const shown = usePart(data, (key) => key.startsWith(panel.key) || isOfMap(panel, key));
  const of = view.value;
  const tab = tabOf(panel, of);
  // What is shown is of the view before as long as the tab's own rows are on their way.
  const isOwn = shown !== null && isSame(panel, shown, of);
  const result = isOwn ? shown.results.get(panel.key) : undefined;
  const rows = result !== undefined && 'answer' in result ? firstRows(tab, result.answer) : null;
  const picks =
    tab.pick === undefined ? null : answerOf<readonly Row[]>(shown, `${panel.key} picks`);
  const id = `panel-${panel.key}`;
  // Other panels, and what lies over the page, are in the address too.
  const list = useMemo(() => {
    const given = { panel, tab, data };
    return shown !== null && rows !== null && <Rows {...given} rows={rows} shown={shown} />;
  }, [tab, shown, isOwn]);
  const latest = useRef<readonly Row[]>([]);
  latest.current = rows ?? [];
  const { length } = latest.current;
  // What it links to are questions: of other answers it is the same.
  const foot = useMemo(() => {
    const given = { panel, tab, data, length, rows: () => latest.current };
    return shown !== null && length > 0 && <PanelFoot {...given} shown={shown} />;
  }, [tab, shown?.view, shown?.frames, length]);
  return (
    <section class="card panel" aria-labelledby={`${id}-title`}>
      <header class="panel-head">
        <h2 id={`${id}-title`}>{word(panel.title)}</h2>
        <Tabs
          label={word(panel.title)}
          tabs={tabsOf(panel, data.domain, tab).map(({ key, label }) => ({
            key,
            label: word(label),
          }))}
          chosen={tab.key}
          controls={id}
          onChoose={(key) => show({ tabs: { ...view.value.tabs, [panel.key]: key } }, true)}
        />
      </header>
      <div id={id} role="tabpanel" class="panel-body" aria-busy={rows === null}>
        {picks !== null && <Picks tab={tab} rows={picks} />}
        {picks?.length === 0 && rows === null && (
          <p class="empty">{word(EMPTY[panel.key] ?? 'nothing')}</p>
        )}
        {tab.key === 'map' && <MapOf shown={shown} />}
        {list}
        {result !== undefined && 'error' in result && (
          <Fault error={result.error} onRetry={() => data.again()} />
        )}
      </div>
      <footer class="panel-foot">{foot}</footer>
    </section>
  );
}

function isOfMap(panel: Panel, key: string): boolean {
  return panel.key === 'places' && key.startsWith('map');
}

function firstRows(tab: Tab, answer: unknown): readonly Row[] {
  const rows = rowsOf(tab, answer).filter((row) => !isNone(tab, row));
  return rows.slice(0, PANEL_ROWS);
}

/** Whether the same tab was asked with the same picks. */
function isSame(panel: Panel, shown: Shown, of: Shown['view']): boolean {
  const before = tabOf(panel, shown.view);
  const now = tabOf(panel, of);
  return (
    before === now &&
    JSON.stringify(questionOf(before, shown.view)) === JSON.stringify(questionOf(now, of))
  );
}

/** Whether pages are told by path or by title. */
function ByTitle() {
  const isTitle = isByTitle(view.value);
  return (
    <button
      type="button"
      class="button is-plain by-title"
      aria-pressed={isTitle}
      onClick={() => show({ tabs: { ...view.value.tabs, [BY]: isTitle ? '' : 'title' } }, true)}
    >
      {word('byTitle')}
    </button>
  );
}

interface Given {
  readonly panel: Panel;
  readonly tab: Tab;
  readonly rows: readonly Row[];
  readonly data: SiteData;
  readonly shown: Shown;
}

function Rows({ panel, tab, rows, data, shown }: Given) {
  const { hostname } = data.domain;
  const compared = shown.compared === null ? undefined : shown.comparedRows.get(panel.key);
  const some = tab.key === 'map' ? rows.slice(0, MAP_ROWS) : rows;
  const isCompared = shown.compared !== null;
  const bars = some.map((row) =>
    barOf({
      ...{ tab, row, of: shown.view, hostname },
      compared: isCompared ? (compared ?? new Map<string, number>()) : undefined,
    }),
  );
  const aside = isCompared
    ? word('changed')
    : tab.second === null
      ? null
      : word(tab.second.short ?? tab.second.label);
  const empty = tab.empty?.(shown.view) ?? EMPTY[panel.key] ?? 'nothing';
  const choose = (key: string, isExcluded: boolean) => {
    const row = some.find((one) => keyOf(tab, one) === key);
    if (row !== undefined) chooseRow(tab, row, isExcluded);
  };
  return (
    <BarList
      rows={bars}
      column={word(tab.column)}
      metric={word(tab.metric.label)}
      {...(aside === null ? {} : { aside })}
      empty={word(empty)}
      onChoose={some.some((row) => isChoosable(tab, row, shown.view)) ? choose : null}
    />
  );
}

/** Panels that stay empty until a site sends something say what. */
const EMPTY: Readonly<Record<string, 'noCampaigns' | 'noEventsHint' | 'noTags'>> = {
  campaigns: 'noCampaigns',
  events: 'noEventsHint',
  tags: 'noTags',
};

interface FootGiven extends Omit<Given, 'rows'> {
  readonly length: number;
  readonly rows: () => readonly Row[];
}

function PanelFoot({ panel, tab, rows, length, data, shown }: FootGiven) {
  const query = questionOf(tab, shown.view);
  const shared = { ...sharedOf(data.domain.id, shown.view), ...daysOf(shown.span) };
  const title = word(panel.title);
  return (
    <>
      {length >= PANEL_ROWS || tab.key === 'map' ? (
        <button
          type="button"
          class="button is-plain"
          onClick={() => show({ open: panel.key, search: '', sort: '', at: 0 })}
        >
          {word('more')}
          <span class="sr-only">: {title}</span>
        </button>
      ) : (
        <span />
      )}
      <span class="foot-links">
        {panel.key === 'pages' && tab.opens === 'path' && <ByTitle />}
        <button
          type="button"
          class="button is-plain"
          onClick={() => saveAs(`${panel.key}-${tab.key}.csv`, csvOf(tab, rows(), shown.view))}
        >
          CSV<span class="sr-only">: {title}</span>
        </button>
        {query !== null && (
          <ApiLink shared={shared} query={{ ...query, limit: PANEL_ROWS }} label={title} />
        )}
      </span>
    </>
  );
}
