/**
 * A hit as it is sent, made and filled field by field. Data plane.
 *
 * Made by `npm run generate` from `edge/body/hit-fields.ts`; a test holds it to that.
 */

import { assert } from '../../base/assert.ts';
import type { RawHit } from '../../ingest/raw-hit.ts';

/** A hit whose fields are not checked yet. */
export type BlankHit = { [Name in keyof RawHit]-?: unknown };

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
    sec_ch_ua_model: undefined,
    identification_code: undefined,
  };
}

/** Sets a field by its place in the table. */
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
    case 22:
      hit.sec_ch_ua_model = value;
      break;
    case 23:
      hit.identification_code = value;
      break;
    default:
      assert(false, 'a known field has a number');
  }
}
