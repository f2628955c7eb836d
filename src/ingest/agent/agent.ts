/**
 * Operating system, browser, their versions and the platform, read from a user agent (I-81..I-84).
 *
 * Works through tables (`data/agent-tokens.ts`); runs once per user agent, see `agent-profile.ts`.
 */

import { Platform } from '../../model/dimensions.ts';
import { AGENT_FIELD_LENGTH_MAX } from '../../model/limits.ts';
import { BROWSER_TOKENS, OS_TOKENS } from '../data/agent-tokens.ts';
import { cutText } from '../text.ts';

/** What a user agent says of itself; unknown is empty. */
export interface Agent {
  os: string;
  osVersion: string;
  browser: string;
  browserVersion: string;
}

/** Reads a user agent; versions keep major.minor and are cut (I-7, I-83). */
export function parseAgent(userAgent: string): Agent {
  const { os, osVersion } = findOs(userAgent);
  const { browser, browserVersion } = findBrowser(userAgent, os);
  return { os, osVersion, browser, browserVersion };
}

/** Platform of an operating system, an entry of `Platform` (I-81). */
export function platformOf(os: string): number {
  switch (os) {
    case 'Windows':
    case 'Mac':
    case 'Linux':
      return Platform.Desktop;
    case 'Android':
    case 'iOS':
    case 'Windows Mobile':
      return Platform.Mobile;
    default:
      return Platform.Unknown;
  }
}

function findOs(userAgent: string): { os: string; osVersion: string } {
  for (const row of OS_TOKENS) {
    if (!hasToken(userAgent, row.token)) continue;
    if (row.versionAfter === null) return { os: row.os, osVersion: '' };
    const version = versionAfter(userAgent, row.versionAfter);
    return { os: row.os, osVersion: row.versions ? (row.versions[version] ?? '') : version };
  }
  return { os: '', osVersion: '' };
}

function findBrowser(userAgent: string, os: string): { browser: string; browserVersion: string } {
  for (const row of BROWSER_TOKENS) {
    if (!hasToken(userAgent, row.token)) continue;
    if (row.onlyOn !== null && !row.onlyOn.includes(os)) continue;
    if (row.unless !== null && hasToken(userAgent, row.unless)) continue;
    const place = row.versionAfter.find((text) => userAgent.includes(text));
    const browserVersion = place === undefined ? '' : versionAfter(userAgent, place);
    return { browser: row.browser, browserVersion };
  }
  return { browser: '', browserVersion: '' };
}

/** Whether the token occurs where no letter stands before it. */
function hasToken(userAgent: string, token: string): boolean {
  let at = userAgent.indexOf(token);
  while (at !== -1) {
    if (at === 0 || !isLetter(userAgent.charCodeAt(at - 1))) return true;
    at = userAgent.indexOf(token, at + 1);
  }
  return false;
}

/** `major.minor` right after the first occurrence of a text; `_` counts as `.`. */
function versionAfter(userAgent: string, text: string): string {
  const found = userAgent.indexOf(text);
  if (found === -1) return '';
  const start = found + text.length;
  const majorEnd = digitsEnd(userAgent, start);
  if (majorEnd === start) return '';
  const separator = userAgent[majorEnd];
  const minorEnd = digitsEnd(userAgent, majorEnd + 1);
  const hasMinor = (separator === '.' || separator === '_') && minorEnd > majorEnd + 1;
  const major = userAgent.slice(start, majorEnd);
  const version = hasMinor ? `${major}.${userAgent.slice(majorEnd + 1, minorEnd)}` : major;
  return cutText(version, AGENT_FIELD_LENGTH_MAX);
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++;
  return end;
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
