/**
 * The panels of a site's page, a row each: what is asked, what is shown, what a click filters by.
 *
 * A new panel or tab is a row here and its words.
 */
import type { Statistic } from '../../data/batch.ts';
import { country, languageName } from '../../words/format.ts';
import { type WordKey, word } from '../../words/words.ts';

/** A row as the interface answers it. */
export type Row = Readonly<Record<string, unknown>>;

/** One list of a panel. */
export interface Tab {
  /** In the address. */
  readonly key: string;
  readonly label: WordKey;
  readonly statistic: Statistic;
  /** What rows are called. */
  readonly column: WordKey;
  /** The number that orders them. */
  readonly metric: string;
  readonly metricLabel: WordKey;
  /** The parameter a click filters by; null: none. */
  readonly filter: string | null;
  /** The field of a row that the filter takes. */
  readonly field: string;
  /** Parameters beside those of the view. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** How a row is told; the field's own text without it. */
  readonly shown?: (row: Row) => string;
  /** Whether the text is the path of a page that can be opened. */
  readonly isPath?: true;
}

/** A place of the page with some lists. */
export interface Panel {
  readonly key: string;
  readonly title: WordKey;
  readonly tabs: readonly Tab[];
}

function list(
  key: string,
  label: WordKey,
  statistic: Statistic,
  more: Partial<Tab> & Pick<Tab, 'column' | 'field'>,
): Tab {
  return {
    ...{ key, label, statistic, metric: 'visitors', metricLabel: 'visitors' as const },
    filter: more.field,
    ...more,
  };
}

const CAMPAIGN_WORDS: Readonly<Record<string, WordKey>> = {
  campaign: 'utmCampaign',
  source: 'utmSource',
  medium: 'utmMedium',
  content: 'utmContent',
  term: 'utmTerm',
};

const PATH = { column: 'page', field: 'path', isPath: true } as const;

function campaign(key: string, label: WordKey): Tab {
  const column = CAMPAIGN_WORDS[key] ?? label;
  return list(key, label, `utm/${key}` as Statistic, { column, field: `utm_${key}` });
}

/** In the order of the page. */
export const PANELS: readonly Panel[] = [
  {
    key: 'pages',
    title: 'pages',
    tabs: [
      list('all', 'all', 'page', PATH),
      list('title', 'titles', 'page', {
        ...{ column: 'title', field: 'path', parameters: { include_title: 'true' } },
        shown: (row) => String(row['title']),
      }),
      list('entry', 'entry', 'page/entry', {
        ...{ ...PATH, filter: 'entry_path', metric: 'entries', metricLabel: 'entries' },
      }),
      list('exit', 'exit', 'page/exit', {
        ...{ ...PATH, filter: 'exit_path', metric: 'exits', metricLabel: 'exits' },
      }),
      list('hostname', 'hostnames', 'hostname', { column: 'hostname', field: 'hostname' }),
    ],
  },
  {
    key: 'sources',
    title: 'sources',
    tabs: [
      list('source', 'all', 'referrer', {
        ...{ column: 'source', field: 'referrer_name', filter: 'referrer_name' },
        shown: (row) => String(row['referrer_name']) || word('direct'),
      }),
      list('channel', 'channels', 'channel', { column: 'channel', field: 'channel' }),
    ],
  },
  {
    key: 'campaigns',
    title: 'campaigns',
    tabs: [
      campaign('campaign', 'all'),
      campaign('source', 'source'),
      campaign('medium', 'medium'),
      campaign('content', 'content'),
      campaign('term', 'term'),
    ],
  },
  {
    key: 'places',
    title: 'places',
    tabs: [
      list('country', 'countries', 'country', {
        ...{ column: 'country', field: 'country_code', filter: 'country' },
        shown: (row) => country(String(row['country_code'])),
      }),
      list('region', 'regions', 'region', { column: 'region', field: 'region' }),
      list('city', 'cities', 'city', { column: 'city', field: 'city' }),
      list('language', 'languages', 'language', {
        ...{ column: 'language', field: 'language' },
        shown: (row) => languageName(String(row['language'])),
      }),
    ],
  },
  {
    key: 'technology',
    title: 'technology',
    tabs: [
      list('browser', 'browsers', 'browser', { column: 'browser', field: 'browser' }),
      list('browser-version', 'versions', 'browser/version', {
        ...{ column: 'browserVersion', field: 'browser_version' },
        shown: (row) => `${row['browser']} ${row['browser_version']}`.trim(),
      }),
      list('os', 'systems', 'os', { column: 'os', field: 'os' }),
      list('os-version', 'versions', 'os/version', {
        ...{ column: 'osVersion', field: 'os_version' },
        shown: (row) => `${row['os']} ${row['os_version']}`.trim(),
      }),
      list('device', 'devices', 'device', { column: 'device', field: 'device' }),
      list('screen', 'screens', 'screen', { column: 'screen', field: 'screen_class' }),
      list('platform', 'platforms', 'platform', {
        ...{ column: 'platform', field: 'platform' },
        shown: (row) => word(PLATFORM_WORDS[String(row['platform'])] ?? 'otherPlatform'),
      }),
    ],
  },
  {
    key: 'events',
    title: 'events',
    tabs: [
      list('all', 'all', 'events', {
        ...{ column: 'event', field: 'name', filter: 'event' },
        ...{ metric: 'count', metricLabel: 'count' },
      }),
      list('page', 'pages', 'event/page', PATH),
      list('tag', 'tags', 'tags', { column: 'tag', field: 'key', filter: 'tag' }),
    ],
  },
];

const PLATFORM_WORDS: Readonly<Record<string, WordKey>> = {
  desktop: 'desktop',
  mobile: 'mobile',
  unknown: 'otherPlatform',
};

/** The rows of an answer; platforms come as fields of one object. */
export function rowsOf(tab: Tab, answer: unknown): readonly Row[] {
  if (Array.isArray(answer)) return answer as Row[];
  if (tab.statistic !== 'platform') return [];
  const given = answer as Record<string, number>;
  return ['desktop', 'mobile', 'unknown']
    .map((platform) => ({
      platform,
      visitors: given[`platform_${platform}`] ?? 0,
      relative_visitors: given[`relative_platform_${platform}`] ?? 0,
    }))
    .filter(({ visitors }) => visitors > 0)
    .sort((left, right) => right.visitors - left.visitors);
}

/** How a row is told. */
export function shownOf(tab: Tab, row: Row): string {
  const text = tab.shown?.(row) ?? String(row[tab.field] ?? '');
  return text === '' ? word('unknown') : text;
}

/** What a click on a row filters by: an empty value is `null` there (F-23). */
export function filterValueOf(tab: Tab, row: Row): string {
  const text = String(row[tab.field] ?? '');
  return text === '' ? 'null' : text;
}
