/**
 * What was counted: statistics, filters, erasing.
 *
 * Made by `npm run generate:client` from the OpenAPI document; a test holds it to that.
 */
import type { Filter, Funnel, Goal, Page } from './shapes.ts';

/** By method and path. */
export interface StatisticsOperations {
  /** The statistic total of a domain. */
  readonly 'GET /api/v1/statistics/total': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: { readonly visitors: number; readonly views: number; readonly sessions: number; readonly bounces: number; readonly bounce_rate: number; readonly cr: number; readonly custom_metric_avg: number; readonly custom_metric_total: number };
  };
  /** The statistic visitor of a domain. */
  readonly 'GET /api/v1/statistics/visitor': {
    readonly query: Filter & { readonly scale?: 'day' | 'week' | 'month' | 'year' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly day: string | null; readonly week: string | null; readonly month: string | null; readonly year: string | null; readonly visitors: number; readonly views: number; readonly sessions: number; readonly bounces: number; readonly bounce_rate: number; readonly cr: number; readonly custom_metric_avg: number; readonly custom_metric_total: number }[];
  };
  /** The statistic growth of a domain. */
  readonly 'GET /api/v1/statistics/growth': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: { readonly visitors_growth: number; readonly views_growth: number; readonly sessions_growth: number; readonly bounces_growth: number; readonly time_spent_growth: number; readonly cr_growth: number; readonly custom_metric_avg_growth: number; readonly custom_metric_total_growth: number };
  };
  /** The statistic overview of a domain. */
  readonly 'GET /api/v1/statistics/overview': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: { readonly visitors: number; readonly views: number; readonly visitors_growth: number; readonly visitor_growth: number; readonly views_growth: number; readonly member: number; readonly visitors_time_series: readonly { readonly day: string | null; readonly week: string | null; readonly month: string | null; readonly year: string | null; readonly visitors: number; readonly views: number; readonly sessions: number; readonly bounces: number; readonly bounce_rate: number; readonly cr: number; readonly custom_metric_avg: number; readonly custom_metric_total: number }[] };
  };
  /** The statistic hours of a domain. */
  readonly 'GET /api/v1/statistics/hours': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly { readonly hour: number; readonly visitors: number; readonly views: number; readonly sessions: number; readonly bounces: number; readonly bounce_rate: number; readonly cr: number; readonly custom_metric_avg: number; readonly custom_metric_total: number }[];
  };
  /** The statistic hours/week of a domain. */
  readonly 'GET /api/v1/statistics/hours/week': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly { readonly weekday: number; readonly hour: number; readonly visitors: number; readonly views: number; readonly sessions: number; readonly bounces: number; readonly bounce_rate: number; readonly cr: number; readonly custom_metric_avg: number; readonly custom_metric_total: number }[];
  };
  /** The statistic minutes of a domain. */
  readonly 'GET /api/v1/statistics/minutes': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly { readonly minute: number; readonly visitors: number; readonly views: number; readonly sessions: number; readonly bounces: number; readonly bounce_rate: number; readonly cr: number; readonly custom_metric_avg: number; readonly custom_metric_total: number }[];
  };
  /** The statistic duration/session of a domain. */
  readonly 'GET /api/v1/statistics/duration/session': {
    readonly query: Filter & { readonly scale?: 'day' | 'week' | 'month' | 'year' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly day: string | null; readonly week: string | null; readonly month: string | null; readonly year: string | null; readonly average_time_spent_seconds: number }[];
  };
  /** The statistic duration/page of a domain. */
  readonly 'GET /api/v1/statistics/duration/page': {
    readonly query: Filter & { readonly scale?: 'day' | 'week' | 'month' | 'year' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly day: string | null; readonly week: string | null; readonly month: string | null; readonly year: string | null; readonly path: string; readonly average_time_spent_seconds: number }[];
  };
  /** The statistic page of a domain. */
  readonly 'GET /api/v1/statistics/page': {
    readonly query: Filter & { readonly sort?: 'path' | 'title' | 'visitors' | 'views' | 'sessions' | 'bounces' | 'relative_visitors' | 'relative_views' | 'bounce_rate' | 'average_time_spent_seconds' | undefined; };
    readonly body: undefined;
    readonly answer: readonly Page[];
  };
  /** The statistic page/entry of a domain. */
  readonly 'GET /api/v1/statistics/page/entry': {
    readonly query: Filter & { readonly sort?: 'path' | 'title' | 'visitors' | 'sessions' | 'entries' | 'entry_rate' | 'average_time_spent_seconds' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly path: string; readonly title: string; readonly visitors: number; readonly sessions: number; readonly entries: number; readonly entry_rate: number; readonly average_time_spent_seconds: number }[];
  };
  /** The statistic page/exit of a domain. */
  readonly 'GET /api/v1/statistics/page/exit': {
    readonly query: Filter & { readonly sort?: 'path' | 'title' | 'visitors' | 'sessions' | 'exits' | 'exit_rate' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly path: string; readonly title: string; readonly visitors: number; readonly sessions: number; readonly exits: number; readonly exit_rate: number }[];
  };
  /** The statistic referrer of a domain. */
  readonly 'GET /api/v1/statistics/referrer': {
    readonly query: Filter & { readonly sort?: 'referrer' | 'referrer_name' | 'referrer_icon' | 'visitors' | 'sessions' | 'relative_visitors' | 'bounces' | 'bounce_rate' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly referrer: string; readonly referrer_name: string; readonly referrer_icon: string; readonly visitors: number; readonly sessions: number; readonly relative_visitors: number; readonly bounces: number; readonly bounce_rate: number }[];
  };
  /** The statistic language of a domain. */
  readonly 'GET /api/v1/statistics/language': {
    readonly query: Filter & { readonly sort?: 'language' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly language: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic country of a domain. */
  readonly 'GET /api/v1/statistics/country': {
    readonly query: Filter & { readonly sort?: 'country' | 'country_code' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly country: string; readonly country_code: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic region of a domain. */
  readonly 'GET /api/v1/statistics/region': {
    readonly query: Filter & { readonly sort?: 'region' | 'country' | 'country_code' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly region: string; readonly country: string; readonly country_code: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic city of a domain. */
  readonly 'GET /api/v1/statistics/city': {
    readonly query: Filter & { readonly sort?: 'city' | 'region' | 'country' | 'country_code' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly city: string; readonly region: string; readonly country: string; readonly country_code: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic channel of a domain. */
  readonly 'GET /api/v1/statistics/channel': {
    readonly query: Filter & { readonly sort?: 'channel' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly channel: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic os of a domain. */
  readonly 'GET /api/v1/statistics/os': {
    readonly query: Filter & { readonly sort?: 'os' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly os: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic os/version of a domain. */
  readonly 'GET /api/v1/statistics/os/version': {
    readonly query: Filter & { readonly sort?: 'os' | 'os_version' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly os: string; readonly os_version: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic browser of a domain. */
  readonly 'GET /api/v1/statistics/browser': {
    readonly query: Filter & { readonly sort?: 'browser' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly browser: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic browser/version of a domain. */
  readonly 'GET /api/v1/statistics/browser/version': {
    readonly query: Filter & { readonly sort?: 'browser' | 'browser_version' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly browser: string; readonly browser_version: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic device of a domain. */
  readonly 'GET /api/v1/statistics/device': {
    readonly query: Filter & { readonly sort?: 'device' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly device: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic screen of a domain. */
  readonly 'GET /api/v1/statistics/screen': {
    readonly query: Filter & { readonly sort?: 'screen_class' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly screen_class: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic utm/source of a domain. */
  readonly 'GET /api/v1/statistics/utm/source': {
    readonly query: Filter & { readonly sort?: 'utm_source' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly utm_source: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic utm/medium of a domain. */
  readonly 'GET /api/v1/statistics/utm/medium': {
    readonly query: Filter & { readonly sort?: 'utm_medium' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly utm_medium: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic utm/campaign of a domain. */
  readonly 'GET /api/v1/statistics/utm/campaign': {
    readonly query: Filter & { readonly sort?: 'utm_campaign' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly utm_campaign: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic utm/content of a domain. */
  readonly 'GET /api/v1/statistics/utm/content': {
    readonly query: Filter & { readonly sort?: 'utm_content' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly utm_content: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic utm/term of a domain. */
  readonly 'GET /api/v1/statistics/utm/term': {
    readonly query: Filter & { readonly sort?: 'utm_term' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly utm_term: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic hostname of a domain. */
  readonly 'GET /api/v1/statistics/hostname': {
    readonly query: Filter & { readonly sort?: 'hostname' | 'visitors' | 'relative_visitors' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly hostname: string; readonly visitors: number; readonly relative_visitors: number }[];
  };
  /** The statistic platform of a domain. */
  readonly 'GET /api/v1/statistics/platform': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: { readonly platform_desktop: number; readonly platform_mobile: number; readonly platform_unknown: number; readonly relative_platform_desktop: number; readonly relative_platform_mobile: number; readonly relative_platform_unknown: number };
  };
  /** The statistic events of a domain. */
  readonly 'GET /api/v1/statistics/events': {
    readonly query: Filter & { readonly sort?: 'name' | 'count' | 'visitors' | 'views' | 'cr' | 'average_duration_seconds' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly name: string; readonly count: number; readonly visitors: number; readonly views: number; readonly cr: number; readonly average_duration_seconds: number; readonly meta_keys: readonly string[] }[];
  };
  /** The statistic event/page of a domain. */
  readonly 'GET /api/v1/statistics/event/page': {
    readonly query: Filter & { readonly sort?: 'path' | 'title' | 'visitors' | 'views' | 'sessions' | 'bounces' | 'relative_visitors' | 'relative_views' | 'bounce_rate' | 'average_time_spent_seconds' | undefined; };
    readonly body: undefined;
    readonly answer: readonly Page[];
  };
  /** The statistic event/meta of a domain. */
  readonly 'GET /api/v1/statistics/event/meta': {
    readonly query: Filter & { readonly sort?: 'name' | 'count' | 'visitors' | 'views' | 'cr' | 'average_duration_seconds' | 'meta_value' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly name: string; readonly count: number; readonly visitors: number; readonly views: number; readonly cr: number; readonly average_duration_seconds: number; readonly meta_value: string }[];
  };
  /** The statistic event/list of a domain. */
  readonly 'GET /api/v1/statistics/event/list': {
    readonly query: Filter & { readonly sort?: 'name' | 'visitors' | 'count' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly name: string; readonly meta: Readonly<Record<string, string>>; readonly visitors: number; readonly count: number }[];
  };
  /** The statistic goals of a domain. */
  readonly 'GET /api/v1/statistics/goals': {
    readonly query: Filter & { readonly sort?: 'name' | 'visitors' | 'views' | 'cr' | 'custom_metric_avg' | 'custom_metric_total' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly page_goal: Goal; readonly stats: { readonly visitors: number; readonly views: number; readonly cr: number } | { readonly visitors: number; readonly views: number; readonly cr: number; readonly custom_metric_avg: number; readonly custom_metric_total: number } }[];
  };
  /** The statistic funnel of a domain. */
  readonly 'GET /api/v1/statistics/funnel': {
    readonly query: Filter & { readonly funnel_id?: string | undefined; readonly steps?: string | undefined; };
    readonly body: undefined;
    readonly answer: { readonly definition: Funnel; readonly data: readonly { readonly step: number; readonly visitors: number; readonly relative_visitors: number; readonly previous_visitors: number; readonly relative_previous_visitors: number; readonly dropped: number; readonly drop_off: number }[] };
  };
  /** The statistic keywords of a domain. */
  readonly 'GET /api/v1/statistics/keywords': {
    readonly query: Filter & { readonly sort?: 'clicks' | 'impressions' | 'ctr' | 'position' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly keys: readonly string[]; readonly clicks: number; readonly impressions: number; readonly ctr: number; readonly position: number }[];
  };
  /** The statistic tags of a domain. */
  readonly 'GET /api/v1/statistics/tags': {
    readonly query: Filter & { readonly sort?: 'key' | 'visitors' | 'views' | 'relative_visitors' | 'relative_views' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly key: string; readonly visitors: number; readonly views: number; readonly relative_visitors: number; readonly relative_views: number }[];
  };
  /** The statistic tag/details of a domain. */
  readonly 'GET /api/v1/statistics/tag/details': {
    readonly query: Filter & { readonly sort?: 'key' | 'value' | 'visitors' | 'views' | 'relative_visitors' | 'relative_views' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly key: string; readonly value: string; readonly visitors: number; readonly views: number; readonly relative_visitors: number; readonly relative_views: number }[];
  };
  /** The statistic session/list of a domain. */
  readonly 'GET /api/v1/statistics/session/list': {
    readonly query: Filter & { readonly sort?: 'visitor_id' | 'session_id' | 'time' | 'start' | 'duration_seconds' | 'entry_path' | 'exit_path' | 'page_views' | 'entry_title' | 'exit_title' | 'language' | 'country_code' | 'city' | 'referrer' | 'referrer_name' | 'referrer_icon' | 'os' | 'os_version' | 'browser' | 'browser_version' | 'device' | 'screen_class' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_content' | 'utm_term' | 'extended' | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly visitor_id: string; readonly session_id: number; readonly time: string; readonly start: string; readonly duration_seconds: number; readonly entry_path: string; readonly exit_path: string; readonly page_views: number; readonly is_bounce: boolean; readonly entry_title: string; readonly exit_title: string; readonly language: string; readonly country_code: string; readonly city: string; readonly referrer: string; readonly referrer_name: string; readonly referrer_icon: string; readonly os: string; readonly os_version: string; readonly browser: string; readonly browser_version: string; readonly device: string; readonly desktop: boolean; readonly mobile: boolean; readonly screen_class: string; readonly utm_source: string; readonly utm_medium: string; readonly utm_campaign: string; readonly utm_content: string; readonly utm_term: string; readonly extended: number }[];
  };
  /** The statistic session/details of a domain. */
  readonly 'GET /api/v1/statistics/session/details': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly { readonly page_view: { readonly visitor_id: string; readonly session_id: number; readonly time: string; readonly duration_seconds: number; readonly path: string; readonly title: string; readonly desktop: boolean; readonly mobile: boolean; readonly language: string; readonly country_code: string; readonly city: string; readonly referrer: string; readonly referrer_name: string; readonly referrer_icon: string; readonly os: string; readonly os_version: string; readonly browser: string; readonly browser_version: string; readonly device: string; readonly screen_class: string; readonly utm_source: string; readonly utm_medium: string; readonly utm_campaign: string; readonly utm_content: string; readonly utm_term: string; readonly tag_keys: readonly string[]; readonly tag_values: readonly string[] } | null; readonly event: { readonly visitor_id: string; readonly session_id: number; readonly time: string; readonly duration_seconds: number; readonly path: string; readonly title: string; readonly desktop: boolean; readonly mobile: boolean; readonly language: string; readonly country_code: string; readonly city: string; readonly referrer: string; readonly referrer_name: string; readonly referrer_icon: string; readonly os: string; readonly os_version: string; readonly browser: string; readonly browser_version: string; readonly device: string; readonly screen_class: string; readonly utm_source: string; readonly utm_medium: string; readonly utm_campaign: string; readonly utm_content: string; readonly utm_term: string; readonly name: string; readonly meta_keys: readonly string[]; readonly meta_values: readonly string[] } | null }[];
  };
  /** The statistic active of a domain. */
  readonly 'GET /api/v1/statistics/active': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: { readonly stats: readonly { readonly path: string; readonly title: string; readonly visitors: number }[]; readonly visitors: number };
  };
  /** The statistic options/page of a domain. */
  readonly 'GET /api/v1/statistics/options/page': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/event of a domain. */
  readonly 'GET /api/v1/statistics/options/event': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/metadata of a domain. */
  readonly 'GET /api/v1/statistics/options/metadata': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/tag of a domain. */
  readonly 'GET /api/v1/statistics/options/tag': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/tag/value of a domain. */
  readonly 'GET /api/v1/statistics/options/tag/value': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/language of a domain. */
  readonly 'GET /api/v1/statistics/options/language': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/country of a domain. */
  readonly 'GET /api/v1/statistics/options/country': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/region of a domain. */
  readonly 'GET /api/v1/statistics/options/region': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/city of a domain. */
  readonly 'GET /api/v1/statistics/options/city': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/referrer of a domain. */
  readonly 'GET /api/v1/statistics/options/referrer': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/referrer/name of a domain. */
  readonly 'GET /api/v1/statistics/options/referrer/name': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/channel of a domain. */
  readonly 'GET /api/v1/statistics/options/channel': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/device of a domain. */
  readonly 'GET /api/v1/statistics/options/device': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/utm/source of a domain. */
  readonly 'GET /api/v1/statistics/options/utm/source': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/utm/medium of a domain. */
  readonly 'GET /api/v1/statistics/options/utm/medium': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/utm/campaign of a domain. */
  readonly 'GET /api/v1/statistics/options/utm/campaign': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/utm/content of a domain. */
  readonly 'GET /api/v1/statistics/options/utm/content': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/utm/term of a domain. */
  readonly 'GET /api/v1/statistics/options/utm/term': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** The statistic options/hostname of a domain. */
  readonly 'GET /api/v1/statistics/options/hostname': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly string[];
  };
  /** Several statistics of a domain from one state of the data, with shared parameters. */
  readonly 'POST /api/v1/statistics/batch': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly queries: readonly { readonly name: string; readonly [name: string]: unknown }[]; readonly [name: string]: unknown };
    readonly answer: { readonly position: number; readonly results: readonly unknown[] };
  };
  /** Who is active, and each hit as it is stored, as server-sent events. */
  readonly 'GET /api/v1/statistics/live': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** Deletes what was collected in a range of days, in the background. */
  readonly 'DELETE /api/v1/statistics': {
    readonly query: { readonly id: string; readonly from: string; readonly to: string; readonly kind?: '' | 'all' | 'events' | 'imported' | undefined; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
}
