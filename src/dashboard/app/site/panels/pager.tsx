/** Turns the pages of a list; which one is shown stands in the address. */
import { show, view } from '../../view/view.ts';
import { count } from '../../words/format.ts';
import { word } from '../../words/words.ts';

interface Given {
  /** Rows of this page. */
  readonly rows: number;
  /** Rows of a full page. */
  readonly most: number;
  readonly hasMore: boolean;
}

export function Pager({ rows, most, hasMore }: Given) {
  const { at } = view.value;
  if (at === 0 && !hasMore) return null;
  const first = at * most + 1;
  return (
    <nav class="pager" aria-label={word('pagesOfRows')}>
      <button type="button" class="button" disabled={at === 0} onClick={() => show({ at: at - 1 })}>
        {word('before')}
      </button>
      <span class="number" role="status">
        {rows === 0 ? '–' : `${count(first)}–${count(first + rows - 1)}`}
      </span>
      <button type="button" class="button" disabled={!hasMore} onClick={() => show({ at: at + 1 })}>
        {word('next')}
      </button>
    </nav>
  );
}
