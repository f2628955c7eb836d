/**
 * What other products call browsers, systems and devices, as live hits call them (I-81 to I-84).
 *
 * A name that stands in no table is taken as it is: it is the source's own, and nobody else's.
 */

const BROWSERS: Readonly<Record<string, string>> = {
  'chrome webview': 'Chrome',
  'chromium-webview': 'Chrome',
  'chrome mobile': 'Chrome',
  'chrome mobile ios': 'Chrome',
  'google chrome': 'Chrome',
  chrome: 'Chrome',
  chromium: 'Chrome',
  crios: 'Chrome',
  android: 'Android',
  'android webview': 'Android',
  edge: 'Edge',
  'edge-chromium': 'Edge',
  'edge-ios': 'Edge',
  'microsoft edge': 'Edge',
  firefox: 'Firefox',
  'firefox mobile': 'Firefox',
  'firefox mobile ios': 'Firefox',
  fxios: 'Firefox',
  'mobile firefox': 'Firefox',
  ie: 'IE',
  'internet explorer': 'IE',
  ios: 'Safari',
  'ios-webview': 'Safari',
  'mobile safari': 'Safari',
  safari: 'Safari',
  'safari (in-app)': 'Safari',
  opera: 'Opera',
  'opera mobile': 'Opera',
  duckduckgo: 'DuckDuckGo',
  'duckduckgo privacy browser': 'DuckDuckGo',
  samsung: 'Samsung Internet',
  'samsung browser': 'Samsung Internet',
  yandexbrowser: 'Yandex',
  'yandex browser': 'Yandex',
  facebook: 'Facebook',
  instagram: 'Instagram',
};

const SYSTEMS: Readonly<Record<string, string>> = {
  'android os': 'Android',
  android: 'Android',
  'chrome os': 'Chrome OS',
  chromeos: 'Chrome OS',
  'chromium os': 'Chrome OS',
  ios: 'iOS',
  ipados: 'iOS',
  linux: 'Linux',
  'gnu/linux': 'Linux',
  ubuntu: 'Linux',
  'mac os': 'Mac',
  'mac os x': 'Mac',
  macintosh: 'Mac',
  macos: 'Mac',
  mac: 'Mac',
  os_x: 'Mac',
  windows: 'Windows',
  'windows mobile': 'Windows Mobile',
  'windows phone': 'Windows Mobile',
};

const DEVICES: Readonly<Record<string, Device>> = {
  desktop: 'desktop',
  laptop: 'desktop',
  mobile: 'mobile',
  phone: 'mobile',
  smartphone: 'mobile',
  phablet: 'mobile',
  'feature phone': 'mobile',
  tablet: 'tablet',
};

/** What tells nobody anything. */
const UNKNOWN: ReadonlySet<string> = new Set([
  ...['', 'unknown', '(not set)', '(other)', 'unk', 'null', 'not set', '(not provided)'],
]);

/** A kind of device. */
export type Device = 'desktop' | 'mobile' | 'tablet';

/** A name and its version; what is unknown is undefined. */
export interface Versioned {
  readonly name: string | undefined;
  readonly version: string | undefined;
}

/** The browser of a name. */
export function browserNamed(name: string): string | undefined {
  return isUnknown(name) ? undefined : (BROWSERS[name.toLowerCase()] ?? name);
}

/** The operating system of a name, as `Windows 10` or `macOS`. */
export function systemNamed(name: string): Versioned {
  if (isUnknown(name)) return { name: undefined, version: undefined };
  const known = SYSTEMS[name.toLowerCase()];
  if (known !== undefined) return { name: known, version: undefined };
  const parts = /^(.*?) (\d[\d._]*|XP|Vista)$/.exec(name);
  if (parts === null) return { name, version: undefined };
  const [, family, version] = parts as unknown as [string, string, string];
  return { name: SYSTEMS[family.toLowerCase()] ?? family, version: version.replaceAll('_', '.') };
}

/** The browser of a name with a version behind it, as `Firefox 128`. */
export function browserVersioned(text: string): Versioned {
  const parts = /^(.*?) (\d[\d.]*)$/.exec(text);
  const name = browserNamed(parts?.[1] ?? text);
  return { name, version: name === undefined ? undefined : parts?.[2] };
}

/** The kind of device of a name; undefined where it is none of ours. */
export function deviceNamed(name: string): Device | undefined {
  return DEVICES[name.toLowerCase()];
}

/** Whether a name says that something is not known. */
export function isUnknown(name: string): boolean {
  return UNKNOWN.has(name.toLowerCase());
}
