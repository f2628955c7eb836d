/**
 * Icons of sources: served by the service itself, so that no page that shows them asks a foreign host.
 *
 * Control plane, and once per distinct Android app that hits come from. An icon's address never changes
 * what it shows, since it is stored with sessions (I-94).
 */
import { SOURCE_ICONS } from '../data/source-icons.ts';

/** Where icons are, before their file's name. */
export const ICON_PATH = '/icons/';
const ENDING = '.svg';

/** Name as in the table → colour and outline. */
const icons = new Map<string, { colour: string; outline: string }>();
for (const line of SOURCE_ICONS.trim().split('\n')) {
  const [name = '', colour = '', ...outline] = line.trim().split(' ');
  icons.set(name, { colour, outline: outline.join(' ') });
}

/**
 * The address of the icon of a source, below that of the service.
 *
 * @param name as the table of sources has it: `Hacker News`.
 * @returns '' when there is none.
 */
export function sourceIcon(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return icons.has(plain) ? `${ICON_PATH}${plain}${ENDING}` : '';
}

/** What is at such an address. @param file its last part. @returns null when there is none. */
export function sourceIconImage(file: string): string | null {
  const found = file.endsWith(ENDING) ? icons.get(file.slice(0, -ENDING.length)) : undefined;
  if (found === undefined) return null;
  const { colour, outline } = found;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#${colour}"><path d="${outline}"/></svg>`;
}
