/**
 * The body of a collection request as it came over the wire (I-2, I-52, I-59).
 *
 * Names are the wire's. The edge has checked the types (ajv) before anything here reads them; a
 * field that is `null` counts as absent, so every reader treats null and undefined alike.
 */

/** One item of a collection request; which fields must be there depends on the endpoint (I-2). */
export interface RawHit {
  url?: string | null;
  ip: string;
  user_agent: string;
  /** Accepted and ignored (I-1). */
  dnt?: string | null;
  accept_language?: string | null;
  sec_ch_ua?: string | null;
  sec_ch_ua_mobile?: string | null;
  sec_ch_ua_platform?: string | null;
  sec_ch_ua_platform_version?: string | null;
  sec_ch_width?: string | null;
  sec_ch_viewport_width?: string | null;
  title?: string | null;
  referrer?: string | null;
  /** CSS pixels. */
  screen_width?: number | null;
  /** Ignored (I-80). */
  screen_height?: number | null;
  tags?: Readonly<Record<string, unknown>> | null;
  disable_bot_filter?: boolean | null;
  /** Batch items only: ISO 8601 (I-71); the edge turns it into `HitInput.timeMs`. */
  time?: string | null;
  /** Events only, as are the fields below. */
  event_name?: string | null;
  /** Seconds, may have a fraction (I-53). */
  event_duration?: number | null;
  event_meta?: Readonly<Record<string, unknown>> | null;
  non_interactive?: boolean | null;
  /** Extension. */
  sec_ch_ua_model?: string | null;
  /** Events of browsers only: whose domain it is. */
  identification_code?: string | null;
}
