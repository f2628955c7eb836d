/**
 * The service itself: pages, scripts, health, this document.
 *
 * Made by `npm run generate:client` from the OpenAPI document; a test holds it to that.
 */
import type { Export, ExternalImport, ExternalKeywords } from './shapes.ts';

/** By method and path. */
export interface OtherOperations {
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
  /** How many keywords of a search console a domain has, and of which days. */
  readonly 'GET /api/v1/external/keywords': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: { readonly domain_id: string; readonly rows: number; readonly from: string | null; readonly to: string | null };
  };
  /** Imports the CSV export of a search console, in place of what there was of its days. */
  readonly 'POST /api/v1/external/keywords': {
    readonly query: { readonly domain_id: string; };
    readonly body: string;
    readonly answer: ExternalKeywords;
  };
  /** Deletes what was imported from a search console, of some days or of all. */
  readonly 'DELETE /api/v1/external/keywords': {
    readonly query: { readonly domain_id: string; readonly from?: string | undefined; readonly to?: string | undefined; };
    readonly body: undefined;
    readonly answer: ExternalKeywords;
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
  /** Uploads a file that another product has exported, to import it; it is kept for a day. Archives are taken as they are. */
  readonly 'POST /api/v1/external/upload': {
    readonly query: { readonly domain_id: string; };
    readonly body: string;
    readonly answer: { readonly name: string; readonly id: string };
  };
  /** Lists the uploads of a domain that can be imported, oldest first. */
  readonly 'GET /api/v1/external/import/profile': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: readonly { readonly name: string; readonly id: string }[];
  };
  /** Lists the imports of a domain, newest first. */
  readonly 'GET /api/v1/external/import': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: readonly ExternalImport[];
  };
  /** Imports an upload, in the background: days before the domain counted itself, or some of them. */
  readonly 'POST /api/v1/external/import': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly property: string; readonly from?: string | null; readonly to?: string | null };
    readonly answer: ExternalImport;
  };
  /** The newest import of a domain and how far it is; null when there is none. */
  readonly 'GET /api/v1/external/import/job': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: ExternalImport | null;
  };
  /** Cancels the newest import, and takes back what it wrote, running or done. */
  readonly 'DELETE /api/v1/external/import/job': {
    readonly query: { readonly domain_id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** Lists the exports of a domain, oldest first; files are offered for 24 hours. */
  readonly 'GET /api/v1/export': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: readonly Export[];
  };
  /** Exports the rows of a domain into files, in the background: all that was stored before, or some days of it. */
  readonly 'POST /api/v1/export': {
    readonly query: Record<string, never>;
    readonly body: { readonly domain_id: string; readonly from?: string | null; readonly to?: string | null; readonly what?: string | null; readonly format?: string | null };
    readonly answer: Export;
  };
  /** Cancels an export that waits or runs; one that has ended is removed with its files. */
  readonly 'DELETE /api/v1/export': {
    readonly query: { readonly id: string; };
    readonly body: undefined;
    readonly answer: Record<string, never>;
  };
  /** A file of an export, as long as it is offered. */
  readonly 'GET /api/v1/export/file': {
    readonly query: { readonly id: string; readonly name: string; };
    readonly body: undefined;
    readonly answer: unknown;
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
