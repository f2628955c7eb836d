/**
 * A site: its settings, links, tag, ledger and history.
 *
 * Made by `npm run generate:client` from the OpenAPI document; a test holds it to that.
 */
import type { Billing, DomainAlternative, DomainLink } from './shapes.ts';

/** By method and path. */
export interface SiteOperations {
  /** Tells what own domains were used for, deleted ones too: page views, events and a tenth of the keep-alives. More than 50 are one row named All. */
  readonly 'GET /api/v1/billing': {
    readonly query: { readonly from?: string | undefined; readonly to?: string | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly domain: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly imported_from?: string; readonly imported_to?: string; readonly has_keywords?: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly retention_days?: number; readonly retained_from?: string; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean }; readonly page_views: number }[];
  };
  /** Tells what became of the items that a domain was sent, by UTC day of their own time: received is what is stored, what was dropped, by reason, and duplicates. */
  readonly 'GET /api/v1/ledger': {
    readonly query: { readonly id: string; readonly from?: string | undefined; readonly to?: string | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly date: string; readonly received: number; readonly stored: { readonly page_views: number; readonly events: number; readonly keep_alives: number }; readonly opening_events: number; readonly dropped: Readonly<Record<string, number>>; readonly duplicates: number }[];
  };
  /** Lists the programs whose items were dropped, by UTC day, name and reason, with their kind (ai, search, preview, monitor, library, other); of a day the most first. At most 92 days. */
  readonly 'GET /api/v1/ledger/bots': {
    readonly query: { readonly id: string; readonly from?: string | undefined; readonly to?: string | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly date: string; readonly name: string; readonly kind: string; readonly reason: string; readonly items: number }[];
  };
  /** Lists the domains that the client sees, or shows the one that is named. */
  readonly 'GET /api/v1/domain': {
    readonly query: { readonly id?: string | undefined; readonly subdomain?: string | undefined; readonly domain?: string | undefined; readonly access?: string | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly imported_from?: string; readonly imported_to?: string; readonly has_keywords?: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly retention_days?: number; readonly retained_from?: string; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean }[] | { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly imported_from?: string; readonly imported_to?: string; readonly has_keywords?: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly retention_days?: number; readonly retained_from?: string; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean };
  };
  /** Makes a domain of the caller, or of the owner of an organization. */
  readonly 'POST /api/v1/domain': {
    readonly query: Record<string, never>;
    readonly body: { readonly organization_id?: string | null; readonly hostname: string; readonly subdomain?: string | null; readonly timezone?: string | null; readonly theme_id?: string | null };
    readonly answer: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly imported_from?: string; readonly imported_to?: string; readonly has_keywords?: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly retention_days?: number; readonly retained_from?: string; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean };
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
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly imported_from?: string; readonly imported_to?: string; readonly has_keywords?: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly retention_days?: number; readonly retained_from?: string; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean }[];
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
  /** Lists who changed what of a domain (for Admins) or an organization (for its owner), the newest change first. Secrets and codes are never shown. */
  readonly 'GET /api/v1/audit': {
    readonly query: { readonly domain_id?: string | undefined; readonly organization_id?: string | undefined; readonly offset?: number | undefined; readonly limit?: number | undefined; };
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly time: string; readonly caller: { readonly kind: string; readonly id: string; readonly name: string }; readonly action: 'created' | 'changed' | 'deleted'; readonly object: { readonly kind: string; readonly id: string; readonly name: string }; readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>> }[];
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
  /** Says how many days of statistics are kept before today; 0 keeps all. */
  readonly 'POST /api/v1/domain/retention': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly days: number };
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
  /** Changes the settings and files that a domain has for itself. */
  readonly 'POST /api/v1/domain/theme': {
    readonly query: Record<string, never>;
    readonly body: FormData;
    readonly answer: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly imported_from?: string; readonly imported_to?: string; readonly has_keywords?: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly retention_days?: number; readonly retained_from?: string; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean };
  };
  /** Chooses the theme of a domain; without theme_id none. Answers what is shown then. */
  readonly 'PUT /api/v1/domain/theme': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly theme_id?: string | null };
    readonly answer: Readonly<Record<string, string>>;
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
}
