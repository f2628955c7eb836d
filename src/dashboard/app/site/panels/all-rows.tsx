/** All rows of a list: searched, ordered, page by page, and as CSV (D-12). */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ApiError, faultOf } from '../../data/api.ts';
import { Latest } from '../../data/latest.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { show, view } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { answerOf } from '../site-data.ts';
import { ApiLink } from './api-link.tsx';
import { csvOf, saveAs } from './csv.ts';
import { askEveryRow, askPage, listQuery, type Page } from './list-data.ts';
import type { OverGiven } from './over-given.ts';
import { Pager } from './pager.tsx';
import { PANELS } from './panels.ts';
import { Picks } from './picks.tsx';
import { RowTable } from './row-table.tsx';
import { LIST_ROWS_MAX, type Panel, tabOf, tabsOf } from './tab.ts';

/** Letters are waited for this long. */
const TYPING_MS = 150;

/** Statistics whose rows are not searched (F-32). */
const UNSEARCHED = new Set(['platform', 'event/list', 'session/list', 'keywords']);

export function AllRows({ data, what, onClose }: OverGiven) {
  const panel = PANELS.find(({ key }) => key === what) as Panel;
  const of = view.value;
  const tab = tabOf(panel, of);
  const [page, setPage] = useState<Page | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [typed, setTyped] = useState(of.search);
  const latest = useMemo(() => new Latest(), []);
  const file = useMemo(() => new Latest(), []);
  const { shared, question, order } = listQuery(tab, data, of);
  const address = JSON.stringify([shared, question, order, of.at, of.comparison, of.comparedWith]);

  const load = () => {
    latest
      .ask((signal) => askPage(tab, { data, of }, signal))
      .then((answer) => {
        if (answer === null) return;
        setPage(answer);
        setFault(null);
      })
      .catch((error: unknown) => setFault(faultOf(error)));
  };
  useEffect(load, [address]);
  useEffect(
    () => () => {
      latest.cancel();
      file.cancel();
    },
    [],
  );
  useEffect(() => {
    if (typed === of.search) return;
    const timer = setTimeout(() => show({ search: typed, at: 0 }, true), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  const save = () => {
    file
      .ask((signal) => askEveryRow(tab, { data, of }, signal))
      .then((rows) => rows !== null && saveAs(`${panel.key}-${tab.key}.csv`, csvOf(tab, rows, of)))
      .catch((error: unknown) => setFault(faultOf(error)));
  };
  return (
    <Dialog title={word(panel.title)} onClose={onClose} isWide>
      <Tabs
        label={word(panel.title)}
        tabs={tabsOf(panel, data.domain, tab)
          .filter(({ key }) => key !== 'map')
          .map(({ key, label }) => ({ key, label: word(label) }))}
        chosen={tab.key === 'map' ? 'country' : tab.key}
        controls="all-rows"
        onChoose={(key) =>
          show({ tabs: { ...of.tabs, [panel.key]: key }, search: '', sort: '', at: 0 }, true)
        }
      />
      <div class="all-tools">
        {!UNSEARCHED.has(tab.statistic) && (
          <input
            type="search"
            class="input"
            aria-label={word('search')}
            placeholder={word('search')}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {tab.pick !== undefined && (
          <Picks tab={tab} rows={answerOf(data.shown.value, `${panel.key} picks`)} />
        )}
        <button type="button" class="button" onClick={save} disabled={!page?.rows.length}>
          {word('download')}
        </button>
        {question !== null && (
          <ApiLink
            shared={shared}
            query={{ ...question, ...order, limit: LIST_ROWS_MAX, offset: of.at * LIST_ROWS_MAX }}
            label={word(panel.title)}
          />
        )}
      </div>
      {fault !== null && <Fault error={fault} onRetry={load} />}
      <div id="all-rows" role="tabpanel" class="all-rows" aria-busy={page === null}>
        {page !== null && (
          <RowTable tab={tab} page={page} of={of} hostname={data.domain.hostname} />
        )}
      </div>
      {page !== null && (
        <Pager rows={page.rows.length} most={LIST_ROWS_MAX} hasMore={page.hasMore} />
      )}
    </Dialog>
  );
}
