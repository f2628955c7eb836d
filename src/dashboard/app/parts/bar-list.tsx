/** Rows with a bar behind their text: as long as their part of the largest. */
import { useRef } from 'preact/hooks';
import { word } from '../words/words.ts';
import { useDrawnOnce } from './drawn-once.ts';
import { RowName } from './row-name.tsx';

/** One row. */
export interface BarRow {
  readonly key: string;
  readonly text: string;
  /** What stands behind it, quietly. */
  readonly note?: string;
  readonly value: number;
  readonly shown: string;
  /** Second number, smaller. */
  readonly aside?: string;
  /** Whether the second number is good, or bad. */
  readonly asideSense?: 'is-better' | 'is-worse';
  /** Where the row leads besides filtering. */
  readonly href?: string;
}

/** What a click on a row does: filter by it, or by all others. */
export type OnChoose = (key: string, isExcluded: boolean) => void;

interface Given {
  readonly rows: readonly BarRow[];
  readonly column: string;
  readonly metric: string;
  /** What the second number is; without it there is none. */
  readonly aside?: string;
  /** Null: rows are no buttons. */
  readonly onChoose: OnChoose | null;
  /** Of the whole list, where it is not all shown. */
  readonly max?: number;
  /** What is said where there are no rows. */
  readonly empty?: string;
}

export function BarList({ rows, column, metric, aside, onChoose, max, empty }: Given) {
  const chosen = useRef(onChoose);
  chosen.current = onChoose;
  const isChosen = onChoose !== null;
  const drawOnce = useDrawnOnce();
  const largest = Math.max(max ?? 0, ...rows.map(({ value }) => value), 1);
  if (rows.length === 0) return <p class="empty">{empty ?? word('nothing')}</p>;
  const hasAside = aside !== undefined;
  // Rows stay where they are and their texts change: what is seen does not move, nor does the focus.
  const rowOf = (row: BarRow, at: number) => {
    const part = ((100 * row.value) / largest).toFixed(1);
    const of = JSON.stringify([{ ...row, value: part }, hasAside, isChosen]);
    const choose = (isExcluded: boolean) => chosen.current?.(row.key, isExcluded);
    const given = { row, part, hasAside, onChoose: isChosen ? choose : null };
    return drawOnce(String(at), of, () => <Row key={at} {...given} />);
  };
  return (
    <table class="bars">
      <thead>
        <tr>
          <th scope="col">{column}</th>
          <th scope="col" class="number">
            {metric}
          </th>
          {aside !== undefined && (
            <th scope="col" class="number is-aside">
              {aside}
            </th>
          )}
        </tr>
      </thead>
      <tbody>{rows.map(rowOf)}</tbody>
    </table>
  );
}

interface RowGiven {
  readonly row: BarRow;
  /** Of the width, in percent. */
  readonly part: string;
  readonly hasAside: boolean;
  readonly onChoose: ((isExcluded: boolean) => void) | null;
}

function Row({ row, part, hasAside, onChoose }: RowGiven) {
  return (
    <tr>
      <th scope="row">
        <span class="bar" aria-hidden="true" style={{ inlineSize: `${part}%` }} />
        <RowName {...row} onChoose={onChoose} />
      </th>
      <td class="number">{row.shown}</td>
      {hasAside && <td class={`number is-aside ${row.asideSense ?? ''}`}>{row.aside}</td>}
    </tr>
  );
}
