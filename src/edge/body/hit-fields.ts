/**
 * The fields of a hit as `hit-reader.ts` numbers them. Data plane.
 */

import { assert } from '../../base/assert.ts';
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
];

/** A hit whose fields are not checked yet. */
export type BlankHit = { [Name in FieldName]: unknown };

/** Always the same fields in the same order: one hidden class. */
export function blankHit(): BlankHit {
  return {
    url: undefined,
    ip: undefined,
    user_agent: undefined,
    dnt: undefined,
    accept_language: undefined,
    sec_ch_ua: undefined,
    sec_ch_ua_mobile: undefined,
    sec_ch_ua_platform: undefined,
    sec_ch_ua_platform_version: undefined,
    sec_ch_width: undefined,
    sec_ch_viewport_width: undefined,
    title: undefined,
    referrer: undefined,
    screen_width: undefined,
    screen_height: undefined,
    tags: undefined,
    disable_bot_filter: undefined,
    time: undefined,
    event_name: undefined,
    event_duration: undefined,
    event_meta: undefined,
    non_interactive: undefined,
  };
}

/** Field by field: writing a property by a variable name costs ten times more. */
export function put(hit: BlankHit, field: number, value: unknown): void {
  switch (field) {
    case 0:
      hit.url = value;
      break;
    case 1:
      hit.ip = value;
      break;
    case 2:
      hit.user_agent = value;
      break;
    case 3:
      hit.dnt = value;
      break;
    case 4:
      hit.accept_language = value;
      break;
    case 5:
      hit.sec_ch_ua = value;
      break;
    case 6:
      hit.sec_ch_ua_mobile = value;
      break;
    case 7:
      hit.sec_ch_ua_platform = value;
      break;
    case 8:
      hit.sec_ch_ua_platform_version = value;
      break;
    case 9:
      hit.sec_ch_width = value;
      break;
    case 10:
      hit.sec_ch_viewport_width = value;
      break;
    case 11:
      hit.title = value;
      break;
    case 12:
      hit.referrer = value;
      break;
    case 13:
      hit.screen_width = value;
      break;
    case 14:
      hit.screen_height = value;
      break;
    case 15:
      hit.tags = value;
      break;
    case 16:
      hit.disable_bot_filter = value;
      break;
    case 17:
      hit.time = value;
      break;
    case 18:
      hit.event_name = value;
      break;
    case 19:
      hit.event_duration = value;
      break;
    case 20:
      hit.event_meta = value;
      break;
    case 21:
      hit.non_interactive = value;
      break;
    default:
      assert(false, 'a known field has a number');
  }
}
