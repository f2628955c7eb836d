/**
 * Verdicts on a user agent (I-15..I-17, I-22): the reason to drop its hits, or 0.
 *
 * Runs once per user agent (`agent-profile.ts` keeps the verdicts); the pipeline asks in the order
 * of the semantics, so the rules between the two verdicts (I-18..I-21) get steps between them.
 */

import { createIsbotFromList, list } from 'isbot';
import { dropReason } from '../../model/drop-reasons.ts';
import { USER_AGENT_BYTES_MAX, USER_AGENT_SHORT_BYTES } from '../../model/limits.ts';
import { BOT_KEYWORDS } from '../data/bot-keywords.ts';
import { cleanAddress, isAddress } from '../place/address.ts';

const UA_CHARS = dropReason('ua-chars');
const UA_IP = dropReason('ua-ip');
const UA_UUID = dropReason('ua-uuid');
const UA_KEYWORD = dropReason('ua-keyword');

const UUID = /^(?:urn:uuid:)?\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i;

/**
 * The entries of the kept-up list that are words. Others describe a shape ("one word and a number"),
 * which no rule asks for: a browser that nobody knows is not a program (I-22). Nor is one within an
 * app that has "news" in its name.
 */
const WORDS = list.filter((entry) => {
  if (entry.includes('news(?!')) return false;
  const letters = entry.replaceAll(/\\.|\[[^\]]*\]|\(\?<?[!:=]/g, ' ');
  return !entry.endsWith('$') && /[a-z]{3}/i.test(letters);
});
const namesProgram = createIsbotFromList(WORDS);

/** What the form of a user agent says (I-15, I-16, I-17): a drop reason, 0 for a plausible one. */
export function agentFormVerdict(userAgent: string): number {
  const text = userAgent.trim();
  // Without non-ASCII characters, which are refused anyway, length and bytes are the same.
  if (text.length <= USER_AGENT_SHORT_BYTES || text.length > USER_AGENT_BYTES_MAX) return UA_CHARS;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return UA_CHARS;
  }
  if (isAddress(cleanAddress(text))) return UA_IP;
  return UUID.test(text) ? UA_UUID : 0;
}

/**
 * What the words of a user agent say (I-22): a drop reason or 0.
 *
 * @param userAgent one that passed `agentFormVerdict`: the patterns are many, so it must be short.
 */
export function agentKeywordVerdict(userAgent: string): number {
  const lower = userAgent.toLowerCase();
  for (const keyword of BOT_KEYWORDS) {
    if (lower.includes(keyword)) return UA_KEYWORD;
  }
  return namesProgram(userAgent) ? UA_KEYWORD : 0;
}
