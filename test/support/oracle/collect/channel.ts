/**
 * The oracle's channel (I-98): the table of the semantics as rows of name and condition, in order.
 *
 * Shares nothing with `src/ingest`: the few sources it knows the category of are written here.
 */

/** What the table of I-98 looks at, as stored (case kept). */
export interface Sources {
  referrer: string;
  referrerName: string;
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
}

/** Names and words of campaigns whose category nobody doubts, lower case. */
export const CATEGORY_OF: Readonly<Record<string, string>> = {
  ...{ google: 'search', bing: 'search', duckduckgo: 'search', 'yahoo!': 'search' },
  ...{ amazon: 'shopping', ebay: 'shopping', etsy: 'shopping' },
  ...{ facebook: 'social', linkedin: 'social', reddit: 'social', twitter: 'social', x: 'social' },
  ...{ youtube: 'video', vimeo: 'video', twitch: 'video' },
  ...{ chatgpt: 'ai', perplexity: 'ai', claude: 'ai' },
};

interface Facts {
  category: string;
  source: string;
  medium: string;
  campaign: string;
  paid: boolean;
  referred: boolean;
}

type Row = readonly [channel: string, holds: (facts: Facts) => boolean];

const ROWS: readonly Row[] = [
  ['Cross-network', ({ campaign }) => /cross-network/.test(campaign)],
  ['Paid Shopping', ({ paid, category, campaign }) => paid && shopping(category, campaign)],
  [
    'Paid Search',
    ({ paid, category, medium }) =>
      (paid && category === 'search') || ['(gclid)', '(msclkid)'].includes(medium),
  ],
  ['Paid Social', ({ paid, category }) => paid && category === 'social'],
  ['Paid Video', ({ paid, category }) => paid && category === 'video'],
  ['Display', ({ medium }) => /^(display|banner|expandable|interstitial|cpm)$/.test(medium)],
  ['Paid Other', ({ paid }) => paid],
  ['Organic Shopping', ({ category, campaign }) => shopping(category, campaign)],
  [
    'Organic Social',
    ({ category, medium }) =>
      category === 'social' || /^(social|social-network|social-media|sm)$/.test(medium),
  ],
  ['Organic Video', ({ category, medium }) => category === 'video' || /video/.test(medium)],
  ['Organic Search', ({ category, medium }) => category === 'search' || medium === 'organic'],
  ['Referral', ({ medium }) => /^(referral|app|link)$/.test(medium)],
  ['Email', ({ source, medium }) => [source, medium].some((text) => /^e[-_]?mail$/.test(text))],
  ['Affiliates', ({ medium }) => medium === 'affiliate'],
  ['Audio', ({ medium }) => medium === 'audio'],
  ['SMS', ({ source, medium }) => [source, medium].includes('sms')],
  ['Mobile Push Notifications', ({ medium }) => /push$|mobile|notification/.test(medium)],
  ['AI', ({ category }) => category === 'ai'],
  ['Referral', ({ referred }) => referred],
  ['Direct', () => true],
];

function shopping(category: string, campaign: string): boolean {
  return category === 'shopping' || /shop/.test(campaign);
}

/** The channel of a session that is opened with these. */
export function channelOf(sources: Sources): string {
  const [source, medium, campaign, name] = [
    sources.utmSource,
    sources.utmMedium,
    sources.utmCampaign,
    sources.referrerName,
  ].map((text) => text.toLowerCase()) as [string, string, string, string];
  const facts: Facts = {
    ...{ source, medium, campaign },
    category: CATEGORY_OF[name] ?? CATEGORY_OF[source] ?? '',
    paid: /cp|^ppc$|^retargeting$|^paid/.test(medium),
    referred: sources.referrer !== '' || name !== '',
  };
  return (ROWS.find(([, holds]) => holds(facts)) as Row)[0];
}
