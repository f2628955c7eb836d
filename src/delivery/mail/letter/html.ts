/**
 * A letter as HTML: tables of 600 pixels with styles inline, nothing that is fetched from anywhere.
 *
 * The document and its frame; `html-blocks.ts` has what stands in it.
 */
import { BARE, blockOf, escaped, hrefOf, TABLE, WRAPPED } from './html-blocks.ts';
import type { Letter } from './letter.ts';
import { face, SHEET, shaded } from './style.ts';

/** Behind the preheader, so that lists of mails do not show what follows: blanks without a width. */
const NOTHING_MORE = '&#847;&zwnj;&nbsp;'.repeat(60);
/** Outlook knows no `max-width`. */
const OUTLOOK_OPEN = `<!--[if mso]><table ${BARE} width="600" align="center"><tr><td><![endif]-->`;
const OUTLOOK_CLOSE = '<!--[if mso]></td></tr></table><![endif]-->';
/** Heights of the three bars of the mark. */
const MARK_PX = [10, 16, 13];

/** The whole document. */
export function htmlOf(letter: Letter): string {
  const rows = [
    `<tr><td ${shaded('padding:0 32px 18px', 'pad')}>${BRAND}</td></tr>`,
    `<tr><td ${shaded('border-radius:12px', 'card', 'round')}>${cardOf(letter)}</td></tr>`,
    `<tr><td ${shaded('padding:20px 32px 0', 'pad')}>${footOf(letter)}</td></tr>`,
  ];
  return [
    headOf(letter),
    `<body ${shaded('margin:0;padding:0;width:100%;-webkit-text-size-adjust:100%', 'paper')}>`,
    '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">',
    `${escaped(letter.preheader)}${NOTHING_MORE}</div>`,
    `<table ${TABLE} ${shaded('', 'paper')}><tr>`,
    '<td align="center" class="outer" style="padding:28px 12px 40px">',
    OUTLOOK_OPEN,
    `<table ${TABLE} style="max-width:600px;text-align:left">${rows.join('')}</table>`,
    OUTLOOK_CLOSE,
    '</td></tr></table></body></html>',
  ].join('');
}

function headOf({ language, subject }: Letter): string {
  return [
    `<!doctype html><html lang="${language}" dir="ltr"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    '<meta name="x-apple-disable-message-reformatting">',
    `<title>${escaped(subject)}</title><style>${SHEET}</style></head>`,
  ].join('');
}

/** Three bars and the name: the mark of the dashboard, without an image. */
const BRAND = [
  `<table ${BARE}><tr>`,
  ...MARK_PX.map((px) => {
    const bar = `width:4px;height:${px}px;line-height:${px}px;font-size:0;border-radius:2px`;
    return (
      '<td valign="bottom" style="padding:0 2px 3px 0;vertical-align:bottom">' +
      `<div ${shaded(bar, 'fill')}>&nbsp;</div></td>`
    );
  }),
  `<td ${shaded(`padding-left:6px;${face(15, 22, 600)}`, 'ink')}>Footfall</td></tr></table>`,
].join('');

function cardOf({ about, heading, blocks }: Letter): string {
  const line = shaded(`margin:0 0 4px;${face(14, 20)};${WRAPPED}`, 'quiet');
  const title = shaded(`margin:0 0 16px;${face(24, 31, 700)};${WRAPPED}`, 'ink');
  return [
    `<table ${TABLE}><tr><td ${shaded('padding:30px 32px 0', 'pad')}>`,
    about === '' ? '' : `<p ${line}>${escaped(about)}</p>`,
    `<h1 ${title}>${escaped(heading)}</h1></td></tr>`,
    ...blocks.map(
      (block) => `<tr><td ${shaded('padding:0 32px', 'pad')}>${blockOf(block)}</td></tr>`,
    ),
    '<tr><td style="height:16px;line-height:16px;font-size:0">&nbsp;</td></tr></table>',
  ].join('');
}

function footOf({ reason, end }: Letter): string {
  const look = shaded(`${face(13, 20)};text-decoration:underline`, 'quiet');
  const link =
    end === null ? '' : ` <a href="${hrefOf(end.href)}" ${look}>${escaped(end.label)}</a>`;
  return `<p ${shaded(`margin:0;${face(13, 20)};${WRAPPED}`, 'quiet')}>${escaped(reason)}${link}</p>`;
}
