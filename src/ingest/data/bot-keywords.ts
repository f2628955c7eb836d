/**
 * Texts whose presence in a lower-cased user agent means a program, not a person (I-22).
 *
 * The entries the semantics names; the kept-up list of the package `isbot` stands beside it.
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
];
