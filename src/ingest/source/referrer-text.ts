/**
 * What one raw referrer means: referrer, name and icon (I-91, I-92, I-94), of whatever site it is.
 *
 * Runs once per distinct text (`referrer.ts` remembers), so it is written for reading.
 */

import { REFERRER_LENGTH_MAX } from '../../model/limits.ts';
import { authorityEnd, authorityStart, hostOf, withoutWww } from '../page/page-url.ts';
import { isAddress } from '../place/address.ts';
import { cutText, percentDecode } from '../text.ts';
import { androidAppName, sourceName } from './source.ts';
import { sourceIcon } from './source-icon.ts';

/** A referrer as it is stored, and its host for the own-site test (I-93). */
export interface Referrer {
  referrer: string;
  name: string;
  icon: string;
  /** Without `www.` and port; '' when the text was no address of a site. */
  host: string;
}

/** Nothing at all. */
export const NO_REFERRER: Referrer = { referrer: '', name: '', icon: '', host: '' };

const ANDROID_SCHEME = 'android-app://';

/**
 * Reads a raw referrer by the five steps of I-91; every text is cut (I-7).
 *
 * @param raw trimmed, one line, not empty.
 */
export function readReferrer(raw: string): Referrer {
  if (raw.startsWith(ANDROID_SCHEME)) return androidApp(raw);
  if (raw.slice(0, 4).toLowerCase() === 'http') {
    return siteReferrer(percentDecode(raw)) ?? plainText(raw);
  }
  if (/\.\p{L}+$/u.test(raw)) return siteReferrer(`https://${raw}`) ?? plainText(raw);
  return plainText(raw);
}

/** I-91 step 1. */
function androidApp(raw: string): Referrer {
  const packageEnd = raw.indexOf('/', ANDROID_SCHEME.length);
  const id = raw.slice(ANDROID_SCHEME.length, packageEnd === -1 ? undefined : packageEnd);
  const name = androidAppName(id);
  return {
    referrer: cutText(raw, REFERRER_LENGTH_MAX),
    name: cutText(name, REFERRER_LENGTH_MAX),
    // A package that nobody knows may be called like a source.
    icon: name === id ? '' : sourceIcon(name),
    host: '',
  };
}

/** I-91 step 3. */
function plainText(raw: string): Referrer {
  const end = raw.search(/[/:]/);
  if (isAddress(end === -1 ? raw : raw.slice(0, end))) return NO_REFERRER;
  return { referrer: '', name: cutText(raw, REFERRER_LENGTH_MAX), icon: '', host: '' };
}

/** I-91 steps 4 and 5; null when the text is no http address. */
function siteReferrer(text: string): Referrer | null {
  const start = authorityStart(text);
  if (start === -1) return null;
  const end = authorityEnd(text, start);
  const fullHost = hostOf(text, start, end);
  if (fullHost === '') return null;
  if (isAddress(fullHost) || fullHost.startsWith('[')) return NO_REFERRER;
  const port = /:\d+$/.exec(text.slice(start, end))?.[0] ?? '';
  const rest = text.slice(end);
  const pathEnd = rest.search(/[?#]/);
  const path = pathEnd === -1 ? rest : rest.slice(0, pathEnd);
  const shownPath = path === '/' ? '' : path;
  const scheme = text.slice(0, start).toLowerCase();
  const host = withoutWww(fullHost);
  return {
    referrer: cutText(`${scheme}${fullHost}${port}${shownPath}`, REFERRER_LENGTH_MAX),
    name: cutText(sourceName(host, shownPath), REFERRER_LENGTH_MAX),
    icon: '',
    host,
  };
}
