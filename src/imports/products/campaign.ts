/**
 * The five texts of a campaign: from columns of their own where there are any, else from the query.
 */

import type { ImportedHit } from '../adapter.ts';
import type { Row } from '../source/table.ts';
import { known } from '../source/values.ts';

type Campaign = Pick<
  ImportedHit,
  'utmSource' | 'utmMedium' | 'utmCampaign' | 'utmContent' | 'utmTerm'
>;

/** @param query with or without its question mark. */
export function campaignOf(row: Row, query: string): Campaign {
  const given = {
    utmSource: known(row.text('utm_source')),
    utmMedium: known(row.text('utm_medium')),
    utmCampaign: known(row.text('utm_campaign')),
    utmContent: known(row.text('utm_content')),
    utmTerm: known(row.text('utm_term')),
  };
  return Object.values(given).some((value) => value !== undefined) ? given : campaignIn(query);
}

/** What a query says of a campaign. */
export function campaignIn(query: string): Campaign {
  if (!query.includes('utm_')) return {};
  const parameters = new URLSearchParams(query);
  const text = (name: string) => known(parameters.get(name) ?? '');
  return {
    utmSource: text('utm_source'),
    utmMedium: text('utm_medium'),
    utmCampaign: text('utm_campaign'),
    utmContent: text('utm_content'),
    utmTerm: text('utm_term'),
  };
}
