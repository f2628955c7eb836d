/**
 * A letter as plain text: what every program shows, and what people read who want no HTML.
 *
 * Lines of at most 72 columns but for links and names that have no blank; charts are rows of blocks.
 */

import { readable, webLink } from '../plain.ts';
import type { Bar, Block, Figure, Letter, Row } from './letter.ts';

const COLUMNS = 72;
const BAR_COLUMNS = 30;
const BLOCK = '█';

/** The whole part, lines ending in LF. */
export function textOf({ about, heading, blocks, reason, end }: Letter): string {
  const title = readable(heading);
  const parts = [
    ...(about === '' ? [] : [readable(about)]),
    `${wrapped(title)}\n${'='.repeat(Math.min(COLUMNS, widthOf(title)))}`,
    ...blocks.map(blockOf),
    // What programs know as the end of what was written.
    `-- \n${wrapped(readable(reason))}${end === null ? '' : `\n${readable(end.label)}: ${webLink(end.href)}`}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'note':
      return wrapped(readable(block.text));
    case 'quote':
      return wrapped(readable(block.text), '> ');
    case 'button':
      return `${readable(block.label)}:\n${webLink(block.href)}`;
    case 'figures':
      return figuresOf(block.figures);
    case 'bars':
      return titled(block.title, barsOf(block.bars));
    case 'list':
      return block.rows.length === 0
        ? titled(block.title, wrapped(readable(block.empty)))
        : titled(`${block.title} (${block.unit})`, rowsOf(block.rows));
  }
}

function titled(title: string, content: string): string {
  const line = readable(title);
  return `${line}\n${'-'.repeat(Math.min(COLUMNS, widthOf(line)))}\n${content}`;
}

/** Numbers stand in one column, as below. */
function figuresOf(figures: readonly Figure[]): string {
  const values = Math.max(...figures.map(({ value }) => widthOf(value)));
  const told = figures.map(({ label, value, change }) => {
    const number = value.padStart(values);
    return {
      name: readable(label),
      number: change === null ? number : `${number}  ${change.text}`,
    };
  });
  const room = COLUMNS - 2 - Math.max(...told.map(({ number }) => widthOf(number)));
  const names = Math.min(room, Math.max(...told.map(({ name }) => widthOf(name))));
  return told.map(({ name, number }) => besides(name, names, number)).join('\n');
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

/** A name and what stands beside it, in columns; a name that is too long has lines of its own. */
function besides(name: string, room: number, value: string): string {
  if (widthOf(name) > room) return `${wrapped(name)}\n${' '.repeat(room + 2)}${value}`;
  return `${padded(name, room)}  ${value}`;
}

/** Numbers end in one column. */
function rowsOf(rows: readonly Row[]): string {
  const values = rows.map(({ value, note }) => (note === '' ? value : `${value} ${note}`));
  const room = COLUMNS - 2 - Math.max(...values.map(widthOf));
  return rows
    .map(({ label }, index) => {
      const value = (values[index] ?? '').padStart(COLUMNS - 2 - room);
      return besides(readable(label), room, value);
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

/** Two columns each, where columns are of one width: Chinese, Japanese, Korean, pictures. */
const WIDE_RANGES = [
  ...[
    '\\u1100-\\u115f',
    '\\u2e80-\\ua4cf',
    '\\uac00-\\ud7a3',
    '\\uf900-\\ufaff',
    '\\ufe30-\\ufe4f',
  ],
  ...['\\uff00-\\uff60', '\\u{1f300}-\\u{1faff}', '\\u{20000}-\\u{3fffd}'],
];
const WIDE = new RegExp(`[${WIDE_RANGES.join('')}]`, 'u');
/** What stands on, or joins, the one before, and what nobody sees. */
const NARROW = /\p{M}|\u200d|[\u2060\u2068\u2069]/u;

/** Columns: code points are near enough. */
function widthOf(text: string): number {
  let width = 0;
  for (const point of text) width += WIDE.test(point) ? 2 : NARROW.test(point) ? 0 : 1;
  return width;
}
