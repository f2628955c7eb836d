/** Sessions, a line each. */

import { useMemo } from 'preact/hooks';
import type { StatisticOf } from '../../data/batch.ts';
import { useDrawnOnce } from '../../parts/drawn-once.ts';
import { show } from '../../view/view.ts';
import { count, country, seconds } from '../../words/format.ts';
import { language } from '../../words/language.ts';
import { word } from '../../words/words.ts';

export type Session = StatisticOf<'session/list'>[number];

export function SessionTable({ rows, zone }: { rows: readonly Session[]; zone: string }) {
  const drawOnce = useDrawnOnce();
  const moment = useMemo(
    () =>
      new Intl.DateTimeFormat(language, {
        ...{ timeZone: zone, day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
      }),
    [zone],
  );
  return (
    <table class="plain rows sessions">
      <thead>
        <tr>
          <th scope="col">{word('start')}</th>
          <th scope="col">{word('entryPage')}</th>
          <th scope="col">{word('source')}</th>
          <th scope="col">{word('country')}</th>
          <th scope="col">{word('technology')}</th>
          <th scope="col" class="number">
            {word('views')}
          </th>
          <th scope="col" class="number">
            {word('durationShort')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = `${row.visitor_id} ${row.session_id}`;
          const of = JSON.stringify(row);
          return drawOnce(key, of, () => <SessionRow key={key} row={row} moment={moment} />);
        })}
      </tbody>
    </table>
  );
}

interface Given {
  readonly row: Session;
  readonly moment: Intl.DateTimeFormat;
}

function SessionRow({ row, moment }: Given) {
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="bar-text"
          onClick={() => show({ open: `session:${row.visitor_id}:${row.session_id}` })}
        >
          {moment.format(Date.parse(row.start))}
          <span class="sr-only"> {word('course')}</span>
        </button>
      </th>
      <td dir="auto" class="cut" title={row.entry_path}>
        {row.entry_path}
      </td>
      <td dir="auto" class="cut">
        {row.referrer_name || word('direct')}
      </td>
      <td class="cut">{row.country_code === '' ? '' : country(row.country_code)}</td>
      <td class="cut" dir="auto">
        {[row.browser, row.os].filter((text) => text !== '').join(' · ')}
      </td>
      <td class="number">{count(row.page_views)}</td>
      <td class="number">{seconds(row.duration_seconds)}</td>
    </tr>
  );
}
