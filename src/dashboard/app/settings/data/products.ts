/** The products whose files can be imported (P-1), and where each of them has its export. */
import { type SayKey, say } from '../../words/settings.ts';

/** One that somebody may come from. */
export interface Product {
  readonly key: string;
  /** What it calls itself; null: it has no name but a description. */
  readonly name: string | null;
  /** What an import of it says its format is. */
  readonly formats: readonly string[];
  /** Where its export is found, and what becomes of it. */
  readonly hint: SayKey;
}

const product = (key: string, name: string, hint: SayKey, formats = [key]): Product => ({
  ...{ key, name, hint, formats },
});

/** By name, as they are looked for; what has none comes last. */
export const PRODUCTS: readonly Product[] = [
  product('fathom', 'Fathom', 'hintFathom'),
  product('footfall', 'Footfall', 'hintFootfall'),
  product('goatcounter', 'GoatCounter', 'hintGoatcounter'),
  product('google-analytics', 'Google Analytics 4', 'hintGoogle'),
  product('matomo', 'Matomo', 'hintMatomo', ['matomo-visits', 'matomo-reports']),
  product('plausible', 'Plausible', 'hintPlausible'),
  product('simple-analytics', 'Simple Analytics', 'hintSimple'),
  product('umami', 'Umami', 'hintUmami'),
  { key: 'access-log', name: null, formats: ['access-log'], hint: 'hintLogs' },
];

/** What people call it. */
export function productName({ name }: Product): string {
  return name ?? say('accessLogs');
}

/** The product that a format is of; '' where nobody has looked yet. */
export function formatName(format: string): string {
  const found = PRODUCTS.find(({ formats }) => formats.includes(format));
  return found === undefined ? format : productName(found);
}
