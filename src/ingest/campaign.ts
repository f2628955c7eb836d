/**
 * The five utm values of a hit (I-96) and the medium a click id stands for (I-97). Data plane.
 */

import type { Hit } from '../model/hit.ts';
import type { PageQuery } from './page-query.ts';

/** Sets the utm values: trimmed, case kept, never cut (I-7). */
export function applyCampaign(hit: Hit, query: PageQuery): void {
  if (query.utmSource !== null) hit.utmSource = query.utmSource.trim();
  if (query.utmMedium !== null) hit.utmMedium = query.utmMedium.trim();
  if (query.utmCampaign !== null) hit.utmCampaign = query.utmCampaign.trim();
  if (query.utmContent !== null) hit.utmContent = query.utmContent.trim();
  if (query.utmTerm !== null) hit.utmTerm = query.utmTerm.trim();
}

/** I-97: an ad's click id names the medium that the campaign left empty; needs the referrer. */
export function applyClickId(hit: Hit, query: PageQuery): void {
  if (hit.utmMedium !== '') return;
  if (hit.referrerName === 'Google' && isGiven(query.gclid)) hit.utmMedium = '(gclid)';
  else if (hit.referrerName === 'Bing' && isGiven(query.msclkid)) hit.utmMedium = '(msclkid)';
}

function isGiven(value: string | null): boolean {
  return value !== null && value.trim() !== '';
}
