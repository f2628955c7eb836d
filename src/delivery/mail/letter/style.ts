/**
 * Colours and faces of mails: those of the dashboard (`tokens.css`), light inline and dark by a sheet.
 *
 * Programs that know no `prefers-color-scheme` show the light ones; Outlook's apps, which mark what they
 * have turned dark, are told the same by `data-ogsc` and `data-ogsb`.
 */

const FACE = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

interface Shade {
  readonly property: 'background-color' | 'color' | 'border-color';
  readonly light: string;
  readonly dark: string;
}

/** By class: what is written inline, and what stands for it in the dark. */
const SHADES = {
  paper: { property: 'background-color', light: '#f4f5f8', dark: '#10131a' },
  card: { property: 'background-color', light: '#ffffff', dark: '#181d27' },
  ink: { property: 'color', light: '#171c26', dark: '#e7ebf3' },
  quiet: { property: 'color', light: '#5b6575', dark: '#9aa5b8' },
  line: { property: 'border-color', light: '#e3e6ec', dark: '#2a3140' },
  link: { property: 'color', light: '#3555d2', dark: '#8ea6ff' },
  button: { property: 'background-color', light: '#3555d2', dark: '#8ea6ff' },
  label: { property: 'color', light: '#ffffff', dark: '#10131a' },
  fill: { property: 'background-color', light: '#3555d2', dark: '#8ea6ff' },
  pale: { property: 'background-color', light: '#c5cff3', dark: '#3b4a7d' },
  track: { property: 'background-color', light: '#eef0f6', dark: '#232a37' },
  better: { property: 'color', light: '#0b7a48', dark: '#5fd39a' },
  worse: { property: 'color', light: '#b3372a', dark: '#ff9d8f' },
} as const satisfies Record<string, Shade>;

/** A class of the sheet that says a colour. */
export type Shading = keyof typeof SHADES;

/** Those that change a size on narrow screens. */
type Sizing = 'pad' | 'big' | 'round';

/** The attributes of an element: its classes, and what they say inline beside what is its own. */
export function shaded(own: string, ...classes: readonly (Shading | Sizing)[]): string {
  const colours = classes.flatMap((name) => {
    const shade = name in SHADES ? SHADES[name as Shading] : null;
    return shade === null ? [] : [`${shade.property}:${shade.light}`];
  });
  const style = [...colours, own].filter((part) => part !== '').join(';');
  return `class="${classes.join(' ')}" style="${style}"`;
}

/** The value of `font` for a size and a weight. */
export function face(sizePx: number, linePx: number, weight = 400): string {
  return `font:${weight} ${sizePx}px/${linePx}px ${FACE}`;
}

const DARK = Object.entries(SHADES)
  .map(([name, { property, dark }]) => `.${name}{${property}:${dark} !important}`)
  .join('');
const OUTLOOK = Object.entries(SHADES)
  .map(([name, { property, dark }]) => {
    const mark = property === 'color' ? 'data-ogsc' : 'data-ogsb';
    return `[${mark}] .${name}{${property}:${dark} !important}`;
  })
  .join('');

/** What cannot stand inline. */
export const SHEET = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  // Some turn dates and addresses into links of their own colour.
  'a[x-apple-data-detectors]{color:inherit !important;text-decoration:none !important}',
  '@media (max-width:480px){.pad{padding-left:20px !important;padding-right:20px !important}' +
    '.big{font-size:32px !important;line-height:40px !important}' +
    '.outer{padding:20px 0 !important}.round{border-radius:0 !important}}',
  `@media (prefers-color-scheme:dark){${DARK}}`,
  OUTLOOK,
].join('');
