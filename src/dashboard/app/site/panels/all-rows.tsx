/** All rows of a list: searched, ordered, page by page, and as CSV (D-12). */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, call, queryText } from '../../data/api.ts';
import { Latest } from '../../data/latest.ts';
import { BarList } from '../../parts/bar-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { view } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { daysOf, type SiteData, sharedOf } from '../site-data.ts';
import { csvOf, saveAs } from './csv.ts';
import { type Row, rowsOf, type Tab } from './panels.ts';
import { barOf, chooseRow } from './row-bars.ts';

const PAGE_ROWS = 100;
/** Letters are waited for this long. */
const TYPING_MS = 150;

interface Given {
  readonly tab: Tab;
  readonly data: SiteData;
  readonly onClose: () => void;
}

export function AllRows({ tab, data, onClose }: Given) {
  const [search, setSearch] = useState('');
  const [isUp, setUp] = useState(false);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [hasMore, setMore] = useState(true);
  const [fault, setFault] = useState<ApiError | null>(null);
  const latest = useMemo(() => new Latest(), []);
  const largest = useRef(0);
  const query = useMemo(() => {
    const of = view.peek();
    const { span } = data.spansOf(of);
    const order = { sort: tab.metric, direction: isUp ? 'asc' : 'desc' };
    const shared = { ...sharedOf(data.domain.id, of), ...daysOf(span), ...tab.parameters };
    return { ...shared, search, ...order };
  }, [search, isUp]);

  const load = async (offset: number) => {
    try {
      const path = `GET /api/v1/statistics/${tab.statistic}` as never;
      const answer = await latest.ask((signal) =>
        call(path, { ...query, offset, limit: PAGE_ROWS }, undefined, signal),
      );
      if (answer === null) return;
      const found = rowsOf(tab, answer);
      const next = offset === 0 ? found : [...rows, ...found];
      if (!isUp && search === '') largest.current = Number(next[0]?.[tab.metric] ?? 0);
      setRows(next);
      setMore(found.length === PAGE_ROWS && tab.statistic !== 'platform');
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, String(error)));
    }
  };
  useEffect(() => {
    const timer = setTimeout(() => void load(0), search === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [query]);
  useEffect(() => () => latest.cancel(), []);

  const address = `/api/v1/statistics/${tab.statistic}${queryText(query)}`;
  return (
    <Dialog title={word(tab.label === 'all' ? tab.column : tab.label)} onClose={onClose} isWide>
      <div class="all-tools">
        <input
          type="search"
          class="input"
          aria-label={word('search')}
          placeholder={word('search')}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <button type="button" class="button" aria-pressed={isUp} onClick={() => setUp(!isUp)}>
          {word(tab.metricLabel)} <span aria-hidden="true">{isUp ? '↑' : '↓'}</span>
        </button>
        <button
          type="button"
          class="button"
          onClick={() => saveAs(`${tab.key}.csv`, csvOf(rows))}
          disabled={rows.length === 0}
        >
          {word('download')}
        </button>
        <a class="quiet" href={address} target="_blank" rel="noreferrer">
          {word('apiLink')}
        </a>
      </div>
      {fault !== null && <Fault error={fault} onRetry={() => void load(rows.length)} />}
      <BarList
        rows={rows.map((row) => barOf(tab, row, data.domain.hostname))}
        column={word(tab.column)}
        metric={word(tab.metricLabel)}
        max={largest.current}
        onChoose={
          tab.filter === null
            ? null
            : (key, isExcluded) => {
                onClose();
                chooseRow(tab, key, isExcluded);
              }
        }
      />
      {hasMore && rows.length > 0 && (
        <button type="button" class="button" onClick={() => void load(rows.length)}>
          {word('more')}
        </button>
      )}
    </Dialog>
  );
}
