/**
 * The model of a phone or tablet, as user agents and client hints name it.
 *
 * Runs once per user agent and per hint: both are remembered by who asks.
 */

import { DEVICE_LENGTH_MAX } from '../../model/limits.ts';
import { NO_MODELS } from '../data/agent-tokens.ts';
import { cutText } from '../text.ts';

/** `de`, `de-DE`, `de_de`: what old user agents have in front of the model. */
const LOCALE = /^[a-z]{2}([-_][A-Za-z]{2})?$/;

/** The model in a user agent. @param os its operating system (I-82). */
export function deviceOf(userAgent: string, os: string): string {
  if (os === 'Android') return androidModel(userAgent);
  if (os !== 'iOS' || userAgent.includes('iPod')) return '';
  if (userAgent.includes('iPad')) return 'iPad';
  return userAgent.includes('iPhone') ? 'iPhone' : '';
}

/** A model as it is shown; empty where the text names none. */
export function modelNamed(text: string): string {
  const build = text.indexOf('Build/');
  const name = (build === -1 ? text : text.slice(0, build)).trim().replace(/^SAMSUNG /, '');
  if (NO_MODELS.has(name) || name.startsWith('rv:') || LOCALE.test(name)) return '';
  return cutText(name, DEVICE_LENGTH_MAX);
}

/** The first part behind `Android …` that names one: `(Linux; Android 14; Pixel 8 Build/…)`. */
function androidModel(userAgent: string): string {
  const start = userAgent.indexOf('Android');
  const parts = userAgent.slice(start, commentEnd(userAgent, start)).split(';');
  for (const part of parts.slice(1)) {
    const model = modelNamed(part);
    if (model !== '') return model;
  }
  return '';
}

/** Where the comment around a place ends; models may have parentheses of their own. */
function commentEnd(userAgent: string, start: number): number {
  let depth = 0;
  for (let at = start; at < userAgent.length; at++) {
    if (userAgent[at] === '(') depth++;
    else if (userAgent[at] === ')' && depth-- === 0) return at;
  }
  return userAgent.length;
}
