/** What a row is called: a button that filters by it, and a link that opens it. */
import { word } from '../words/words.ts';

interface Given {
  readonly text: string;
  readonly note?: string;
  readonly href?: string;
  /** Null: a click does nothing. */
  readonly onChoose: ((isExcluded: boolean) => void) | null;
}

/** With Alt a click, or Enter, excludes (D-13). */
export function RowName({ text, note, href, onChoose }: Given) {
  const said = note === undefined || note === '' ? text : `${text}\n${note}`;
  return (
    <>
      {onChoose === null ? (
        <bdi class="bar-text" title={said}>
          {text}
        </bdi>
      ) : (
        <button
          type="button"
          class="bar-text"
          dir="auto"
          title={`${said}\n${word('excludeHint')}`}
          onClick={(event) => onChoose(event.altKey)}
          onKeyDown={(event) => {
            // Not every browser makes a click of it.
            if (event.key !== 'Enter' || !event.altKey) return;
            event.preventDefault();
            onChoose(true);
          }}
        >
          {text}
        </button>
      )}
      {note !== undefined && note !== '' && <bdi class="bar-note">{note}</bdi>}
      {href !== undefined && (
        <a class="outward" href={href} target="_blank" rel="noopener noreferrer">
          <span aria-hidden="true">↗</span>
          <span class="sr-only">{word('openPage', { page: text })}</span>
        </a>
      )}
    </>
  );
}
