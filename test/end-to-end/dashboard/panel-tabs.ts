/** The tabs of panels: what each asks of the API, and how a row of the answer is written. */

/** A row of an answer. */
export type Row = Readonly<Record<string, string | number>>;

/** A tab and what it shows. */
export interface Expected {
  readonly panel: string;
  readonly tab: string;
  readonly statistic: string;
  /** Of the API, and of the address where something is picked. */
  readonly query?: string;
  readonly picked?: string;
  readonly name: (row: Row) => string;
  readonly number?: string;
}

const countries = new Intl.DisplayNames('en-GB', { type: 'region' });
const languages = new Intl.DisplayNames('en-GB', { type: 'language' });
const of = (field: string) => (row: Row) => String(row[field] || '(unknown)');
const country = ({ country_code: code }: Row) =>
  code === '' ? '(unknown)' : String(countries.of(String(code).toUpperCase()));
const PLATFORM = { desktop: 'Desktop', mobile: 'Mobile', unknown: 'Unknown' } as const;
const utm = (key: string): Expected => ({
  ...{ panel: 'campaigns', tab: key, statistic: `utm/${key}`, name: of(`utm_${key}`) },
});
const version = (tab: string, of: string): Expected => ({
  ...{ panel: 'technology', tab, statistic: `${of}/version` },
  name: (row) => `${row[of]} ${row[`${of}_version`]}`.trim() || '(unknown)',
});

export const TABS: readonly Expected[] = [
  { panel: 'pages', tab: 'all', statistic: 'page', name: of('path') },
  {
    ...{ panel: 'pages', tab: 'all', statistic: 'page', picked: '&tab.pages-by=title' },
    ...{ query: '&include_title=true', name: (row) => String(row['title'] || row['path']) },
  },
  { panel: 'pages', tab: 'entry', statistic: 'page/entry', name: of('path'), number: 'entries' },
  { panel: 'pages', tab: 'exit', statistic: 'page/exit', name: of('path'), number: 'exits' },
  { panel: 'pages', tab: 'hostname', statistic: 'hostname', name: of('hostname') },
  {
    ...{ panel: 'sources', tab: 'source', statistic: 'referrer' },
    name: (row) => String(row['referrer_name'] || 'Direct'),
  },
  {
    ...{ panel: 'sources', tab: 'url', statistic: 'referrer', query: '&referrer=!null' },
    name: (row) => String(row['referrer'] || row['referrer_name']),
  },
  { panel: 'sources', tab: 'channel', statistic: 'channel', name: of('channel') },
  ...['campaign', 'source', 'medium', 'content', 'term'].map(utm),
  { panel: 'places', tab: 'country', statistic: 'country', name: country },
  { panel: 'places', tab: 'region', statistic: 'region', name: of('region') },
  { panel: 'places', tab: 'city', statistic: 'city', name: of('city') },
  {
    ...{ panel: 'places', tab: 'language', statistic: 'language' },
    name: ({ language }) =>
      language === '' ? '(unknown)' : String(languages.of(String(language))),
  },
  { panel: 'technology', tab: 'browser', statistic: 'browser', name: of('browser') },
  version('browser-version', 'browser'),
  { panel: 'technology', tab: 'os', statistic: 'os', name: of('os') },
  version('os-version', 'os'),
  {
    ...{ panel: 'technology', tab: 'platform', statistic: 'platform' },
    name: ({ platform }) => PLATFORM[platform as keyof typeof PLATFORM],
  },
  { panel: 'technology', tab: 'screen', statistic: 'screen', name: of('screen_class') },
  { panel: 'technology', tab: 'device', statistic: 'device', name: of('device') },
  { panel: 'events', tab: 'all', statistic: 'events', name: of('name'), number: 'count' },
  {
    ...{ panel: 'events', tab: 'values', statistic: 'event/meta', number: 'count' },
    picked: '&tab.event=Signup&tab.event-key=plan',
    ...{ query: '&event=Signup&event_meta_key=plan', name: of('meta_value') },
  },
  {
    ...{ panel: 'events', tab: 'page', statistic: 'event/page', query: '&event=!null' },
    name: of('path'),
  },
  { panel: 'events', tab: 'list', statistic: 'event/list', name: of('name'), number: 'count' },
  { panel: 'tags', tab: 'keys', statistic: 'tags', name: of('key') },
  {
    ...{ panel: 'tags', tab: 'values', statistic: 'tag/details', picked: '&tab.tag=author' },
    ...{ query: '&tag=author', name: of('value') },
  },
];

/** The rows of an answer, of which one is an object. */
export function rowsIn(answer: Row | readonly Row[]): readonly Row[] {
  if (Array.isArray(answer)) return answer;
  const counts = answer as Row;
  return Object.keys(PLATFORM)
    .map((platform) => ({ platform, visitors: counts[`platform_${platform}`] as number }))
    .filter(({ visitors }) => visitors > 0)
    .sort((left, right) => right.visitors - left.visitors);
}

/** Parameters of the address that show a tab. */
export function addressOf({ panel, tab, picked = '' }: Expected): string {
  return `?tab.${panel}=${tab}${picked}`;
}
