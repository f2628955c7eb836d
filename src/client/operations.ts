/**
 * Every endpoint: its parameters, its body, its answer.
 *
 * Made by `npm run generate:client` from the OpenAPI document; a test holds it to that.
 */

/** Which visits a question is about: what most statistics take. */
export interface Filter {
  /** The id of the organization. */
  readonly id: string;
  /** The first day, UTC; by default that of the calendar month. */
  readonly from?: string | undefined;
  /** The last day, UTC; by default that of the current calendar month. */
  readonly to?: string | undefined;
  /** Where both days are one: the first minute. */
  readonly from_time?: string | undefined;
  /** The last minute. */
  readonly to_time?: string | undefined;
  /** An IANA time zone; default: that of the domain. */
  readonly tz?: string | undefined;
  /** The last seconds up to now, at most 3600, instead of days. */
  readonly start?: number | undefined;
  /** Keeps what has one of the values. */
  readonly browser?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly browser_version?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly channel?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly city?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly country?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly device?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly entry_path?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly event?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly event_meta_key?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly exit_path?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly hostname?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly language?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly os?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly os_version?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly path?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly pattern?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly platform?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly referrer?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly referrer_name?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly region?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly screen_class?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly session_id?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly tag?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly utm_campaign?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly utm_content?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly utm_medium?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly utm_source?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly utm_term?: string | readonly string[] | undefined;
  /** Keeps what has one of the values. */
  readonly visitor_id?: string | readonly string[] | undefined;
  /** Replace <key>: keeps what has one of the values under that key. */
  readonly [key: `meta_${string}`]: unknown;
  /** Replace <key>: keeps what has one of the values under that key. */
  readonly [key: `tag_${string}`]: unknown;
  /** The key in the metadata of events that is summed. */
  readonly custom_metric_key?: string | undefined;
  /** What stands under that key. */
  readonly custom_metric_type?: 'integer' | 'float' | undefined;
  /** Whether pages are told apart by title, too. */
  readonly include_title?: boolean | undefined;
  /** Whether pages show the time on them. */
  readonly include_avg_time_on_page?: boolean | undefined;
  /** Default: descending for numbers. */
  readonly direction?: 'asc' | 'desc' | undefined;
  /** Keeps what contains the text. */
  readonly search?: string | undefined;
  /** How many rows are passed over. */
  readonly offset?: number | undefined;
  /** How many rows are shown, at most and by default 100. */
  readonly limit?: number | undefined;
}

export interface Page {
  readonly path: string;
  readonly title: string;
  readonly visitors: number;
  readonly views: number;
  readonly sessions: number;
  readonly bounces: number;
  readonly relative_visitors: number;
  readonly relative_views: number;
  readonly bounce_rate: number;
  readonly average_time_spent_seconds: number;
}

export interface Funnel {
  readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly domain_id: string;
  readonly name: string;
  readonly steps: readonly { readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly funnel_id: string;
  readonly name: string;
  readonly step: number;
  readonly filter: Readonly<Record<string, string | readonly string[]>> }[];
}

export interface Billing {
  readonly favorite?: boolean;
  readonly pinned?: boolean;
  readonly traffic_spike?: boolean;
  readonly traffic_spike_threshold?: number;
  readonly traffic_warning?: boolean;
  readonly traffic_warning_threshold?: number;
  readonly filter?: { readonly ip_block: readonly string[];
  readonly ip_allow: readonly string[] };
}

export interface Invitation {
  readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly user_id: string;
  readonly name: string;
  readonly member: number;
  readonly domains: number;
  readonly themes: number;
  readonly role: 'Viewer' | 'Admin' | 'Owner';
  readonly can_edit: boolean;
}

export interface DomainLink {
  readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly domain_id: string;
  readonly code: string;
  readonly description: string;
  readonly expires: string | null;
  readonly filter: Readonly<Record<string, unknown>> | null;
  readonly frame: readonly string[];
}

export interface Goal {
  readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly domain_id: string;
  readonly name: string;
  readonly path_pattern: string | null;
  readonly pattern: string | null;
  readonly event_name: string | null;
  readonly event_meta_key: string | null;
  readonly event_meta_value: string | null;
  readonly custom_metric_key: string | null;
  readonly custom_metric_type: 'integer' | 'float' | null;
  readonly visitor_goal: number | null;
  readonly cr_goal: number | null;
  readonly custom_metric_total_goal: number | null;
  readonly custom_metric_avg_goal: number | null;
  readonly delete_reached: boolean;
  readonly email_reached: boolean;
}

export interface DomainAlternative {
  readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly domain_id: string;
  readonly hostname: string;
}

export interface View {
  readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly domain_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly from_time: string;
  readonly to_time: string;
  readonly period: number;
  readonly compare: 'previous' | 'year' | 'custom' | null;
  readonly compare_from: string | null;
  readonly compare_to: string | null;
  readonly compare_weekday: boolean;
  readonly path: readonly string[] | null;
  readonly event: readonly string[] | null;
  readonly tag: readonly string[] | null;
  readonly event_meta_key: readonly string[] | null;
  readonly event_meta_value: readonly string[] | null;
  readonly tag_key: readonly string[] | null;
  readonly tag_value: readonly string[] | null;
  readonly entry_path: string | readonly string[] | null;
  readonly exit_path: string | readonly string[] | null;
  readonly pattern: string | readonly string[] | null;
  readonly language: string | readonly string[] | null;
  readonly country: string | readonly string[] | null;
  readonly city: string | readonly string[] | null;
  readonly referrer: string | readonly string[] | null;
  readonly referrer_name: string | readonly string[] | null;
  readonly os: string | readonly string[] | null;
  readonly browser: string | readonly string[] | null;
  readonly platform: string | readonly string[] | null;
  readonly screen_class: string | readonly string[] | null;
  readonly utm_source: string | readonly string[] | null;
  readonly utm_medium: string | readonly string[] | null;
  readonly utm_campaign: string | readonly string[] | null;
  readonly utm_content: string | readonly string[] | null;
  readonly utm_term: string | readonly string[] | null;
  readonly address?: string;
  readonly visitor_id: string | null;
  readonly session_id: number | null;
}

export interface Annotation {
  readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly domain_id: string;
  readonly time: string;
  readonly text: string;
}

export interface Report {
  readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly domain_id: string;
  readonly email: string;
  readonly interval: number;
  readonly link_to: '' | 'dashboard' | 'public' | 'custom';
  readonly next_report: string;
}

export interface Theme {
  readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly organization_id: string | null;
  readonly user_id: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly logo_light: string | null;
  readonly logo_dark: string | null;
  readonly favicon: string | null;
  readonly is_default: boolean;
}

/** By method and path. */
export interface Operations {
  /** Sends a page view. */
  readonly 'POST /api/v1/hit': {
    readonly query: Record<string, never>;
    readonly body: { readonly url: string; readonly ip: string; readonly user_agent: string; readonly dnt?: string | null; readonly sec_ch_ua?: string | null; readonly sec_ch_ua_mobile?: string | null; readonly sec_ch_ua_platform?: string | null; readonly sec_ch_ua_platform_version?: string | null; readonly sec_ch_ua_model?: string | null; readonly sec_ch_width?: string | null; readonly sec_ch_viewport_width?: string | null; readonly disable_bot_filter?: boolean | null; readonly accept_language?: string | null; readonly title?: string | null; readonly referrer?: string | null; readonly screen_width?: number | null; readonly screen_height?: number | null; readonly tags?: Readonly<Record<string, unknown>> | null };
    readonly answer: Record<string, never>;
  };
  /** Sends a list of page views with their times, in chronological order. */
  readonly 'POST /api/v1/hit/batch': {
    readonly query: Record<string, never>;
    readonly body: readonly { readonly url: string; readonly ip: string; readonly user_agent: string; readonly dnt?: string | null; readonly sec_ch_ua?: string | null; readonly sec_ch_ua_mobile?: string | null; readonly sec_ch_ua_platform?: string | null; readonly sec_ch_ua_platform_version?: string | null; readonly sec_ch_ua_model?: string | null; readonly sec_ch_width?: string | null; readonly sec_ch_viewport_width?: string | null; readonly disable_bot_filter?: boolean | null; readonly accept_language?: string | null; readonly title?: string | null; readonly referrer?: string | null; readonly screen_width?: number | null; readonly screen_height?: number | null; readonly tags?: Readonly<Record<string, unknown>> | null; readonly time: string }[];
    readonly answer: { readonly accepted: number; readonly rejected: readonly { readonly index: number; readonly error: string }[] };
  };
  /** Sends a event. */
  readonly 'POST /api/v1/event': {
    readonly query: Record<string, never>;
    readonly body: { readonly url: string; readonly ip: string; readonly user_agent: string; readonly dnt?: string | null; readonly sec_ch_ua?: string | null; readonly sec_ch_ua_mobile?: string | null; readonly sec_ch_ua_platform?: string | null; readonly sec_ch_ua_platform_version?: string | null; readonly sec_ch_ua_model?: string | null; readonly sec_ch_width?: string | null; readonly sec_ch_viewport_width?: string | null; readonly disable_bot_filter?: boolean | null; readonly accept_language?: string | null; readonly title?: string | null; readonly referrer?: string | null; readonly screen_width?: number | null; readonly screen_height?: number | null; readonly tags?: Readonly<Record<string, unknown>> | null; readonly event_name: string; readonly event_duration?: number | null; readonly event_meta?: Readonly<Record<string, unknown>> | null; readonly non_interactive?: boolean | null };
    readonly answer: Record<string, never>;
  };
  /** Sends a list of events with their times, in chronological order. */
  readonly 'POST /api/v1/event/batch': {
    readonly query: Record<string, never>;
    readonly body: readonly { readonly url: string; readonly ip: string; readonly user_agent: string; readonly dnt?: string | null; readonly sec_ch_ua?: string | null; readonly sec_ch_ua_mobile?: string | null; readonly sec_ch_ua_platform?: string | null; readonly sec_ch_ua_platform_version?: string | null; readonly sec_ch_ua_model?: string | null; readonly sec_ch_width?: string | null; readonly sec_ch_viewport_width?: string | null; readonly disable_bot_filter?: boolean | null; readonly accept_language?: string | null; readonly title?: string | null; readonly referrer?: string | null; readonly screen_width?: number | null; readonly screen_height?: number | null; readonly tags?: Readonly<Record<string, unknown>> | null; readonly event_name: string; readonly event_duration?: number | null; readonly event_meta?: Readonly<Record<string, unknown>> | null; readonly non_interactive?: boolean | null; readonly time: string }[];
    readonly answer: { readonly accepted: number; readonly rejected: readonly { readonly index: number; readonly error: string }[] };
  };
  /** Sends a keep-alive. */
  readonly 'POST /api/v1/session': {
    readonly query: Record<string, never>;
    readonly body: { readonly url?: string | null; readonly ip: string; readonly user_agent: string; readonly dnt?: string | null; readonly sec_ch_ua?: string | null; readonly sec_ch_ua_mobile?: string | null; readonly sec_ch_ua_platform?: string | null; readonly sec_ch_ua_platform_version?: string | null; readonly sec_ch_ua_model?: string | null; readonly sec_ch_width?: string | null; readonly sec_ch_viewport_width?: string | null; readonly disable_bot_filter?: boolean | null };
    readonly answer: Record<string, never>;
  };
  /** Sends a list of keep-alives with their times, in chronological order. */
  readonly 'POST /api/v1/session/batch': {
    readonly query: Record<string, never>;
    readonly body: readonly { readonly url?: string | null; readonly ip: string; readonly user_agent: string; readonly dnt?: string | null; readonly sec_ch_ua?: string | null; readonly sec_ch_ua_mobile?: string | null; readonly sec_ch_ua_platform?: string | null; readonly sec_ch_ua_platform_version?: string | null; readonly sec_ch_ua_model?: string | null; readonly sec_ch_width?: string | null; readonly sec_ch_viewport_width?: string | null; readonly disable_bot_filter?: boolean | null; readonly time: string }[];
    readonly answer: { readonly accepted: number; readonly rejected: readonly { readonly index: number; readonly error: string }[] };
  };
  /** A page view, sent by the page itself. */
  readonly 'GET /hit': {
    readonly query: { readonly code: string; readonly url: string; readonly t?: string | undefined; readonly ref?: string | undefined; readonly w?: string | undefined; readonly h?: string | undefined; readonly nc?: string | undefined; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** The same for navigator.sendBeacon, which cannot do otherwise. */
  readonly 'POST /hit': {
    readonly query: { readonly code: string; readonly url: string; readonly t?: string | undefined; readonly ref?: string | undefined; readonly w?: string | undefined; readonly h?: string | undefined; readonly nc?: string | undefined; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** A page view, sent by an image of a page or a mail. */
  readonly 'GET /hit.gif': {
    readonly query: { readonly code: string; readonly url: string; readonly t?: string | undefined; readonly ref?: string | undefined; readonly w?: string | undefined; readonly h?: string | undefined; readonly nc?: string | undefined; };
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** An event, sent by the page itself; the body is JSON of whatever type it says it is. */
  readonly 'POST /event': {
    readonly query: { readonly code?: string | undefined; readonly url?: string | undefined; readonly t?: string | undefined; readonly ref?: string | undefined; readonly w?: string | undefined; readonly h?: string | undefined; readonly nc?: string | undefined; };
    readonly body: { readonly identification_code?: string; readonly url?: string; readonly title?: string | null; readonly referrer?: string | null; readonly screen_width?: number | null; readonly screen_height?: number | null; readonly tags?: Readonly<Record<string, unknown>> | null; readonly event_name: string; readonly event_duration?: number | null; readonly event_meta?: Readonly<Record<string, unknown>> | null; readonly non_interactive?: boolean | null };
    readonly answer: Record<string, never>;
  };
  /** Says that the visitor is still there: once a minute. */
  readonly 'POST /session': {
    readonly query: { readonly code: string; readonly url?: string | undefined; readonly nc?: string | undefined; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
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
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly unknown[];
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
  /** Tells what own domains were used for, deleted ones too: page views, events and a tenth of the keep-alives. More than 50 are one row named All. */
  readonly 'GET /api/v1/billing': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly { readonly domain: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean }; readonly page_views: number }[];
  };
  /** Tells what became of the items that a domain was sent, by UTC day of their own time: received is what is stored, what was dropped, by reason, and duplicates. */
  readonly 'GET /api/v1/ledger': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly { readonly date: string; readonly received: number; readonly stored: { readonly page_views: number; readonly events: number; readonly keep_alives: number }; readonly opening_events: number; readonly dropped: Readonly<Record<string, number>>; readonly duplicates: number }[];
  };
  /** Lists the programs whose items were dropped, by UTC day, name and reason, with their kind (ai, search, preview, monitor, library, other); of a day the most first. At most 92 days. */
  readonly 'GET /api/v1/ledger/bots': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly { readonly date: string; readonly name: string; readonly kind: string; readonly reason: string; readonly items: number }[];
  };
  /** Lists the domains that the client sees, or shows the one that is named. */
  readonly 'GET /api/v1/domain': {
    readonly query: { readonly id?: string | undefined; readonly subdomain?: string | undefined; readonly domain?: string | undefined; readonly access?: string | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean }[] | { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean };
  };
  /** Makes a domain of the caller, or of the owner of an organization. */
  readonly 'POST /api/v1/domain': {
    readonly query: Record<string, never>;
    readonly body: { readonly organization_id?: string | null; readonly hostname: string; readonly subdomain?: string | null; readonly timezone?: string | null; readonly theme_id?: string | null };
    readonly answer: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean };
  };
  /** Makes a new identification code; the old one is unknown from then on. */
  readonly 'PUT /api/v1/domain': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string };
    readonly answer: { readonly identification_code: string };
  };
  /** Removes a domain and what belongs to it. */
  readonly 'DELETE /api/v1/domain': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Says whether some dashboard has a custom hostname. */
  readonly 'GET /api/v1/domain/custom': {
    readonly query: { readonly domain: string; };
    readonly body: undefined;
    readonly answer: { readonly exists: boolean };
  };
  /** Says the hostname of the dashboard; an empty one takes it away. */
  readonly 'POST /api/v1/domain/custom': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly hostname: string | null };
    readonly answer: Record<string, never>;
  };
  /** Lists the domains that their owners have offered to the caller. */
  readonly 'GET /api/v1/domain/transfer': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean }[];
  };
  /** Offers the domain to a user; an empty email takes the offer back. */
  readonly 'POST /api/v1/domain/transfer': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly email: string | null };
    readonly answer: Record<string, never>;
  };
  /** Takes a domain that its owner has offered to the caller. */
  readonly 'PUT /api/v1/domain/transfer': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string };
    readonly answer: Record<string, never>;
  };
  /** Takes back the offer of a domain. */
  readonly 'DELETE /api/v1/domain/transfer': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Makes a domain a favorite of the user, or no favorite again. */
  readonly 'POST /api/v1/user/favorite': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string };
    readonly answer: Record<string, never>;
  };
  /** Pins a domain in front of the others, or takes the pin away. */
  readonly 'POST /api/v1/user/pin': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string };
    readonly answer: Record<string, never>;
  };
  /** Shows active visitors in the title of pages, or hides them. */
  readonly 'POST /api/v1/user/active': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Shows dashboards in full width, or not any more. */
  readonly 'POST /api/v1/user/fullwidth': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** The domains of which the caller has ended mails, and which kinds of them. */
  readonly 'GET /api/v1/user/notification': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: readonly { readonly domain_id: string; readonly display_name: string; readonly subdomain: string; readonly muted: readonly ('spike' | 'warning' | 'goal' | 'webhook')[] }[];
  };
  /** Ends mails of a kind about a domain for the caller, or takes that back. */
  readonly 'POST /api/v1/user/notification': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly kind: string; readonly muted: boolean };
    readonly answer: Record<string, never>;
  };
  /** Lists who changed what of a domain (for Admins) or an organization (for its owner), the newest change first. Secrets and codes are never shown. */
  readonly 'GET /api/v1/audit': {
    readonly query: { readonly domain_id?: string | undefined; readonly organization_id?: string | undefined; readonly offset?: number | undefined; readonly limit?: number | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly time: string; readonly caller: { readonly kind: string; readonly id: string; readonly name: string }; readonly action: 'created' | 'changed' | 'deleted'; readonly object: { readonly kind: string; readonly id: string; readonly name: string }; readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>> }[];
  };
  /** Lists the members of a domain or of an organization, oldest first. */
  readonly 'GET /api/v1/member': {
    readonly query: { readonly id?: string | undefined; readonly organization_id?: string | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly domain_id: string | null; readonly organization_id: string | null; readonly user_id: string; readonly role: 'Viewer' | 'Admin'; readonly user: { readonly id: string; readonly email: string; readonly full_name: string; readonly picture: string } }[];
  };
  /** Invites people to a domain or to an organization: all of them, or none. */
  readonly 'POST /api/v1/member': {
    readonly query: Record<string, never>;
    readonly body: { readonly id?: string | null; readonly organization_id?: string | null; readonly emails: readonly unknown[]; readonly role?: string | null };
    readonly answer: Record<string, never>;
  };
  /** Gives a member another role. */
  readonly 'PUT /api/v1/member': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly role: string };
    readonly answer: Record<string, never>;
  };
  /** Removes a member; everybody may remove themselves. */
  readonly 'DELETE /api/v1/member': {
    readonly query: { readonly id?: string | undefined; readonly domain_id?: string | undefined; readonly organization_id?: string | undefined; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists the caller's invitations, or those to a domain or an organization. */
  readonly 'GET /api/v1/invitation': {
    readonly query: { readonly domain_id?: string | undefined; readonly organization_id?: string | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly domain_id: string | null; readonly organization_id: string | null; readonly email: string; readonly domain: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean } | null; readonly organization: Invitation | null }[];
  };
  /** Accepts an invitation: the caller becomes a member. */
  readonly 'POST /api/v1/invitation': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string };
    readonly answer: Record<string, never>;
  };
  /** Deletes an invitation of the caller, or one to a domain or an organization. */
  readonly 'DELETE /api/v1/invitation': {
    readonly query: { readonly id: string; readonly domain_id?: string | undefined; readonly organization_id?: string | undefined; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists the organizations that the caller owns or is a member of, oldest first. */
  readonly 'GET /api/v1/organization': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: readonly Invitation[];
  };
  /** Makes a organization. */
  readonly 'POST /api/v1/organization': {
    readonly query: Record<string, never>;
    readonly body: { readonly name: string };
    readonly answer: Invitation;
  };
  /** Changes a organization: what the body may carry takes the place of what is there. */
  readonly 'PUT /api/v1/organization': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly name: string };
    readonly answer: Invitation;
  };
  /** Deletes an organization; its domains are taken out of it, or deleted with it. */
  readonly 'DELETE /api/v1/organization': {
    readonly query: Filter & { readonly delete_domains?: boolean | undefined; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists the domains of an organization, oldest first. */
  readonly 'GET /api/v1/organization/domain': {
    readonly query: Filter;
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean }[];
  };
  /** Puts a domain into an organization. */
  readonly 'POST /api/v1/organization/domain': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly domain_id: string };
    readonly answer: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean };
  };
  /** Takes a domain out of an organization. */
  readonly 'DELETE /api/v1/organization/domain': {
    readonly query: Filter & { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists the clients of a domain, or those of the caller's account; no secrets. */
  readonly 'GET /api/v1/client': {
    readonly query: { readonly id?: string | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly domain_id: string | null; readonly client_id: string; readonly description: string; readonly scope_hit: '' | 'r' | 'w'; readonly scope_event: '' | 'r' | 'w'; readonly scope_session: '' | 'r' | 'w'; readonly scope_statistics: '' | 'r' | 'w'; readonly scope_domains: '' | 'r' | 'w'; readonly scope_organizations: '' | 'r' | 'w'; readonly scope_themes: '' | 'r' | 'w'; readonly scope_billing: '' | 'r' | 'w' }[];
  };
  /** Makes a client, or changes the one of an id. */
  readonly 'POST /api/v1/client': {
    readonly query: Record<string, never>;
    readonly body: { readonly type?: string | null; readonly domain_id?: string | null; readonly description?: string | null; readonly scope_hit?: string | null; readonly scope_event?: string | null; readonly scope_session?: string | null; readonly scope_statistics?: string | null; readonly scope_domains?: string | null; readonly scope_organizations?: string | null; readonly scope_themes?: string | null; readonly scope_billing?: string | null; readonly id?: string | null };
    readonly answer: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly domain_id: string | null; readonly client_id: string; readonly description: string; readonly scope_hit: '' | 'r' | 'w'; readonly scope_event: '' | 'r' | 'w'; readonly scope_session: '' | 'r' | 'w'; readonly scope_statistics: '' | 'r' | 'w'; readonly scope_domains: '' | 'r' | 'w'; readonly scope_organizations: '' | 'r' | 'w'; readonly scope_themes: '' | 'r' | 'w'; readonly scope_billing: '' | 'r' | 'w'; readonly client_secret?: string };
  };
  /** Removes a client and what belongs to it. */
  readonly 'DELETE /api/v1/client': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Says another hostname: hits of the old one are foreign from then on. */
  readonly 'POST /api/v1/domain/hostname': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly hostname: string };
    readonly answer: Record<string, never>;
  };
  /** Says another subdomain of the dashboard. */
  readonly 'POST /api/v1/domain/subdomain': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly subdomain: string };
    readonly answer: Record<string, never>;
  };
  /** Makes the dashboard public, or private again. */
  readonly 'POST /api/v1/domain/public': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string };
    readonly answer: Record<string, never>;
  };
  /** Refuses what scripts send, or takes it again. */
  readonly 'POST /api/v1/domain/scripts': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string };
    readonly answer: Record<string, never>;
  };
  /** Groups pages by title, or by path again. */
  readonly 'POST /api/v1/domain/title': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string };
    readonly answer: Record<string, never>;
  };
  /** Says for how many seconds a visitor counts as active. */
  readonly 'POST /api/v1/domain/active': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly time: number };
    readonly answer: Record<string, never>;
  };
  /** Says another time zone, for the statistics of all times. */
  readonly 'POST /api/v1/domain/timezone': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly timezone: string };
    readonly answer: Record<string, never>;
  };
  /** Replaces the metadata, an object of your own. */
  readonly 'POST /api/v1/domain/metadata': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly metadata: Readonly<Record<string, unknown>> };
    readonly answer: Record<string, never>;
  };
  /** Says which addresses are dropped, and which are taken all the same. */
  readonly 'POST /api/v1/domain/filter': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly ip_block?: readonly unknown[] | null; readonly ip_allow?: readonly unknown[] | null };
    readonly answer: Record<string, never>;
  };
  /** Sets the number of visitors at the same time from which on a spike is told. */
  readonly 'POST /api/v1/traffic/spike': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly threshold: number };
    readonly answer: Record<string, never>;
  };
  /** Switches the note on a traffic spike on or off. */
  readonly 'PUT /api/v1/traffic/spike': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string };
    readonly answer: Record<string, never>;
  };
  /** Sets the number of days without a hit after which a warning is sent. */
  readonly 'POST /api/v1/traffic/warning': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly threshold: number };
    readonly answer: Record<string, never>;
  };
  /** Switches the warning of missing traffic on or off. */
  readonly 'PUT /api/v1/traffic/warning': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string };
    readonly answer: Record<string, never>;
  };
  /** Lists links, oldest first. */
  readonly 'GET /api/v1/domain/link': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: readonly DomainLink[];
  };
  /** Makes a link. */
  readonly 'POST /api/v1/domain/link': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly description?: string | null; readonly expires?: string | null; readonly filter?: Readonly<Record<string, unknown>> | null; readonly frame?: readonly unknown[] | null };
    readonly answer: DomainLink;
  };
  /** Changes a link: what the body may carry takes the place of what is there. */
  readonly 'PUT /api/v1/domain/link': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly description?: string | null; readonly expires?: string | null; readonly filter?: Readonly<Record<string, unknown>> | null; readonly frame?: readonly unknown[] | null };
    readonly answer: Record<string, never>;
  };
  /** Removes a link and what belongs to it. */
  readonly 'DELETE /api/v1/domain/link': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists goals, oldest first. */
  readonly 'GET /api/v1/goal': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: readonly Goal[];
  };
  /** Makes a goal. */
  readonly 'POST /api/v1/goal': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly name: string; readonly path_pattern?: string | null; readonly event_name?: string | null; readonly event_meta_key?: string | null; readonly event_meta_value?: string | null; readonly custom_metric_key?: string | null; readonly custom_metric_type?: 'integer' | 'float' | null | ''; readonly visitors?: number | null; readonly cr?: number | null; readonly custom_metric_total_goal?: number | null; readonly custom_metric_avg_goal?: number | null; readonly delete_reached?: boolean | null; readonly email_reached?: boolean | null };
    readonly answer: Goal;
  };
  /** Changes a goal: what the body may carry takes the place of what is there. */
  readonly 'PUT /api/v1/goal': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly name: string; readonly path_pattern?: string | null; readonly event_name?: string | null; readonly event_meta_key?: string | null; readonly event_meta_value?: string | null; readonly custom_metric_key?: string | null; readonly custom_metric_type?: 'integer' | 'float' | null | ''; readonly visitors?: number | null; readonly cr?: number | null; readonly custom_metric_total_goal?: number | null; readonly custom_metric_avg_goal?: number | null; readonly delete_reached?: boolean | null; readonly email_reached?: boolean | null };
    readonly answer: Goal;
  };
  /** Removes a goal and what belongs to it. */
  readonly 'DELETE /api/v1/goal': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists funnels, oldest first. */
  readonly 'GET /api/v1/funnel': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: readonly Funnel[];
  };
  /** Makes a funnel. */
  readonly 'POST /api/v1/funnel': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly name: string; readonly steps: readonly unknown[] };
    readonly answer: Funnel;
  };
  /** Changes a funnel: what the body may carry takes the place of what is there. */
  readonly 'PUT /api/v1/funnel': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly name: string; readonly steps: readonly unknown[] };
    readonly answer: Funnel;
  };
  /** Removes a funnel and what belongs to it. */
  readonly 'DELETE /api/v1/funnel': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists alternatives, oldest first. */
  readonly 'GET /api/v1/domain/alternative': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: readonly DomainAlternative[];
  };
  /** Makes a alternative. */
  readonly 'POST /api/v1/domain/alternative': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly hostname: string };
    readonly answer: DomainAlternative;
  };
  /** Changes a alternative: what the body may carry takes the place of what is there. */
  readonly 'PUT /api/v1/domain/alternative': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly hostname: string };
    readonly answer: Record<string, never>;
  };
  /** Removes a alternative and what belongs to it. */
  readonly 'DELETE /api/v1/domain/alternative': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists views, oldest first. */
  readonly 'GET /api/v1/view': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: readonly View[];
  };
  /** Makes a view, or changes the one of an id. */
  readonly 'POST /api/v1/view': {
    readonly query: Record<string, never>;
    readonly body: { readonly id?: string | null; readonly def_time?: string | number | boolean | Readonly<Record<string, unknown>> | readonly unknown[] | null; readonly mod_time?: string | number | boolean | Readonly<Record<string, unknown>> | readonly unknown[] | null; readonly domain_id: string; readonly user_id?: string | number | boolean | Readonly<Record<string, unknown>> | readonly unknown[] | null; readonly name: string; readonly from: string; readonly to: string; readonly from_time?: string | null; readonly to_time?: string | null; readonly period?: number | null; readonly compare?: 'previous' | 'year' | 'custom' | null | ''; readonly compare_from?: string | null; readonly compare_to?: string | null; readonly compare_weekday?: boolean | null; readonly path?: readonly unknown[] | null; readonly event?: readonly unknown[] | null; readonly tag?: readonly unknown[] | null; readonly event_meta_key?: readonly unknown[] | null; readonly event_meta_value?: readonly unknown[] | null; readonly tag_key?: readonly unknown[] | null; readonly tag_value?: readonly unknown[] | null; readonly entry_path?: string | readonly unknown[] | null; readonly exit_path?: string | readonly unknown[] | null; readonly pattern?: string | readonly unknown[] | null; readonly language?: string | readonly unknown[] | null; readonly country?: string | readonly unknown[] | null; readonly city?: string | readonly unknown[] | null; readonly referrer?: string | readonly unknown[] | null; readonly referrer_name?: string | readonly unknown[] | null; readonly os?: string | readonly unknown[] | null; readonly browser?: string | readonly unknown[] | null; readonly platform?: string | readonly unknown[] | null; readonly screen_class?: string | readonly unknown[] | null; readonly utm_source?: string | readonly unknown[] | null; readonly utm_medium?: string | readonly unknown[] | null; readonly utm_campaign?: string | readonly unknown[] | null; readonly utm_content?: string | readonly unknown[] | null; readonly utm_term?: string | readonly unknown[] | null; readonly address?: string | null; readonly visitor_id?: string | number | null; readonly session_id?: number | null };
    readonly answer: View;
  };
  /** Removes a view and what belongs to it. */
  readonly 'DELETE /api/v1/view': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists annotations, oldest first. */
  readonly 'GET /api/v1/annotation': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: readonly Annotation[];
  };
  /** Makes a annotation. */
  readonly 'POST /api/v1/annotation': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly time: string; readonly text: string };
    readonly answer: Annotation;
  };
  /** Changes a annotation: what the body may carry takes the place of what is there. */
  readonly 'PUT /api/v1/annotation': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly time: string; readonly text: string };
    readonly answer: Annotation;
  };
  /** Removes a annotation and what belongs to it. */
  readonly 'DELETE /api/v1/annotation': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists reports, oldest first. */
  readonly 'GET /api/v1/report': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: readonly Report[];
  };
  /** Sends email reports to addresses; one that has a report gets this one instead. */
  readonly 'POST /api/v1/report': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly emails: readonly string[]; readonly interval: number; readonly link_to?: string | null };
    readonly answer: readonly Report[];
  };
  /** Changes a report: what the body may carry takes the place of what is there. */
  readonly 'PUT /api/v1/report': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly interval: number; readonly link_to?: string | null };
    readonly answer: Report;
  };
  /** Removes a report and what belongs to it. */
  readonly 'DELETE /api/v1/report': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists webhooks, oldest first. */
  readonly 'GET /api/v1/webhook': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly domain_id: string; readonly description: string; readonly event: string; readonly endpoint: string; readonly active: boolean }[];
  };
  /** Makes a webhook, or changes the one of an id. */
  readonly 'POST /api/v1/webhook': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly description?: string | null; readonly event: string; readonly endpoint: string; readonly id?: string | null };
    readonly answer: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly domain_id: string; readonly description: string; readonly event: string; readonly endpoint: string; readonly active: boolean; readonly secret?: string };
  };
  /** Removes a webhook and what belongs to it. */
  readonly 'DELETE /api/v1/webhook': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists the themes of the user, of an organization, or those that a domain shows. */
  readonly 'GET /api/v1/theme': {
    readonly query: { readonly include_organizations?: string | undefined; readonly organization_id?: string | undefined; readonly subdomain?: string | undefined; readonly domain?: string | undefined; };
    readonly body: undefined;
    readonly answer: readonly Theme[];
  };
  /** Makes a theme, changes the one of an id, or copies the one of a copy_id. */
  readonly 'POST /api/v1/theme': {
    readonly query: Record<string, never>;
    readonly body: FormData;
    readonly answer: Theme;
  };
  /** Removes a theme. */
  readonly 'DELETE /api/v1/theme': {
    readonly query: { readonly id: string; readonly keep_settings?: string | undefined; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Removes a file of a theme, or of what a domain has for itself. */
  readonly 'DELETE /api/v1/theme/file': {
    readonly query: { readonly theme_id?: string | undefined; readonly domain_id?: string | undefined; readonly file: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Changes the settings and files that a domain has for itself. */
  readonly 'POST /api/v1/domain/theme': {
    readonly query: Record<string, never>;
    readonly body: FormData;
    readonly answer: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean };
  };
  /** Chooses the theme of a domain; without theme_id none. Answers what is shown then. */
  readonly 'PUT /api/v1/domain/theme': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly theme_id?: string | null };
    readonly answer: Readonly<Record<string, string>>;
  };
  /** Chooses the theme that domains of an organization show below their own. */
  readonly 'PUT /api/v1/organization/theme': {
    readonly query: Record<string, never>;
    readonly body: { readonly organization_id: string; readonly theme_id?: string | null };
    readonly answer: Record<string, never>;
  };
  /** Tries a regular expression, in the syntax of `pattern`, on a sample path. */
  readonly 'POST /api/v1/goal/regex': {
    readonly query: Record<string, never>;
    readonly body: { readonly regex?: string | null; readonly path_pattern?: string | null; readonly sample: string };
    readonly answer: { readonly match: boolean; readonly pattern?: string };
  };
  /** The last attempts to tell a webhook of events, the newest first; at most 200. */
  readonly 'GET /api/v1/webhook/delivery': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly time: string; readonly entry_id: string; readonly event_name: string; readonly attempt: number; readonly status: number | null; readonly error: string; readonly duration_ms: number; readonly response: string }[];
  };
  /** Sends what an attempt was to tell again, at once: whether it failed, waits or was given up. */
  readonly 'POST /api/v1/webhook/delivery': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string };
    readonly answer: Record<string, never>;
  };
  /** Sends a sample to a webhook at once, and tells what came of it; it is no delivery. */
  readonly 'POST /api/v1/webhook/test': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string };
    readonly answer: { readonly status: number | null; readonly error: string; readonly duration_ms: number; readonly response: string };
  };
  /** The page that ends mails of a kind, by the link of one. */
  readonly 'GET /api/v1/unsubscribe': {
    readonly query: { readonly token: string; };
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** Ends mails of a kind at once, by the link of one (RFC 8058). */
  readonly 'POST /api/v1/unsubscribe': {
    readonly query: { readonly token: string; readonly again?: string | undefined; };
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** Shows how the script is set for a kind of hit, with the tag to paste into pages. */
  readonly 'GET /api/v1/domain/snippet': {
    readonly query: { readonly domain_id: string; readonly type: 'page view' | 'event' | 'session'; };
    readonly body: undefined;
    readonly answer: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly domain_id: string; readonly type: 'page view' | 'event' | 'session'; readonly dev: boolean; readonly include: string; readonly exclude: string; readonly domains: string; readonly endpoint: string; readonly sample: string; readonly html: string };
  };
  /** Says how the script is set for a kind of hit, in place of what was said before. */
  readonly 'POST /api/v1/domain/snippet': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly type: string; readonly dev?: boolean | null; readonly include?: string | null; readonly exclude?: string | null; readonly domains?: string | null; readonly endpoint?: string | null; readonly sample?: string | null };
    readonly answer: Record<string, never>;
  };
  /** Exchanges the credentials of an oauth client for an access token of 60 minutes. */
  readonly 'POST /api/v1/token': {
    readonly query: Record<string, never>;
    readonly body: { readonly client_id: string; readonly client_secret: string };
    readonly answer: { readonly access_token: string; readonly expires_at: string };
  };
  /** Gives an access token of 60 minutes that reads one public or shared dashboard. */
  readonly 'POST /api/v1/access': {
    readonly query: Record<string, never>;
    readonly body: { readonly subdomain?: string | null; readonly hostname?: string | null; readonly access?: string | null };
    readonly answer: { readonly access_token: string; readonly expires_at: string; readonly filter: Readonly<Record<string, unknown>> | null };
  };
  /** Signs a person in: the answer sets the cookie of a session. */
  readonly 'POST /api/v1/login': {
    readonly query: Record<string, never>;
    readonly body: { readonly email: string; readonly password: string; readonly code?: string | null };
    readonly answer: Record<string, never>;
  };
  /** Ends the session of the cookie. */
  readonly 'POST /api/v1/logout': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Ends all sessions of the signed-in person. */
  readonly 'POST /api/v1/logout/all': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Sends a link that sets a new password, if somebody has the address. */
  readonly 'POST /api/v1/password/forgot': {
    readonly query: Record<string, never>;
    readonly body: { readonly email: string };
    readonly answer: Record<string, never>;
  };
  /** Sets the password by the token of a link; the person is signed in here, and nowhere else. */
  readonly 'POST /api/v1/password/reset': {
    readonly query: Record<string, never>;
    readonly body: { readonly token: string; readonly password: string };
    readonly answer: Record<string, never>;
  };
  /** Shows the account of the caller. */
  readonly 'GET /api/v1/user': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: { readonly id: string; readonly email: string; readonly full_name: string; readonly picture: string; readonly active_in_title: boolean; readonly full_width: boolean; readonly totp: boolean };
  };
  /** Changes the name, or the password, of the account of the caller. */
  readonly 'PUT /api/v1/user': {
    readonly query: Record<string, never>;
    readonly body: { readonly full_name?: string | null; readonly password?: string | null; readonly old_password?: string | null };
    readonly answer: Record<string, never>;
  };
  /** Removes the account of the caller, unless it owns domains or organizations. */
  readonly 'DELETE /api/v1/user': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Makes a secret for an app; codes are asked for once the first one is confirmed. */
  readonly 'POST /api/v1/user/totp': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: { readonly secret: string; readonly uri: string };
  };
  /** Turns two-factor sign-in off by a code of the app, or a recovery code. */
  readonly 'DELETE /api/v1/user/totp': {
    readonly query: Record<string, never>;
    readonly body: { readonly code: string };
    readonly answer: Record<string, never>;
  };
  /** Turns two-factor sign-in on by a code of the app; shows the recovery codes. */
  readonly 'POST /api/v1/user/totp/confirm': {
    readonly query: Record<string, never>;
    readonly body: { readonly code: string };
    readonly answer: { readonly recovery_codes: readonly string[] };
  };
  /** Whether the process works. */
  readonly 'GET /livez': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: { readonly status: 'ok' };
  };
  /** Whether the node takes hits and answers statistics, and what it misses. */
  readonly 'GET /readyz': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: { readonly status: 'ok'; readonly missing?: readonly string[] };
  };
  /** What answers here, and where to read on. */
  readonly 'GET /api/v1': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: { readonly name: string; readonly version: string; readonly api: string; readonly documentation: string; readonly livez: string; readonly readyz: string };
  };
  /** The dashboard: the list of sites, or signing in. */
  readonly 'GET /': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** The dashboard of a site. */
  readonly 'GET /{subdomain}': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** A file that the dashboard loads; its name is that of its content. */
  readonly 'GET /assets/{name}': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** Whose data places are made of, and whose programs the dashboard is made of. */
  readonly 'GET /credits': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: { readonly places: readonly { readonly text: string; readonly url: string; readonly licence: string }[]; readonly packages: readonly { readonly name: string; readonly version: string; readonly licence: string; readonly url: string; readonly text: string }[] };
  };
  /** A logo or icon of a dashboard. */
  readonly 'GET /api/v1/theme/file/{id}': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** The icon of a source of traffic, such as an app. */
  readonly 'GET /icons/{id}': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** The reference of this interface, to read and to try, as a page. */
  readonly 'GET /docs': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** The page that sets a new password, by the token of a link. */
  readonly 'GET /reset': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** The page that sets the first password, by the token of a link. */
  readonly 'GET /activate': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** The script of a page: page views, events and keep-alives. */
  readonly 'GET /js/footfall.js': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** The same with links that lead away, downloads, missing pages, clicks. */
  readonly 'GET /js/footfall-extended.js': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** The script with the settings of a domain in it, so that its tag needs no attributes. */
  readonly 'GET /js/{code}': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
  /** This document. */
  readonly 'GET /api/v1/openapi.json': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: Readonly<Record<string, unknown>>;
  };
}
