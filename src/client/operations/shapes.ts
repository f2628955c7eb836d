/**
 * What several endpoints take or answer.
 *
 * Made by `npm run generate:client` from the OpenAPI document; a test holds it to that.
 */

/** Which visits a question is about: what most statistics take. */
export interface Filter {
  /** The id of a domain. */
  readonly id: string;
  /** The first day; required unless `start` is given. */
  readonly from?: string | undefined;
  /** The last day. */
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

export interface ExternalKeywords {
  readonly domain_id: string;
  readonly rows: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly rows_imported: number;
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
  readonly language: '' | 'en' | 'de';
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

export interface ExternalImport {
  readonly id: string;
  readonly def_time: string;
  readonly mod_time: string;
  readonly domain_id: string;
  readonly external_user_id: string;
  readonly external_user_email: string;
  readonly domain: string | null;
  readonly name: string;
  readonly format: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly rows_read: number;
  readonly rows_imported: number;
  readonly rows_skipped: number;
  readonly error: string | null;
  readonly until: string | null;
  readonly taken_back: boolean;
}

export interface Export {
  readonly id: string;
  readonly domain_id: string;
  readonly what: string;
  readonly format: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly rows: number;
  readonly files: readonly { readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly url: string }[];
  readonly created: string;
  readonly expires: string | null;
  readonly error: string | null;
}
