/** Rows with all of their numbers, ordered by any of them. */
import { RowName } from '../../parts/row-name.tsx';
import { show, type View } from '../../view/view.ts';
import { count } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import type { Page } from './list-data.ts';
import { pageOf } from './page-link.ts';
import { chooseRow, figureText, growth, senseOf } from './row-shown.ts';
import { type Figure, figureOf, isChoosable, keyOf, type Row, shownOf, type Tab } from './tab.ts';

interface Given {
  readonly tab: Tab;
  readonly page: Page;
  readonly of: View;
  readonly hostname: string;
}

export function RowTable({ tab, page, of, hostname }: Given) {
  const { rows, compared } = page;
  if (rows.length === 0) return <p class="empty">{word(tab.empty?.(of) ?? 'nothing')}</p>;
  const figures = [tab.metric, ...(tab.second === null ? [] : [tab.second]), ...tab.further];
  const isOrdered = tab.statistic !== 'platform';
  const first = tab.keys[0] ?? '';
  const sort = of.sort === '' ? `-${FIRST_ORDER[tab.statistic] ?? tab.metric.field}` : of.sort;
  return (
    <table class="plain rows">
      <thead>
        <tr>
          <Head label={word(tab.column)} field={first} {...{ sort, isOrdered }} />
          {figures.map((figure, at) => (
            <>
              <Head
                key={figure.field}
                label={word(figure.label)}
                field={figure.field}
                {...{ sort, isOrdered }}
                isNumber
              />
              {at === 0 && compared !== null && (
                <>
                  <th scope="col" class="number">
                    {word('before')}
                  </th>
                  <th scope="col" class="number">
                    {word('changed')}
                  </th>
                </>
              )}
            </>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line key={keyOf(tab, row)} {...{ tab, row, of, hostname, figures, compared }} />
        ))}
      </tbody>
    </table>
  );
}

/** What an answer is ordered by where that is not its first number (S-60). */
const FIRST_ORDER: Readonly<Record<string, string>> = {
  events: 'visitors',
  'event/meta': 'visitors',
};

interface HeadGiven {
  readonly label: string;
  readonly field: string;
  readonly sort: string;
  readonly isOrdered: boolean;
  readonly isNumber?: boolean;
}

/** A click orders by it, a further one turns the order: numbers begin with the largest. */
function Head({ label, field, sort, isOrdered, isNumber }: HeadGiven) {
  const isBy = sort === field || sort === `-${field}`;
  const isDown = sort.startsWith('-');
  const isNextDown = isBy ? !isDown : isNumber === true;
  const turned = isNextDown ? `-${field}` : field;
  return (
    <th
      scope="col"
      class={isNumber === true ? 'number' : ''}
      {...(isBy ? { 'aria-sort': isDown ? ('descending' as const) : ('ascending' as const) } : {})}
    >
      {isOrdered ? (
        <button type="button" class="order" onClick={() => show({ sort: turned, at: 0 }, true)}>
          {label}
          {isBy && <span aria-hidden="true">{isDown ? ' ↓' : ' ↑'}</span>}
        </button>
      ) : (
        label
      )}
    </th>
  );
}

interface LineGiven {
  readonly tab: Tab;
  readonly row: Row;
  readonly of: View;
  readonly hostname: string;
  readonly figures: readonly Figure[];
  readonly compared: ReadonlyMap<string, number> | null;
}

function Line({ tab, row, of, hostname, figures, compared }: LineGiven) {
  const href = pageOf(tab, row, hostname);
  const value = figureOf(row, tab.metric);
  const before = compared?.get(keyOf(tab, row));
  return (
    <tr>
      <th scope="row">
        <div class="row-name">
          <RowName
            text={shownOf(tab, row)}
            note={tab.note?.(row, of) ?? ''}
            {...(href === null ? {} : { href })}
            onChoose={
              isChoosable(tab, row, of) ? (isExcluded) => chooseRow(tab, row, isExcluded) : null
            }
          />
        </div>
      </th>
      {figures.map((figure, at) => (
        <>
          <td class="number" key={figure.field}>
            {figureText(row, figure)}
          </td>
          {at === 0 && compared !== null && (
            <>
              <td class="number quiet">{before === undefined ? '–' : count(before)}</td>
              <td class={`number ${senseOf(value, before) ?? ''}`}>{growth(value, before)}</td>
            </>
          )}
        </>
      ))}
    </tr>
  );
}
