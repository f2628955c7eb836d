/**
 * Texts whose presence in a lower-cased user agent means a program, not a person (I-22).
 *
 * The entries the semantics names, and names of programs that the kept-up list of the package `isbot`,
 * which stands beside this one, does not know: from the samples of `crawler-user-agents` (MIT).
 */

/** All lower case. */
export const BOT_KEYWORDS: readonly string[] = [
  'bot',
  'crawler',
  'spider',
  '://',
  'curl',
  'wget',
  'python',
  'go-http-client',
  'java/',
  'okhttp',
  'axios',
  'node-fetch',
  'headless',
  'phantom',
  'lighthouse',
  'pingdom',
  'uptime',
  'monitor',
  'scrapy',
  'httpclient',
  'facebookexternalhit',
  'preview',
  // Crawlers and archivers.
  ...['gigablast', 'ichiro/', 'larbin', 'binlar', 'daumoa', 'swisscows', 'theinternetsearch'],
  ...['trendsmap', 'evc-batch', 'brandwatch', 'retrolistecom', 'sitesucker', 'meta-external'],
  ...['corporama', 'capitaloneshopping', 'magicsearchdev', '+upday', 'bushbaby'],
  ...['newspaper/', 'newsai/', 'newsgathering', 'nextcloud-news', 'bw/1.'],
  // Previews, pictures of pages, favicons.
  ...['embedly', 'github-camo', 'gtmetrix', 'miniature.io', 'screen service', 'site screenshot'],
  ...['image fetcher', 'workona-favicon', 'yltchrome', 'ylt chrome', 'penthouse critical'],
  // Watchers and scanners.
  ...['w3c-', 'updown.io', 'acunetix', 'asnriskscorer', 'sitelock', 'websiteops', 'turingos'],
  ...['do not track verifier', 'test certificate', 'blackboard safeassign', 'hatena antenna'],
  ...['hatena::', 'venus/', 'opencode-smartfetch', 'btwebclient'],
  // What services call with.
  ...['cloudfront', 'integromat', 'appsiteassociation', '-webhooks', 'sendgrid', 'shopify-'],
  ...['metorik', 'modularconnector', 'sfdc-callout', 'importmanager'],
];
