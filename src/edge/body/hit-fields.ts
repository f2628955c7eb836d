/**
 * The fields of a hit as it is sent, numbered by their places. `blank-fields.ts` is made of this table.
 */

import type { RawHit } from '../../ingest/raw-hit.ts';

type FieldName = keyof RawHit;

/**
 * Fields in the order of the contract, and whether their texts come from a small set. Those of a
 * page do not: a table of all pages is colder than a new string (bench/README.md, Tried).
 */
export const FIELDS: readonly { name: FieldName; recurs: boolean }[] = [
  { name: 'url', recurs: false },
  { name: 'ip', recurs: false },
  { name: 'user_agent', recurs: true },
  { name: 'dnt', recurs: true },
  { name: 'accept_language', recurs: true },
  { name: 'sec_ch_ua', recurs: true },
  { name: 'sec_ch_ua_mobile', recurs: true },
  { name: 'sec_ch_ua_platform', recurs: true },
  { name: 'sec_ch_ua_platform_version', recurs: true },
  { name: 'sec_ch_width', recurs: true },
  { name: 'sec_ch_viewport_width', recurs: true },
  { name: 'title', recurs: false },
  { name: 'referrer', recurs: true },
  { name: 'screen_width', recurs: false },
  { name: 'screen_height', recurs: false },
  { name: 'tags', recurs: false },
  { name: 'disable_bot_filter', recurs: false },
  { name: 'time', recurs: false },
  { name: 'event_name', recurs: true },
  { name: 'event_duration', recurs: false },
  { name: 'event_meta', recurs: false },
  { name: 'non_interactive', recurs: false },
  { name: 'sec_ch_ua_model', recurs: true },
  { name: 'identification_code', recurs: true },
];
