/** Rows with their numbers on both sides; the bar says how much, and in which direction. */
import { RowName } from '../../parts/row-name.tsx';
import { FIRST_VIEW } from '../../view/view.ts';
import { count, rate, signedCount, signedPoints } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import { pageOf } from '../panels/page-link.ts';
import { chooseRow, growth, senseOf } from '../panels/row-shown.ts';
import { keyOf, shownOf } from '../panels/tab.ts';
import { type Change, differenceOf, type Totals } from './changes.ts';

interface Given {
  readonly rows: readonly Change[];
  /** Shares are compared where it is given. */
  readonly totals: Totals | null;
  readonly hostname: string;
}

export function ChangeTable({ rows, totals, hostname }: Given) {
  if (rows.length === 0) return <p class="empty">{word('noChange')}</p>;
  const largest = Math.max(...rows.map((row) => Math.abs(differenceOf(row, totals))));
  const shownIn = (value: number, all: number) =>
    totals === null ? count(value) : rate(value / Math.max(1, all));
  return (
    <table class="plain rows changes">
      <thead>
        <tr>
          <th scope="col">{word('row')}</th>
          <th scope="col" class="number">
            {word('difference')}
          </th>
          <th scope="col" class="number">
            {word('thisView')}
          </th>
          <th scope="col" class="number">
            {word('before')}
          </th>
          <th scope="col" class="number">
            {word('changed')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((change) => {
          const { tab, row, now, before } = change;
          const difference = differenceOf(change, totals);
          const href = pageOf(tab, row, hostname);
          const sense = difference > 0 ? 'is-better' : 'is-worse';
          return (
            <tr key={`${tab.statistic} ${tab.key} ${keyOf(tab, row)}`}>
              <th scope="row">
                <small class="dimension">{word(tab.column)}</small>
                <div class="row-name">
                  <RowName
                    text={shownOf(tab, row)}
                    note={tab.note?.(row, FIRST_VIEW) ?? ''}
                    {...(href === null ? {} : { href })}
                    onChoose={(isExcluded) => chooseRow(tab, row, isExcluded)}
                  />
                </div>
              </th>
              <td class={`number ${sense}`}>
                <span class="difference">
                  {totals === null ? signedCount(difference) : signedPoints(difference)}
                  <span class="difference-bar" aria-hidden="true">
                    <span
                      style={{ inlineSize: `${(100 * Math.abs(difference)) / largest}%` }}
                      class={sense}
                    />
                  </span>
                </span>
              </td>
              <td class="number">{shownIn(now, totals?.now ?? 0)}</td>
              <td class="number quiet">{shownIn(before, totals?.before ?? 0)}</td>
              <td class={`number ${senseOf(now, before) ?? ''}`}>{growth(now, before)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
