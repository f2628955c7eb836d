/**
 * What a user agent's tokens say: operating systems and browsers (I-81..I-84), first match wins.
 *
 * Our own tables, made from the rules of the semantics; no list of a third party. A token counts
 * only where a word begins, so that `HeadlessChrome/` is not `Chrome/`.
 */

/** How a token names an operating system. */
export interface OsToken {
  token: string;
  os: string;
  /** The version stands right after the first occurrence of this text; null: there is none. */
  versionAfter: string | null;
  /** Version in the user agent → version shown, others empty; null: shown as it is. */
  versions: Readonly<Record<string, string>> | null;
}

/** How a token names a browser. */
export interface BrowserToken {
  token: string;
  browser: string;
  /** Where the version stands: after the first of these texts that occurs. */
  versionAfter: readonly string[];
  /** Only on one of these operating systems; null: on any. */
  onlyOn: readonly string[] | null;
  /** Not when this token is there too; null: whatever else is there. */
  unless: string | null;
}

const WINDOWS_VERSIONS = { '6.1': '7', '6.2': '8', '6.3': '8', '10.0': '10' };

function os(token: string, name: string, versionAfter: string | null = null): OsToken {
  return { token, os: name, versionAfter, versions: null };
}

/** Windows Phones also claim Android and iPhone, Android claims Linux, iOS claims Mac OS X. */
export const OS_TOKENS: readonly OsToken[] = [
  os('Windows Phone', 'Windows Mobile', 'Windows Phone '),
  os('Windows Mobile', 'Windows Mobile', 'Windows Mobile '),
  { ...os('Windows NT', 'Windows', 'Windows NT '), versions: WINDOWS_VERSIONS },
  os('Windows', 'Windows'),
  os('Android', 'Android', 'Android '),
  os('iPhone', 'iOS', ' OS '),
  os('iPad', 'iOS', ' OS '),
  os('iPod', 'iOS', ' OS '),
  os('CrOS', 'Chrome OS'),
  os('Mac OS X', 'Mac', 'Mac OS X '),
  os('Macintosh', 'Mac'),
  os('Linux', 'Linux'),
];

function browser(token: string, name: string, versionAfter = [token]): BrowserToken {
  return { token, browser: name, versionAfter, onlyOn: null, unless: null };
}

/** In the order of I-84. */
export const BROWSER_TOKENS: readonly BrowserToken[] = [
  browser('DuckDuckGo', 'DuckDuckGo', ['DuckDuckGo/']),
  browser('Ddg/', 'DuckDuckGo'),
  browser('Arc/', 'Arc'),
  browser('CriOS/', 'Chrome'),
  browser('Edg/', 'Edge'),
  browser('Edge/', 'Edge'),
  browser('EdgA/', 'Edge'),
  browser('EdgiOS/', 'Edge'),
  browser('Chromium/', 'Chrome'),
  browser('Firefox/', 'Firefox'),
  browser('FxiOS/', 'Firefox'),
  browser('OPR/', 'Opera'),
  // Opera before 15 froze its own token at 9.80 and put its version elsewhere.
  browser('Opera', 'Opera', ['Version/', 'Opera/', 'Opera ']),
  { ...browser('Safari/', 'Safari', ['Version/']), onlyOn: ['Mac', 'iOS'], unless: 'Chrome/' },
  browser('Chrome/', 'Chrome'),
  browser('MSIE ', 'IE'),
  browser('Trident/', 'IE', ['rv:']),
];

/** What stands in the place of a model and is none: `K` is what reduced user agents say. */
export const NO_MODELS: ReadonlySet<string> = new Set([
  ...['', 'K', 'U', 'wv', 'Mobile', 'Tablet', 'Linux', 'Android', 'HarmonyOS'],
  ...['Unknown', 'unknown', 'Generic', 'generic'],
]);

/** Operating systems of `sec_ch_ua_platform` (I-85); what is not here is shown empty. */
export const PLATFORM_HINTS: ReadonlyMap<string, string> = new Map([
  ['Windows', 'Windows'],
  ['macOS', 'Mac'],
  ['Linux', 'Linux'],
  ['Android', 'Android'],
  ['iOS', 'iOS'],
  ['Chrome OS', 'Chrome OS'],
  ['Chromium OS', 'Chrome OS'],
]);

/** Brands of `sec_ch_ua` that have a name of ours, the strongest first (I-85). */
export const BRAND_HINTS: readonly { brand: string; browser: string }[] = [
  { brand: 'Google Chrome', browser: 'Chrome' },
  { brand: 'Microsoft Edge', browser: 'Edge' },
  { brand: 'Opera', browser: 'Opera' },
  { brand: 'Arc', browser: 'Arc' },
];

/** A brand with one of these is made up to keep parsers honest, or is the engine (I-85). */
export const BRAND_NOISE: readonly string[] = ['Not', 'Brand', 'Chromium'];
