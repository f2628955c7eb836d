/**
 * The panels of a site's page, a row each: what is asked, what is shown, what a click filters by.
 *
 * A new panel or tab is a row here and its words.
 */
import type { Statistic } from '../../data/batch.ts';
import { exactFilter, textOf } from '../../view/filters.ts';
import type { View } from '../../view/view.ts';
import { country, languageName } from '../../words/format.ts';
import { type WordKey, word } from '../../words/words.ts';
import { type Figure, type Panel, picked, type Row, type Tab } from './tab.ts';

const figure = (field: string, label: WordKey, kind: Figure['kind'] = 'count'): Figure => ({
  ...{ field, label, kind },
});
const VISITORS = figure('visitors', 'visitors');
const VIEWS = figure('views', 'views');
const SESSIONS = figure('sessions', 'sessions');
const COUNT = figure('count', 'count');
const SHARE = figure('relative_visitors', 'share', 'rate');
const CONVERSION = figure('cr', 'conversion', 'rate');
const BOUNCE_RATE = figure('bounce_rate', 'bounceRate', 'rate');
const TIME_ON_PAGE: Figure = {
  ...figure('average_time_spent_seconds', 'timeOnPage', 'seconds'),
  short: 'durationShort',
};
const EVENT_TIME = figure('average_duration_seconds', 'durationShort', 'seconds');
const PLACE = figure('position', 'position', 'mean');
const ENTRY_RATE = figure('entry_rate', 'share', 'rate');
const EXIT_RATE = figure('exit_rate', 'share', 'rate');

const text = (row: Row, field: string): string => String(row[field] ?? '');

/** A list by one field, which is the parameter of its filter as well unless another one is named. */
function list(
  key: string,
  label: WordKey,
  statistic: Statistic,
  more: Partial<Tab> & { column: WordKey; field: string; filter?: string },
): Tab {
  const { field, filter = field, ...rest } = more;
  return {
    ...{ key, label, statistic, keys: [field] },
    ...{ metric: VISITORS, second: SHARE, further: [] },
    filtersOf: (row) => [[filter, text(row, field)]],
    parametersOf: () => ({}),
    ...rest,
  };
}

/** Whether pages are told by their titles. */
export function isByTitle(of: View): boolean {
  return picked(of, BY) === 'title';
}
/** Its place in the address. */
export const BY = 'pages-by';

function pages(
  key: string,
  label: WordKey,
  statistic: Statistic,
  more: Partial<Tab> & { filter: string },
): Tab {
  return list(key, label, statistic, {
    field: 'path',
    ...{ column: 'page', keys: ['path', 'title'], opens: 'path', second: TIME_ON_PAGE },
    parametersOf: (of) => ({
      include_avg_time_on_page: 'true',
      include_title: String(isByTitle(of)),
    }),
    shown: (row) => text(row, 'title') || text(row, 'path'),
    note: (row) => (text(row, 'title') === '' ? '' : text(row, 'path')),
    ...more,
  });
}

function campaign(key: string, label: WordKey, column: WordKey): Tab {
  const field = `utm_${key}`;
  return list(key, label, `utm/${key}` as Statistic, {
    ...{ field, column, leavesOutNone: true },
    shown: (row) => text(row, field) || word('notSet'),
  });
}

/** With such a filter sources are listed by their URLs (S-50). */
function isByUrl({ filters }: View): boolean {
  return filters.some(({ name }) => name === 'referrer' || name === 'referrer_name');
}

function sourceOf(row: Row): readonly [string, string] {
  return ['referrer_name', text(row, 'referrer_name')];
}

function filtersOfUrl(row: Row): readonly (readonly [string, string])[] {
  const url = text(row, 'referrer');
  return url === '' ? [sourceOf(row)] : [['referrer', url]];
}

/** A value and what it lies in: filters by all of it, or by nothing where it is unknown. */
function nested(...fields: readonly (readonly [string, string])[]): Tab['filtersOf'] {
  return (row) => {
    const all = fields.map(([filter, field]) => [filter, text(row, field)] as const);
    return all[0]?.[1] === '' ? all.slice(0, 1) : all;
  };
}

const COUNTRY = ['country', 'country_code'] as const;
const shownCountry = (row: Row) => country(text(row, 'country_code'));
const noteCountry = (row: Row) => (text(row, 'country_code') === '' ? '' : shownCountry(row));

/** Of events without a filter on them: any event (F-25). */
function eventOf(of: View): Record<string, unknown> {
  const event = picked(of, 'event');
  if (event !== '') return { event: exact(event) };
  return of.filters.some(({ name }) => name === 'event') ? {} : { event: '!null' };
}

/** The value of a parameter that means a name. */
function exact(name: string): string {
  return textOf(exactFilter('', name, ''));
}

const PLATFORM_WORDS: Readonly<Record<string, WordKey>> = {
  desktop: 'desktop',
  mobile: 'mobile',
};

const EVENT = { column: 'event', metric: COUNT, second: VISITORS } as const;

/** Pages (D-12). */
const PAGES: Panel = {
  key: 'pages',
  title: 'pages',
  tabs: [
    pages('all', 'all', 'page', {
      ...{ filter: 'path', further: [VIEWS, SESSIONS, BOUNCE_RATE, SHARE] },
    }),
    pages('entry', 'entry', 'page/entry', {
      ...{ filter: 'entry_path', metric: figure('entries', 'entries') },
      further: [ENTRY_RATE, VISITORS, SESSIONS],
    }),
    pages('exit', 'exit', 'page/exit', {
      ...{ filter: 'exit_path', metric: figure('exits', 'exits') },
      ...{ second: EXIT_RATE, further: [VISITORS, SESSIONS] },
    }),
    list('hostname', 'hostnames', 'hostname', {
      field: 'hostname',
      ...{ column: 'hostname', opens: 'hostname' },
    }),
  ],
};

const SOURCES: Panel = {
  key: 'sources',
  title: 'sources',
  tabs: [
    list('source', 'all', 'referrer', {
      field: 'referrer_name',
      ...{ column: 'source', keys: ['referrer_name', 'referrer'] },
      shown: (row) => text(row, 'referrer_name') || word('direct'),
      note: (row, of) => (isByUrl(of) ? text(row, 'referrer') : ''),
      filtersOf: (row, of) => (isByUrl(of) ? filtersOfUrl(row) : [sourceOf(row)]),
      ...{ further: [SESSIONS, BOUNCE_RATE], lookUp: 'total' },
    }),
    // With this filter, which leaves out direct traffic, it is by URL (S-50).
    list('url', 'urls', 'referrer', {
      field: 'referrer',
      ...{ column: 'referrer', keys: ['referrer', 'referrer_name'], opens: 'url' },
      parametersOf: ({ filters }) => ({
        referrer: [
          ...filters
            .filter(({ name }) => name === 'referrer')
            .map((one) => one.operator + one.value),
          '!null',
        ],
      }),
      filtersOf: filtersOfUrl,
      shown: (row) => text(row, 'referrer') || text(row, 'referrer_name'),
      note: (row) => (text(row, 'referrer') === '' ? '' : text(row, 'referrer_name')),
      ...{ further: [SESSIONS, BOUNCE_RATE], lookUp: 'total' },
    }),
    list('channel', 'channels', 'channel', {
      field: 'channel',
      column: 'channel',
    }),
    list('keywords', 'keywords', 'keywords', {
      field: 'keys',
      ...{ column: 'keyword', metric: figure('clicks', 'clicks'), second: PLACE },
      further: [figure('impressions', 'impressions'), figure('ctr', 'clickRate', 'rate')],
      isOf: (site) => site.has_keywords === true,
      // A search console knows nothing of visitors (S-66).
      filtersOf: () => [],
      empty: ({ filters }) => (filters.length === 0 ? 'nothing' : 'keywordsUnfiltered'),
      lookUp: 'list',
    }),
  ],
};

const CAMPAIGNS: Panel = {
  key: 'campaigns',
  title: 'campaigns',
  tabs: [
    campaign('campaign', 'campaign', 'utmCampaign'),
    campaign('source', 'source', 'utmSource'),
    campaign('medium', 'medium', 'utmMedium'),
    campaign('content', 'content', 'utmContent'),
    campaign('term', 'term', 'utmTerm'),
  ],
};

const PLACES: Panel = {
  key: 'places',
  title: 'places',
  tabs: [
    list('map', 'map', 'country', {
      field: 'country_code',
      ...{ column: 'country', filter: 'country', shown: shownCountry },
    }),
    list('country', 'countries', 'country', {
      field: 'country_code',
      ...{ column: 'country', filter: 'country', shown: shownCountry },
    }),
    list('region', 'regions', 'region', {
      field: 'region',
      ...{ column: 'region', keys: ['region', 'country_code'], note: noteCountry },
      filtersOf: nested(['region', 'region'], COUNTRY),
    }),
    list('city', 'cities', 'city', {
      field: 'city',
      ...{ column: 'city', keys: ['city', 'region', 'country_code'] },
      note: (row) => [text(row, 'region'), noteCountry(row)].filter(Boolean).join(', '),
      filtersOf: nested(['city', 'city'], ['region', 'region'], COUNTRY),
    }),
    list('language', 'languages', 'language', {
      field: 'language',
      ...{ column: 'language', shown: (row) => languageName(text(row, 'language')) },
    }),
  ],
};

const TECHNOLOGY: Panel = {
  key: 'technology',
  title: 'technology',
  tabs: [
    list('browser', 'browsers', 'browser', {
      field: 'browser',
      column: 'browser',
    }),
    list('browser-version', 'browserVersions', 'browser/version', {
      field: 'browser_version',
      ...{ column: 'browserVersion', keys: ['browser_version', 'browser'] },
      shown: (row) => `${text(row, 'browser')} ${text(row, 'browser_version')}`.trim(),
      filtersOf: (row) => [
        ['browser_version', text(row, 'browser_version')],
        ['browser', text(row, 'browser')],
      ],
    }),
    list('os', 'systems', 'os', {
      field: 'os',
      column: 'os',
    }),
    list('os-version', 'osVersions', 'os/version', {
      field: 'os_version',
      ...{ column: 'osVersion', keys: ['os_version', 'os'] },
      shown: (row) => `${text(row, 'os')} ${text(row, 'os_version')}`.trim(),
      filtersOf: (row) => [
        ['os_version', text(row, 'os_version')],
        ['os', text(row, 'os')],
      ],
    }),
    list('platform', 'platforms', 'platform', {
      field: 'platform',
      column: 'platform',
      shown: (row) => word(PLATFORM_WORDS[text(row, 'platform')] ?? 'otherPlatform'),
      lookUp: 'list',
    }),
    list('screen', 'screens', 'screen', {
      field: 'screen_class',
      column: 'screen',
    }),
    list('device', 'devices', 'device', {
      field: 'device',
      column: 'device',
    }),
  ],
};

const EVENTS: Panel = {
  key: 'events',
  title: 'events',
  tabs: [
    list('all', 'all', 'events', {
      field: 'name',
      ...{ ...EVENT, filter: 'event', further: [CONVERSION, VIEWS, EVENT_TIME] },
      note: (row) => ((row['meta_keys'] as readonly string[] | undefined) ?? []).join(', '),
    }),
    list('values', 'metadata', 'event/meta', {
      field: 'meta_value',
      ...{ ...EVENT, column: 'value', pick: 'event key', further: [CONVERSION, VIEWS, EVENT_TIME] },
      parametersOf: (of) => {
        const [event, key] = [picked(of, 'event'), picked(of, 'event-key')];
        return event === '' || key === ''
          ? null
          : { event: exact(event), event_meta_key: exact(key) };
      },
      keys: ['meta_value', 'name'],
      filtersOf: (row, of) => [
        [`meta_${picked(of, 'event-key')}`, text(row, 'meta_value')],
        ['event', text(row, 'name')],
      ],
      lookUp: 'list',
    }),
    list('page', 'pages', 'event/page', {
      field: 'path',
      ...{ column: 'page', opens: 'path', pick: 'event', parametersOf: eventOf },
      further: [VIEWS, SESSIONS, BOUNCE_RATE],
    }),
    list('list', 'list', 'event/list', {
      field: 'name',
      ...{ ...EVENT, keys: ['name', 'meta'], lookUp: 'list' },
      note: (row) =>
        pairs(row)
          .map(([key, value]) => `${key}: ${value}`)
          .join(' · '),
      filtersOf: (row) => [
        ['event', text(row, 'name')],
        ...pairs(row).map(([key, value]) => [`meta_${key}`, value] as const),
      ],
    }),
  ],
};

const TAGS: Panel = {
  key: 'tags',
  title: 'tags',
  tabs: [
    list('keys', 'tags', 'tags', {
      field: 'key',
      ...{ column: 'tag', filter: 'tag', further: [VIEWS], lookUp: 'list' },
    }),
    list('values', 'values', 'tag/details', {
      field: 'value',
      ...{ column: 'value', pick: 'tag', further: [VIEWS], lookUp: 'list' },
      parametersOf: (of) => tagOf(of),
      filtersOf: (row) => [[`tag_${text(row, 'key')}`, text(row, 'value')]],
    }),
  ],
};

function pairs(row: Row): [string, string][] {
  return Object.entries((row['meta'] as Record<string, string> | undefined) ?? {});
}

/** The key whose values are listed; a filter on another key stays, in another form (F-23). */
function tagOf({ tabs, filters }: View): Record<string, unknown> | null {
  const key = tabs['tag'] ?? '';
  if (key === '') return null;
  const others = filters.filter(({ name, value }) => name === 'tag' && value !== key);
  const kept = others.flatMap(({ operator, value }) =>
    operator === '' || operator === '!'
      ? [[`tag_${value}`, operator === '' ? '!null' : 'null'] as const]
      : [],
  );
  return { ...Object.fromEntries(kept), tag: exact(key) };
}

/** In the order of the page. */
export const PANELS: readonly Panel[] = [
  ...[PAGES, SOURCES, CAMPAIGNS, PLACES, TECHNOLOGY, EVENTS, TAGS],
];
