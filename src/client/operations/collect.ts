/**
 * What is counted: hits, events, keep-alives.
 *
 * Made by `npm run generate:client` from the OpenAPI document; a test holds it to that.
 */

/** By method and path. */
export interface CollectOperations {
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
}
