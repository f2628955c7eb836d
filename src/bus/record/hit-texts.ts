/**
 * The texts of a hit into its record, field by field. Data plane.
 *
 * Made by `npm run generate` from `model/text-kinds.ts`; a test holds it to that.
 */

import type { Hit } from '../../model/hit.ts';

/** Takes the texts of a row by their numbers in a record. */
interface Row {
  put(at: number, text: number, value: string): void;
}

/** Puts every text of a hit into the row that begins at `at`. */
export function putTexts(row: Row, hit: Hit, at: number): void {
  row.put(at, 0, hit.path);
  row.put(at, 1, hit.title);
  row.put(at, 2, hit.eventName);
  row.put(at, 3, hit.country);
  row.put(at, 4, hit.region);
  row.put(at, 5, hit.city);
  row.put(at, 6, hit.language);
  row.put(at, 7, hit.referrer);
  row.put(at, 8, hit.referrerName);
  row.put(at, 9, hit.referrerIcon);
  row.put(at, 10, hit.channel);
  row.put(at, 11, hit.os);
  row.put(at, 12, hit.osVersion);
  row.put(at, 13, hit.browser);
  row.put(at, 14, hit.browserVersion);
  row.put(at, 15, hit.screenClass);
  row.put(at, 16, hit.utmSource);
  row.put(at, 17, hit.utmMedium);
  row.put(at, 18, hit.utmCampaign);
  row.put(at, 19, hit.utmContent);
  row.put(at, 20, hit.utmTerm);
  row.put(at, 21, hit.hostname);
  row.put(at, 22, hit.device);
}
