/**
 * What belongs to a site: goals, funnels, views, reports, webhooks, themes, clients.
 *
 * Made by `npm run generate:client` from the OpenAPI document; a test holds it to that.
 */
import type { Annotation, Funnel, Goal, Report, Theme, View } from './shapes.ts';

/** By method and path. */
export interface RecordsOperations {
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
    readonly body: { readonly domain_id: string; readonly emails: readonly string[]; readonly interval: number; readonly link_to?: string | null; readonly language?: string | null };
    readonly answer: readonly Report[];
  };
  /** Changes a report: what the body may carry takes the place of what is there. */
  readonly 'PUT /api/v1/report': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly interval: number; readonly link_to?: string | null; readonly language?: string | null };
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
  /** A logo or icon of a dashboard. */
  readonly 'GET /api/v1/theme/file/{id}': {
    readonly query: Record<string, never>;
    readonly body: undefined;
    readonly answer: unknown;
  };
}
