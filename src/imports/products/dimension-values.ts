/** Values of daily sums as products write them, as live hits have them; what is unknown is ''. */

import type { SumDimension } from '../../model/imported-sum.ts';
import { browserNamed, deviceNamed, isUnknown, systemNamed } from '../source/agent-names.ts';
import { countryCode, languageCode } from '../source/values.ts';

const READ: Partial<Record<SumDimension, (text: string) => string | undefined>> = {
  page: pathOf,
  entry: pathOf,
  exit: pathOf,
  referrer: (text) => (isDirect(text) ? '' : text),
  language: languageCode,
  country: (text) => (text.toLowerCase() === 'xx' ? '' : countryCode(text)),
  browser: browserNamed,
  os: (text) => systemNamed(text).name,
  device: deviceNamed,
  utm_source: (text) => (isDirect(text) ? '' : text),
  utm_medium: (text) => (isDirect(text) ? '' : text),
};

/** A value of a dimension. */
export function dimensionValue(dimension: SumDimension, text: string): string {
  if (isUnknown(text)) return '';
  const read = READ[dimension];
  return read === undefined ? text : (read(text) ?? '');
}

/** The path of an address or of a path; a query behind it is left out. */
function pathOf(text: string): string {
  const path = text.replace(/^(?:https?:)?\/\/[^/?#]+/i, '').replace(/[?#].*$/s, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Some products have a name for no referrer and no medium. */
function isDirect(text: string): boolean {
  return text === '(direct)' || text === '(none)' || text.toLowerCase() === 'direct';
}
