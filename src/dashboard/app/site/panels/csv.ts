/** What is seen, as a file: CSV by RFC 4180. */
import type { View } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { csvText } from './csv-text.ts';
import { figureOf, type Row, shownOf, type Tab } from './tab.ts';

/** Spreadsheets read UTF-8 by this mark alone. */
const UTF8_MARK = '\uFEFF';

/** Rows as CSV: names as they are shown, numbers as they are counted. */
export function csvOf(tab: Tab, rows: readonly Row[], of: View): string {
  const figures = [tab.metric, ...(tab.second === null ? [] : [tab.second]), ...tab.further];
  const hasNote = tab.note !== undefined && rows.some((row) => tab.note?.(row, of) !== '');
  const head = [
    word(tab.column),
    ...(hasNote ? [word('details')] : []),
    ...figures.map(({ label }) => word(label)),
  ];
  const lines = rows.map((row) => [
    shownOf(tab, row),
    ...(hasNote ? [tab.note?.(row, of) ?? ''] : []),
    ...figures.map((figure) => figureOf(row, figure)),
  ]);
  return csvText([head, ...lines]);
}

/** Offers a text as a file. */
export function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([UTF8_MARK, text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}
