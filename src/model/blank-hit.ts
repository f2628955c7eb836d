/**
 * How a hit is made: always the same fields in the same order, so that all are of one hidden class.
 *
 * Data plane. Made by `npm run generate` from `model/text-kinds.ts`; a test holds it to that.
 */

import type { Hit } from './hit.ts';

/** A hit with nothing known but its kind and time; the one place where hits are made. */
export function createHit(kind: number, timeMs: number): Hit {
  return {
    kind,
    timeMs,
    visitorLow: 0,
    visitorHigh: 0,
    previousLow: 0,
    previousHigh: 0,
    platform: 0,
    path: '',
    title: '',
    country: '',
    region: '',
    city: '',
    language: '',
    referrer: '',
    referrerName: '',
    referrerIcon: '',
    channel: '',
    os: '',
    osVersion: '',
    browser: '',
    browserVersion: '',
    screenClass: '',
    utmSource: '',
    utmMedium: '',
    utmCampaign: '',
    utmContent: '',
    utmTerm: '',
    hostname: '',
    device: '',
    pairs: null,
    eventName: '',
    eventDurationSeconds: 0,
    nonInteractive: false,
    webhooks: '',
    sentTags: '',
  };
}
