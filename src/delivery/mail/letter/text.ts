/**
 * A letter as plain text: what every program shows, and what people read who want no HTML.
 *
 * Lines of at most 72 columns but for links and names that have no blank; charts are rows of blocks.
 */
import type { Bar, Block, Figure, Letter, Row } from './letter.ts';
import { oneLine, webLink } from './plain.ts';

const COLUMNS = 72;
const BAR_COLUMNS = 30;
const BLOCK = '█';

/** The whole part, lines ending in LF. */
export function textOf({ about, heading, blocks, reason, end }: Letter): string {
  const title = oneLine(heading);
  const parts = [
    ...(about === '' ? [] : [oneLine(about)]),
    `${wrapped(title)}\n${'='.repeat(Math.min(COLUMNS, widthOf(title)))}`,
    ...blocks.map(blockOf),
    // What programs know as the end of what was written.
    `-- \n${wrapped(oneLine(reason))}${end === null ? '' : `\n${oneLine(end.label)}: ${webLink(end.href)}`}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'note':
      return wrapped(oneLine(block.text));
    case 'quote':
      return wrapped(oneLine(block.text), '> ');
    case 'button':
      return `${oneLine(block.label)}:\n${webLink(block.href)}`;
    case 'figures':
      return figuresOf(block.figures);
    case 'bars':
      return titled(block.title, barsOf(block.bars));
    case 'list':
      return block.rows.length === 0
        ? titled(block.title, wrapped(oneLine(block.empty)))
        : titled(`${block.title} (${block.unit})`, rowsOf(block.rows));
  }
}

function titled(title: string, content: string): string {
  const line = oneLine(title);
  return `${line}\n${'-'.repeat(Math.min(COLUMNS, widthOf(line)))}\n${content}`;
}

function figuresOf(figures: readonly Figure[]): string {
  const names = Math.max(...figures.map(({ label }) => widthOf(label)));
  const values = Math.max(...figures.map(({ value }) => widthOf(value)));
  return figures
    .map(({ label, value, change }) => {
      const line = `${padded(label, names)}  ${value.padStart(values)}`;
      return change === null ? line : `${line}  ${change.text}`;
    })
    .join('\n');
}

function barsOf(bars: readonly Bar[]): string {
  const names = Math.max(0, ...bars.map(({ label }) => widthOf(label)));
  const values = Math.max(0, ...bars.map(({ value }) => widthOf(value)));
  return bars
    .map(({ label, value, share }) => {
      const bar = BLOCK.repeat(Math.round(share * BAR_COLUMNS));
      return `${padded(label, names)}  ${value.padStart(values)}  ${bar}`.trimEnd();
    })
    .join('\n');
}

/** Numbers stand in one column; a name that is too long has a line of its own. */
function rowsOf(rows: readonly Row[]): string {
  const values = rows.map(({ value, note }) => (note === '' ? value : `${value} ${note}`));
  const room = COLUMNS - 2 - Math.max(...values.map(widthOf));
  return rows
    .map(({ label }, index) => {
      const name = oneLine(label);
      const value = values[index] ?? '';
      if (widthOf(name) > room) return `${name}\n${value.padStart(COLUMNS)}`;
      return `${padded(name, room)}  ${value.padStart(COLUMNS - 2 - room)}`;
    })
    .join('\n');
}

function wrapped(text: string, before = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(before + longer) > COLUMNS) {
      lines.push(before + line);
      line = word;
    } else line = longer;
  }
  return [...lines, before + line].join('\n');
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Columns: code points are near enough. */
function widthOf(text: string): number {
  return [...text].length;
}
