/**
 * Programs that the package `crawler-user-agents` does not name, or names by what it looks for (P-31).
 *
 * Our own table.
 */

/** Kinds of programs. */
export type ProgramKind = 'ai' | 'search' | 'preview' | 'monitor' | 'library' | 'other';

/** A program, and the text that tells it in a user agent. */
export interface ProgramMark {
  readonly name: string;
  readonly kind: ProgramKind;
  /** At least three characters. */
  readonly text: string;
  readonly pattern?: RegExp | null;
}

/** What the package looks for → what the program is called. */
export const PROGRAM_NAMES: ReadonlyMap<string, string> = new Map([
  ['yandex.com/bots', 'YandexBot'],
  ['pinterest.com/bot', 'Pinterestbot'],
  ['Slurp', 'Yahoo! Slurp'],
  ['Y!J', 'Yahoo! Japan'],
  ['BW', 'BuiltWith'],
  ['AHC', 'Async HTTP Client'],
  ['PTST', 'WebPageTest'],
  ['https://developers.cloudflare.com/security-center', 'Cloudflare Security Center'],
  ['developers.google.com/+/web/snippet', 'Google+ Snippet'],
  ['filterdb.iss.net/crawler', 'IBM Security Crawler'],
  ['loc.gov/programs/web-archiving', 'Library of Congress'],
  ['okhttp', 'OkHttp'],
  ['axios', 'Axios'],
  ['sindresorhus/got', 'got'],
  ['wget', 'Wget'],
  ['claudebot', 'ClaudeBot'],
  ['acunetix', 'Acunetix'],
  ['sentry', 'Sentry'],
  ['ContextualBot/1.0; +http://outcomes.net', 'ContextualBot'],
  ['Current/1.0; +https://currentreader.app; RSS Reader', 'Current'],
  ['Spider; +https://www.spider.com', 'Spider'],
]);

/** Of the package's patterns those that are people: browsers in apps, and the build of a phone. */
export const NOT_PROGRAMS: ReadonlySet<string> = new Set([
  'AP3A\\.240617\\.008',
  'MetaIAB Facebook',
  'Code\\/1\\.',
  'Trae\\/',
  'Fluid',
]);

function library(name: string, text: string): ProgramMark {
  return { name, text, kind: 'library' };
}

/** Programs of which the package has no pattern. */
export const MORE_PROGRAMS: readonly ProgramMark[] = [
  library('Java', 'Java/'),
  library('Java', 'Java-http-client/'),
  library('libcurl', 'libcurl'),
  library('Postman', 'PostmanRuntime/'),
  library('Insomnia', 'insomnia/'),
  library('Guzzle', 'GuzzleHttp/'),
  library('Symfony', 'Symfony HttpClient'),
  library('PHP', 'PHP/'),
  library('Ruby', 'Ruby'),
  library('Faraday', 'Faraday v'),
  library('RestSharp', 'RestSharp/'),
  library('PowerShell', 'PowerShell/'),
  library('WinHTTP', 'WinHttp'),
  library('Dalvik', 'Dalvik/'),
  library('Dart', 'Dart/'),
  library('Deno', 'Deno/'),
  library('Bun', 'Bun/'),
  library('undici', 'undici'),
  library('SuperAgent', 'node-superagent/'),
  library('reqwest', 'reqwest/'),
  library('Python', 'Python/'),
  library('Perl', 'Perl'),
];
