/** Rows with a bar behind their text: as long as their part of the largest. */
import { word } from '../words/words.ts';

/** One row. */
export interface BarRow {
  readonly key: string;
  readonly text: string;
  /** What stands before the text: a flag, an icon. */
  readonly mark?: string;
  readonly value: number;
  readonly shown: string;
  /** Second number, smaller. */
  readonly aside?: string;
  /** Where the row leads besides filtering. */
  readonly href?: string;
}

interface Given {
  readonly rows: readonly BarRow[];
  readonly column: string;
  readonly metric: string;
  /** Null: rows are no buttons. */
  readonly onChoose: ((key: string, isExcluded: boolean) => void) | null;
  /** Of the whole list, where it is not all shown. */
  readonly max?: number;
}

export function BarList({ rows, column, metric, onChoose, max }: Given) {
  const largest = Math.max(max ?? 0, ...rows.map(({ value }) => value), 1);
  if (rows.length === 0) return <p class="empty">{word('nothing')}</p>;
  return (
    <table class="bars">
      <thead>
        <tr>
          <th scope="col">{column}</th>
          <th scope="col" class="number">
            {metric}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              <span
                class="bar"
                aria-hidden="true"
                style={{ inlineSize: `${(100 * row.value) / largest}%` }}
              />
              {row.mark !== undefined && (
                <span class="mark" aria-hidden="true">
                  {row.mark}
                </span>
              )}
              {onChoose === null ? (
                <span class="bar-text" title={row.text}>
                  {row.text}
                </span>
              ) : (
                <button
                  type="button"
                  class="bar-text"
                  title={`${row.text}\n${word('excludeHint')}`}
                  onClick={(event) => onChoose(row.key, event.altKey)}
                >
                  {row.text}
                </button>
              )}
              {row.href !== undefined && (
                <a class="outward" href={row.href} target="_blank" rel="noopener noreferrer">
                  <span aria-hidden="true">↗</span>
                  <span class="sr-only">{word('openPage', { page: row.text })}</span>
                </a>
              )}
            </th>
            <td class="number">
              {row.shown}
              {row.aside !== undefined && <small>{row.aside}</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
