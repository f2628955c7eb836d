/**
 * The five utm values of a hit (I-96) and the medium a click id stands for (I-97). Data plane.
 */

import type { Hit } from '../../model/hit.ts';
import { UTM_LENGTH_MAX } from '../../model/limits.ts';
import type { PageQuery } from '../page/page-query.ts';
import { cutText } from '../text.ts';

/** Sets the utm values: trimmed, then cut, case kept (I-7). */
export function applyCampaign(hit: Hit, query: PageQuery): void {
  if (query.utmSource !== null) hit.utmSource = campaignText(query.utmSource);
  if (query.utmMedium !== null) hit.utmMedium = campaignText(query.utmMedium);
  if (query.utmCampaign !== null) hit.utmCampaign = campaignText(query.utmCampaign);
  if (query.utmContent !== null) hit.utmContent = campaignText(query.utmContent);
  if (query.utmTerm !== null) hit.utmTerm = campaignText(query.utmTerm);
}

/** I-97: an ad's click id names the medium that the campaign left empty; needs the referrer. */
export function applyClickId(hit: Hit, query: PageQuery): void {
  if (hit.utmMedium !== '') return;
  if (hit.referrerName === 'Google' && isGiven(query.gclid)) hit.utmMedium = '(gclid)';
  else if (hit.referrerName === 'Bing' && isGiven(query.msclkid)) hit.utmMedium = '(msclkid)';
}

function campaignText(value: string): string {
  return cutText(value.trim(), UTM_LENGTH_MAX);
}

function isGiven(value: string | null): boolean {
  return value !== null && value.trim() !== '';
}
