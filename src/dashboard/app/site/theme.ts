/**
 * The theme of a site (M-70): its colours, face and marks, put into the page by script.
 *
 * Values are of whoever has the site, and shown to everybody: each is read strictly, and a colour on
 * which nobody could read is moved until they can, or left out.
 */
import type { Domain } from './site-data.ts';

type Colour = readonly [red: number, green: number, blue: number];

/** WCAG 2.2 AA, of small text. */
const READABLE = 4.5;
const FACE = /^[\p{L}\p{N} ,'"-]{1,200}$/u;
const TOKENS = ['--accent', '--accent-ink', '--accent-wash', '--bar', '--paper', '--face'];

/** Shows a theme from now on, in light and in dark. @returns takes it off. */
export function wearTheme({ theme }: Pick<Domain, 'theme'>): () => void {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const wear = () => {
    for (const token of TOKENS) root.style.removeProperty(token);
    const chosen = root.dataset['theme'];
    const isDark = chosen === undefined ? dark.matches : chosen === 'dark';
    for (const [token, value] of tokensOf(theme, isDark)) root.style.setProperty(token, value);
  };
  wear();
  dark.addEventListener('change', wear);
  const watch = new MutationObserver(wear);
  watch.observe(root, { attributeFilter: ['data-theme'] });
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const iconBefore = icon?.href ?? '';
  const favicon = fileOf(theme, 'favicon');
  if (icon !== null && favicon !== '') icon.href = favicon;
  return () => {
    dark.removeEventListener('change', wear);
    watch.disconnect();
    for (const token of TOKENS) root.style.removeProperty(token);
    if (icon !== null) icon.href = iconBefore;
  };
}

/** The address of a file of a theme; '' without one. Only of this service. */
export function fileOf(theme: Domain['theme'], name: string): string {
  const address = theme[name];
  if (typeof address !== 'string' || address === '') return '';
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  return url?.pathname.startsWith('/api/v1/theme/file/') === true ? url.pathname : '';
}

function tokensOf(theme: Domain['theme'], isDark: boolean): [string, string][] {
  const named = (name: string) => colourOf(theme[isDark ? `${name}_dark` : name]);
  const tokens: [string, string][] = [];
  const [card, ink, quiet]: readonly Colour[] = isDark
    ? [
        [24, 29, 39],
        [231, 235, 243],
        [154, 165, 184],
      ]
    : [
        [255, 255, 255],
        [23, 28, 38],
        [91, 101, 117],
      ];
  const paper = named('background');
  const isReadable = (on: Colour) =>
    [ink, quiet].every((text) => contrast(text as Colour, on) >= READABLE);
  if (paper !== null && isReadable(paper)) tokens.push(['--paper', textOf(paper)]);
  const wished = named('accent');
  if (wished !== null) {
    const accent = readableOn([card as Colour, paper ?? (card as Colour)], wished, ink as Colour);
    const [light, black]: readonly Colour[] = [
      [255, 255, 255],
      [16, 19, 26],
    ];
    const isLightBest = contrast(light as Colour, accent) >= contrast(black as Colour, accent);
    tokens.push(
      ['--accent', textOf(accent)],
      ['--accent-ink', textOf((isLightBest ? light : black) as Colour)],
      ['--accent-wash', `rgb(${accent.join(' ')} / ${isDark ? 16 : 12}%)`],
      ['--bar', `rgb(${accent.join(' ')} / ${isDark ? 15 : 11}%)`],
    );
  }
  const face = theme['font'];
  if (typeof face === 'string' && FACE.test(face.trim())) {
    tokens.push(['--face', `${face.trim()}, system-ui, sans-serif`]);
  }
  return tokens;
}

/** The colour, or the next one towards the ink that can be read. */
function readableOn(grounds: readonly Colour[], wished: Colour, ink: Colour): Colour {
  for (let part = 0; part < 1; part += 0.05) {
    const mixed = wished.map((value, at) =>
      Math.round(value + ((ink[at] as number) - value) * part),
    ) as unknown as Colour;
    if (grounds.every((ground) => contrast(mixed, ground) >= READABLE)) return mixed;
  }
  return ink;
}

/** `#rgb` or `#rrggbb`; null: it is no colour. */
function colourOf(given: unknown): Colour | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(String(given ?? '').trim())?.[1];
  if (digits === undefined) return null;
  const whole = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16)) as never;
}

function textOf(colour: Colour): string {
  return `rgb(${colour.join(' ')})`;
}

function contrast(left: Colour, right: Colour): number {
  const [a, b] = [luminance(left), luminance(right)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** As WCAG has it. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
