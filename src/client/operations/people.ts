/**
 * People: accounts, sign-in, members, organizations.
 *
 * Made by `npm run generate:client` from the OpenAPI document; a test holds it to that.
 */
import type { Billing, Invitation } from './shapes.ts';

/** By method and path. */
export interface PeopleOperations {
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
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly domain_id: string | null; readonly organization_id: string | null; readonly email: string; readonly domain: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly imported_from?: string; readonly imported_to?: string; readonly has_keywords?: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly retention_days?: number; readonly retained_from?: string; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean } | null; readonly organization: Invitation | null }[];
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
    readonly query: { readonly id: string; readonly delete_domains?: boolean | undefined; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists the domains of an organization, oldest first. */
  readonly 'GET /api/v1/organization/domain': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: readonly { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly imported_from?: string; readonly imported_to?: string; readonly has_keywords?: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly retention_days?: number; readonly retained_from?: string; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean }[];
  };
  /** Puts a domain into an organization. */
  readonly 'POST /api/v1/organization/domain': {
    readonly query: Record<string, never>;
    readonly body: { readonly id: string; readonly domain_id: string };
    readonly answer: { readonly id: string; readonly def_time: string; readonly mod_time: string; readonly user_id: string; readonly organization_id: string | null; readonly hostname: string; readonly subdomain: string; readonly identification_code: string; readonly public: boolean; readonly external_user_id: string | null; readonly external_user_email: string | null; readonly external_search_domain: string | null; readonly new_owner: string | null; readonly timezone: string; readonly group_by_title: boolean; readonly active_visitors_seconds: number; readonly disable_scripts: boolean; readonly statistics_start: string | null; readonly imported_statistics: boolean; readonly imported_from?: string; readonly imported_to?: string; readonly has_keywords?: boolean; readonly metadata: Readonly<Record<string, unknown>>; readonly theme_id: string | null; readonly theme: Readonly<Record<string, unknown>>; readonly custom_domain: string | null; readonly user_role: 'Viewer' | 'Admin' | 'Owner'; readonly settings: Billing; readonly retention_days?: number; readonly retained_from?: string; readonly theme_settings: Readonly<Record<string, unknown>>; readonly display_name: string; readonly subscription_active: boolean };
  };
  /** Takes a domain out of an organization. */
  readonly 'DELETE /api/v1/organization/domain': {
    readonly query: { readonly id: string; readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Chooses the theme that domains of an organization show below their own. */
  readonly 'PUT /api/v1/organization/theme': {
    readonly query: Record<string, never>;
    readonly body: { readonly organization_id: string; readonly theme_id?: string | null };
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
    readonly answer: { readonly id: string; readonly email: string; readonly full_name: string; readonly picture: string; readonly active_in_title: boolean; readonly full_width: boolean; readonly language: '' | 'en' | 'de'; readonly totp: boolean };
  };
  /** Changes the name, the language of mails, or the password of the account of the caller. */
  readonly 'PUT /api/v1/user': {
    readonly query: Record<string, never>;
    readonly body: { readonly full_name?: string | null; readonly language?: string | null; readonly password?: string | null; readonly old_password?: string | null };
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
}
