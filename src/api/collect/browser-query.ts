/**
 * The parameters of a browser's request: what a page says of itself in an address.
 *
 * Data plane. One walk over the query: names that mean nothing are passed over, values are decoded
 * only where something is encoded (`+` is a space, kept as sent if they do not decode). An empty value
 * equals an absent one (F-7), and of several the first counts. Decoding what does not decode is slow, so
 * only the first parameters are read: hits have less than thirty.
 */
import type { RawHit } from '../../ingest/raw-hit.ts';
import { decodeParameter } from '../../ingest/text.ts';
import { PAGE_PARAMETER_COUNT_MAX } from '../../model/limits.ts';

const TAG_PREFIX = 'tag_';
/** A width beyond it is none of a screen; the number is kept small. */
const SCREEN_SIZE_MAX = 1_000_000;

/**
 * Reads a query into a hit.
 *
 * @param raw what the page says is not in it yet.
 * @returns the identification code; '' without one.
 */
export function readBrowserQuery(query: string, raw: RawHit): string {
  let code = '';
  let start = 0;
  for (let count = 0; start < query.length && count < PAGE_PARAMETER_COUNT_MAX; count++) {
    let end = query.indexOf('&', start);
    if (end === -1) end = query.length;
    const parameter = query.slice(start, end);
    start = end + 1;
    const equals = parameter.indexOf('=');
    // Without a value it is as if it were not there.
    if (equals === -1 || equals === parameter.length - 1) continue;
    const name = decodeParameter(parameter.slice(0, equals));
    const value = decodeParameter(parameter.slice(equals + 1));
    if (name === 'code') code ||= value;
    else put(raw, name, value);
  }
  return code;
}

function put(raw: RawHit, name: string, value: string): void {
  switch (name) {
    case 'url':
      raw.url ??= value;
      return;
    case 't':
      raw.title ??= value;
      return;
    case 'ref':
      raw.referrer ??= value;
      return;
    case 'w':
      raw.screen_width ??= screenSize(value);
      return;
    case 'h':
      raw.screen_height ??= screenSize(value);
      return;
    default:
      if (name.startsWith(TAG_PREFIX)) putTag(raw, name.slice(TAG_PREFIX.length), value);
  }
}

/** Attributes of HTML have no spaces in their names, so `-` stands for one. */
function putTag(raw: RawHit, name: string, value: string): void {
  const key = name.replaceAll('-', ' ');
  // Without a prototype: the names are the client's own.
  const tags = (raw.tags ?? Object.create(null)) as Record<string, unknown>;
  tags[key] ??= value;
  raw.tags = tags;
}

/**
 * A width or height as scripts send it, in pixels of CSS: a whole number, or one with a fraction, also
 * as text.
 *
 * @returns null for anything else: no hit is lost for the size of a screen.
 */
export function screenSize(sent: unknown): number | null {
  const size = typeof sent === 'string' && sent.trim() !== '' ? Number(sent) : sent;
  if (typeof size !== 'number' || !(size > 0) || size > SCREEN_SIZE_MAX) return null;
  return Math.floor(size);
}
