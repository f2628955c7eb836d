/**
 * Colours and faces of mails: those of the dashboard (`tokens.css`), light inline and dark by a sheet.
 *
 * Programs that know no `prefers-color-scheme` show the light ones; Outlook's apps, which mark what they
 * have turned dark, are told the same by `data-ogsc` and `data-ogsb`.
 */

const FACE = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/** Light and dark, by the names that the dashboard has for them; the last two it has not. */
export const COLOURS = {
  paper: ['#f4f5f8', '#10131a'],
  card: ['#ffffff', '#181d27'],
  ink: ['#171c26', '#e7ebf3'],
  quiet: ['#5b6575', '#9aa5b8'],
  line: ['#e3e6ec', '#2a3140'],
  accent: ['#3555d2', '#8ea6ff'],
  'accent-ink': ['#ffffff', '#10131a'],
  better: ['#0b7a48', '#5fd39a'],
  worse: ['#b3372a', '#ff9d8f'],
  pale: ['#c5cff3', '#3b4a7d'],
  track: ['#eef0f6', '#232a37'],
} as const;

interface Shade {
  readonly property: 'background-color' | 'color' | 'border-color';
  readonly colour: keyof typeof COLOURS;
}

/** By class: what is written inline, and what stands for it in the dark. */
const SHADES = {
  paper: { property: 'background-color', colour: 'paper' },
  card: { property: 'background-color', colour: 'card' },
  ink: { property: 'color', colour: 'ink' },
  quiet: { property: 'color', colour: 'quiet' },
  line: { property: 'border-color', colour: 'line' },
  button: { property: 'background-color', colour: 'accent' },
  label: { property: 'color', colour: 'accent-ink' },
  fill: { property: 'background-color', colour: 'accent' },
  pale: { property: 'background-color', colour: 'pale' },
  track: { property: 'background-color', colour: 'track' },
  better: { property: 'color', colour: 'better' },
  worse: { property: 'color', colour: 'worse' },
} as const satisfies Record<string, Shade>;

/** A class of the sheet that says a colour. */
export type Shading = keyof typeof SHADES;

/** Those that change a size on narrow screens. */
type Sizing = 'pad' | 'big' | 'round';

/** The attributes of an element: its classes, and what they say inline beside what is its own. */
export function shaded(own: string, ...classes: readonly (Shading | Sizing)[]): string {
  const colours = classes.flatMap((name) => {
    const shade = name in SHADES ? SHADES[name as Shading] : null;
    return shade === null ? [] : [`${shade.property}:${COLOURS[shade.colour][0]}`];
  });
  const style = [...colours, own].filter((part) => part !== '').join(';');
  return `class="${classes.join(' ')}" style="${style}"`;
}

/** The value of `font` for a size and a weight. */
export function face(sizePx: number, linePx: number, weight = 400): string {
  return `font:${weight} ${sizePx}px/${linePx}px ${FACE}`;
}

/** A rule for each class. @param marked what its selector begins with. */
function darkRules(marked: (property: Shade['property']) => string): string {
  return Object.entries(SHADES)
    .map(([name, { property, colour }]) => {
      return `${marked(property)}.${name}{${property}:${COLOURS[colour][1]} !important}`;
    })
    .join('');
}

/** What cannot stand inline. */
export const SHEET = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  // Some turn dates and addresses into links of their own colour.
  'a[x-apple-data-detectors]{color:inherit !important;text-decoration:none !important}',
  '@media (max-width:480px){.pad{padding-left:20px !important;padding-right:20px !important}' +
    '.big{font-size:32px !important;line-height:40px !important}' +
    '.outer{padding:20px 0 !important}.round{border-radius:0 !important}}',
  `@media (prefers-color-scheme:dark){${darkRules(() => '')}}`,
  darkRules((property) => (property === 'color' ? '[data-ogsc] ' : '[data-ogsb] ')),
].join('');
