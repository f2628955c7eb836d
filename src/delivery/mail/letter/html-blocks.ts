/**
 * The blocks of a letter as HTML. Bars are cells with a colour, so there is no image to be blocked.
 *
 * Whatever is put between tags or into an attribute goes through `escaped`, and links through `hrefOf`.
 */
import { escapedMarkup } from '../../../base/markup.ts';
import { readable, webLink } from '../plain.ts';
import type { Bar, Block, Figure, Link, Row } from './letter.ts';
import { face, type Shading, shaded } from './style.ts';

const BAR_HEIGHT_PX = 96;
/** With more bars there is no room for a number and a name at each. */
const NAMED_BAR_COUNT_MAX = 8;
/** Longer numbers have no room in half of a phone's width, or as the largest. */
const HALF_LENGTH_MAX = 11;
const BIG_LENGTH_MAX = 14;
/** Longer numbers of bars are smaller. */
const BAR_LENGTH_MAX = 6;
/** More than these stand closer together. */
const WIDE_BAR_COUNT_MAX = 31;

/** A table that means nothing: what mails are laid out with. */
export const BARE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
/** The same over the whole width. */
export const TABLE = `${BARE} width="100%"`;
/** Long names of others break wherever they must. */
export const WRAPPED = 'overflow-wrap:anywhere;word-break:break-word;unicode-bidi:isolate';

/** Text between tags or inside of a quoted attribute. */
export function escaped(text: string): string {
  return escapedMarkup(readable(text));
}

/** A link as the value of `href`. */
export function hrefOf(href: string): string {
  return escaped(webLink(href));
}

/** One block. */
export function blockOf(block: Block): string {
  switch (block.kind) {
    case 'text':
      return paragraph(block.text, `margin:0 0 16px;${face(16, 25)}`, 'ink');
    case 'note':
      return paragraph(block.text, `margin:0 0 16px;${face(14, 21)}`, 'quiet');
    case 'quote':
      return quoteOf(block.text);
    case 'button':
      return buttonOf(block);
    case 'figures':
      return figuresOf(block.figures);
    case 'bars':
      return titleOf(block.title, '') + barsOf(block.bars);
    case 'list':
      return listOf(block);
  }
}

function paragraph(text: string, style: string, shade: Shading): string {
  return `<p ${shaded(`${style};${WRAPPED}`, shade)}>${escaped(text)}</p>`;
}

function quoteOf(text: string): string {
  const box = shaded('padding:12px 16px;border-radius:8px', 'track');
  const words = paragraph(text, `margin:0;${face(14, 21)}`, 'ink');
  return `<table ${TABLE} style="margin:0 0 16px"><tr><td ${box}>${words}</td></tr></table>`;
}

function buttonOf({ label, href }: Link): string {
  const box = 'display:inline-block;padding:13px 24px;border-radius:8px;text-decoration:none';
  return (
    `<table ${BARE} style="margin:8px 0 22px"><tr><td ${shaded('border-radius:8px', 'button')}>` +
    `<a href="${hrefOf(href)}" ${shaded(`${box};${face(16, 22, 600)}`, 'label')}>` +
    `${escaped(label)}</a></td></tr></table>`
  );
}

function titleOf(title: string, unit: string): string {
  const right =
    unit === ''
      ? ''
      : `<td align="right" valign="bottom" ${shaded(face(13, 20), 'quiet')}>${escaped(unit)}</td>`;
  return (
    `<table ${TABLE} style="margin:18px 0 6px"><tr><td>` +
    `<h2 ${shaded(`margin:0;${face(16, 22, 700)}`, 'ink')}>${escaped(title)}</h2></td>` +
    `${right}</tr></table>`
  );
}

/**
 * The first large, the others two in a row: that fits a phone and a desk. A number is never broken: with
 * long ones each has a row.
 */
function figuresOf([first, ...others]: readonly Figure[]): string {
  if (first === undefined) return '';
  const cell = shaded(
    'padding:12px 8px 12px 0;border-top-width:1px;border-top-style:solid',
    'line',
  );
  const rows: string[] = [];
  const inRow = others.some(({ value }) => value.length > HALF_LENGTH_MAX) ? 1 : 2;
  for (let index = 0; index < others.length; index += inRow) {
    const cells = Array.from({ length: inRow }, (_, at) => {
      const figure = others[index + at];
      const content = figure === undefined ? '&nbsp;' : figureOf(figure);
      return `<td width="${100 / inRow}%" valign="top" ${cell}>${content}</td>`;
    });
    rows.push(`<tr>${cells.join('')}</tr>`);
  }
  // Its own distance: where what changed stands below it, that begins at the edge.
  const isLong = first.value.length > BIG_LENGTH_MAX;
  const own = `padding-right:6px;${isLong ? face(20, 28, 700) : face(40, 48, 700)};white-space:nowrap`;
  const number = isLong ? shaded(own, 'ink') : shaded(own, 'ink', 'big');
  return (
    `<div ${shaded(`${face(14, 20)};${WRAPPED}`, 'quiet')}>${escaped(first.label)}</div>` +
    `<div style="padding-bottom:16px"><span ${number}>${escaped(first.value)}</span>` +
    `${changeOf(first.change)}</div><table ${TABLE} style="margin-bottom:8px">${rows.join('')}</table>`
  );
}

function figureOf({ label, value, change }: Figure): string {
  const number = shaded(`padding-right:4px;${face(20, 28, 700)};white-space:nowrap`, 'ink');
  return (
    `<div ${shaded(`${face(14, 20)};${WRAPPED}`, 'quiet')}>${escaped(label)}</div>` +
    `<div><span ${number}>${escaped(value)}</span>${changeOf(change)}</div>`
  );
}

function changeOf(change: Figure['change']): string {
  if (change === null) return '';
  const shade = change.tone === 'same' ? 'quiet' : change.tone;
  const look = shaded(`${face(14, 20, 600)};white-space:nowrap`, shade);
  return ` <span ${look}>${escaped(change.text)}</span>`;
}

/** Columns of cells; a day without visitors keeps a line of its own. */
function barsOf(bars: readonly Bar[]): string {
  const isNamed = bars.length <= NAMED_BAR_COUNT_MAX;
  const gapPx = isNamed ? 4 : bars.length <= WIDE_BAR_COUNT_MAX ? 2 : 1;
  const place = `width="${(100 / Math.max(1, bars.length)).toFixed(3)}%"`;
  const numberPx = bars.some(({ short }) => short.length > BAR_LENGTH_MAX) ? 10 : 12;
  const columns = bars.map((bar) => {
    const heightPx = Math.max(2, Math.round(bar.share * BAR_HEIGHT_PX));
    const size = `height:${heightPx}px;line-height:${heightPx}px;mso-line-height-rule:exactly`;
    const box = shaded(
      `${size};font-size:0;border-radius:3px 3px 0 0`,
      bar.isMarked ? 'fill' : 'pale',
    );
    const number = shaded(`${face(numberPx, 18, 600)};text-align:center;white-space:nowrap`, 'ink');
    return (
      `<td valign="bottom" ${place} title="${escaped(`${bar.label}: ${bar.value}`)}" ` +
      `style="padding:0 ${gapPx / 2}px;vertical-align:bottom">` +
      (isNamed ? `<div ${number}>${escaped(bar.short)}</div>` : '') +
      `<div ${box}>&nbsp;</div></td>`
    );
  });
  const roomPx = bars.some(({ share }) => share > 0) ? BAR_HEIGHT_PX : 0;
  const chart = `<tr style="height:${roomPx + 20}px">${columns.join('')}</tr>`;
  const names = isNamed ? namesOf(bars) : '';
  return (
    `<table ${TABLE} style="table-layout:fixed">${chart}${names}</table>` +
    `${isNamed ? '' : endsOf(bars)}<div style="height:10px;line-height:10px;font-size:0">&nbsp;</div>`
  );
}

function namesOf(bars: readonly Bar[]): string {
  const cells = bars.map(({ label, isMarked }) =>
    named('center', label, isMarked ? 'ink' : 'quiet'),
  );
  return `<tr>${cells.join('')}</tr>`;
}

/** Of many bars which is the first, the highest, the last. */
function endsOf(bars: readonly Bar[]): string {
  const [first, last] = [bars[0], bars.at(-1)];
  const top = bars.find(({ share }) => share === 1);
  if (first === undefined || last === undefined) return '';
  const middle = top === undefined ? '' : `▲ ${top.value} · ${top.label}`;
  return (
    `<table ${TABLE}><tr>${named('left', first.label, 'quiet')}${named('center', middle, 'ink')}` +
    `${named('right', last.label, 'quiet')}</tr></table>`
  );
}

function named(align: 'left' | 'center' | 'right', text: string, shade: Shading): string {
  const look = shaded(`padding-top:6px;${face(12, 16)}`, shade);
  return `<td align="${align}" ${look}>${escaped(text)}</td>`;
}

function listOf({ title, unit, rows, empty }: Block & { readonly kind: 'list' }): string {
  if (rows.length === 0) {
    return titleOf(title, '') + paragraph(empty, `margin:0 0 12px;${face(14, 21)}`, 'quiet');
  }
  const shown = rows.map(rowOf).join('');
  return `${titleOf(title, unit)}<table ${TABLE} style="margin-bottom:12px">${shown}</table>`;
}

/**
 * The name and its number, and below them a bar over the whole width. A name has its own direction, and
 * begins on the left like all others.
 */
function rowOf({ label, value, share, note }: Row): string {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 100);
  const name = shaded(`padding:6px 12px 4px 0;${face(14, 20)};${WRAPPED}`, 'ink');
  const number = shaded(`padding:6px 0 4px;${face(14, 20, 600)};white-space:nowrap`, 'ink');
  const below =
    note === '' ? '' : `<div dir="ltr" ${shaded(face(13, 18), 'quiet')}>${escaped(note)}</div>`;
  const bar = partOf(width, 'fill') + partOf(100 - width, 'track');
  return (
    `<tr><td dir="auto" align="left" ${name}>${escaped(label)}${below}</td>` +
    `<td align="right" valign="top" ${number}>${escaped(value)}</td></tr>` +
    `<tr><td colspan="2" style="padding:0 0 5px"><table ${TABLE}><tr>${bar}</tr></table></td></tr>`
  );
}

function partOf(percent: number, shade: Shading): string {
  if (percent === 0) return '';
  const look = shaded('height:3px;line-height:3px;font-size:0', shade);
  return `<td width="${percent}%" ${look}>&nbsp;</td>`;
}
