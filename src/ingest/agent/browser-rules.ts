/**
 * Verdicts on what a browser claims to be (I-19, I-20, I-21, I-23): a drop reason, or 0.
 *
 * Runs once per user agent and once per text of client hints; who asks remembers.
 */

import { dropReason } from '../../model/drop-reasons.ts';

const BROWSER = dropReason('browser');
const RV_MISMATCH = dropReason('ua-rv-mismatch');
const CH_BROWSER = dropReason('ch-browser');
const UA_REGEX = dropReason('ua-regex');

/** The oldest major versions that people still use (I-19); of other browsers every one is taken. */
const OLDEST_MAJOR: ReadonlyMap<string, number> = new Map([
  ['Chrome', 70],
  ['Firefox', 68],
  ['Safari', 12],
  ['Opera', 65],
  ['Edge', 88],
  ['IE', 11],
]);

/** What no browser of a person has in its name (I-21); lower case. */
const PROGRAM_NAMES = [
  ...['headless', 'bot', 'crawler', 'spider', 'python', 'urllib', 'phantom', 'screenshot'],
  ...['thumbnail', 'http', 'netscape', 'runtime'],
];

const FIREFOX = /(?:^|[^A-Za-z])Firefox\/(\d+)/;
const GECKO = /\brv:(\d+)(\.[\d.]*)?/;
/** Firefox stopped at this `rv:` for some versions: sites took 11x for an old Internet Explorer. */
const FROZEN_RV = { major: 109, minor: '.0', from: 110, to: 119 };

/** What an attacker writes into every field that a program may pass on (I-23); lower case. */
const ATTACKS = ['select(', 'union select', 'sleep(', '${', '{{'];
const FIREFOX_IN_THREE_PARTS = /(?:^|[^a-z])firefox\/\d+\.\d+\.\d+/;
const CHROME = /(?:^|[^a-z])chrom(?:e|ium)\/\d/;
/** Chrome says Linux there, whatever the distribution. */
const DISTRIBUTION = /^\s*(?:ubuntu|fedora|debian)\b/;

/**
 * A browser that is too old to be a person's (I-19).
 *
 * @param browser a name of I-82, or a brand; '' passes, as does a version without a number.
 */
export function browserVerdict(browser: string, version: string): number {
  const oldest = OLDEST_MAJOR.get(browser);
  // A version without a number compares as false.
  return oldest !== undefined && Number.parseInt(version, 10) < oldest ? BROWSER : 0;
}

/** A browser whose name is a program's (I-21). */
export function browserNameVerdict(browser: string): number {
  const lower = browser.toLowerCase();
  return PROGRAM_NAMES.some((name) => lower.includes(name)) ? CH_BROWSER : 0;
}

/** A Firefox whose engine has another version (I-20): both are raised together. */
export function rvVerdict(userAgent: string): number {
  const firefox = FIREFOX.exec(userAgent);
  if (firefox === null || userAgent.includes('FxiOS/')) return 0;
  const version = Number(firefox[1]);
  const gecko = GECKO.exec(userAgent);
  if (gecko === null) return RV_MISMATCH;
  const major = Number(gecko[1]);
  if (major === version) return 0;
  const isFrozen = major === FROZEN_RV.major && gecko[2] === FROZEN_RV.minor;
  return isFrozen && version >= FROZEN_RV.from && version <= FROZEN_RV.to ? 0 : RV_MISMATCH;
}

/** Attacks, and what no browser writes (I-23). */
export function agentPatternVerdict(userAgent: string): number {
  const lower = userAgent.toLowerCase();
  const isBot =
    ATTACKS.some((attack) => lower.includes(attack)) ||
    FIREFOX_IN_THREE_PARTS.test(lower) ||
    (CHROME.test(lower) && namesDistribution(lower));
  return isBot ? UA_REGEX : 0;
}

/** Whether the first comment, which names the system, has a distribution among its tokens. */
function namesDistribution(lower: string): boolean {
  const start = lower.indexOf('(');
  if (start === -1) return false;
  const end = lower.indexOf(')', start);
  const comment = lower.slice(start + 1, end === -1 ? undefined : end);
  return comment.split(';').some((token) => DISTRIBUTION.test(token));
}
