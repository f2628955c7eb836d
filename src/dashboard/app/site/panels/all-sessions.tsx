/** All sessions of a view, page by page, the latest first (D-12). */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ApiError, faultOf } from '../../data/api.ts';
import { askAll } from '../../data/batch.ts';
import { Latest } from '../../data/latest.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { scrolled } from '../../parts/scrolled.ts';
import { view } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { daysOf, sharedOf } from '../site-data.ts';
import { ApiLink } from './api-link.tsx';
import { saveAs } from './csv.ts';
import { csvText } from './csv-text.ts';
import type { OverGiven } from './over-given.ts';
import { Pager } from './pager.tsx';
import { type Session, SessionTable } from './session-table.tsx';
import { LIST_ROWS_MAX } from './tab.ts';

export function AllSessions({ data, onClose }: OverGiven) {
  const of = view.value;
  const [rows, setRows] = useState<readonly Session[] | null>(null);
  const [hasMore, setMore] = useState(false);
  const [fault, setFault] = useState<ApiError | null>(null);
  const latest = useMemo(() => new Latest(), []);
  const { span } = data.spansOf(of);
  const shared = { ...sharedOf(data.domain.id, of), ...daysOf(span) };
  const query = {
    ...({ name: 'session/list', sort: 'start', direction: 'desc' } as const),
    ...{ limit: LIST_ROWS_MAX, offset: of.at * LIST_ROWS_MAX },
  };
  const load = () => {
    const next = { ...query, limit: 1, offset: query.offset + LIST_ROWS_MAX };
    latest
      .ask((signal) => askAll(shared, [query, next], signal))
      .then((results) => {
        if (results === null) return;
        const [page, after] = results.map((result) => {
          if ('error' in result) throw result.error;
          return result.answer as readonly Session[];
        });
        setRows(page ?? []);
        setMore((after ?? []).length > 0);
        setFault(null);
      })
      .catch((error: unknown) => {
        setFault(faultOf(error));
      });
  };
  useEffect(load, [JSON.stringify([shared, query])]);
  useEffect(() => () => latest.cancel(), []);
  return (
    <Dialog title={word('sessionsPanel')} onClose={onClose} isWide>
      <div class="all-tools">
        <button
          type="button"
          class="button"
          disabled={!rows?.length}
          onClick={() => saveAs('sessions.csv', csvOf(rows ?? []))}
        >
          {word('download')}
        </button>
        <ApiLink shared={shared} query={query} label={word('sessionsPanel')} />
      </div>
      {fault !== null && <Fault error={fault} onRetry={load} />}
      <div class="all-rows" {...scrolled(word('sessionsPanel'))} aria-busy={rows === null}>
        {rows !== null && rows.length === 0 && <p class="empty">{word('nothing')}</p>}
        {rows !== null && rows.length > 0 && (
          <SessionTable rows={rows} zone={data.domain.timezone} />
        )}
      </div>
      {rows !== null && <Pager rows={rows.length} most={LIST_ROWS_MAX} hasMore={hasMore} />}
    </Dialog>
  );
}

function csvOf(rows: readonly Session[]): string {
  const lines = rows.map((row) => [
    ...[row.start, row.entry_path, row.exit_path, row.referrer_name, row.country_code, row.city],
    ...[row.browser, row.os, row.page_views, row.duration_seconds],
  ]);
  const head = [
    ...[word('start'), word('entryPage'), word('exitPage'), word('source'), word('country')],
    ...[word('city'), word('browser'), word('os'), word('views'), word('duration')],
  ];
  return csvText([head, ...lines]);
}
