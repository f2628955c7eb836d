/**
 * Which program a user agent belongs to, and what kind of program that is (P-31): for the statistics
 * of what was dropped, never for dropping.
 *
 * The package `crawler-user-agents` has some 1,500 patterns, nearly all of them plain texts. They are
 * found in one pass over the user agent: every pattern has a text that must occur, three characters
 * of it stand in an index, and where these stand in the user agent the text is compared. A flood of
 * user agents that nobody has seen costs microseconds each, not one search per pattern.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { assert } from '../../base/assert.ts';
import { USER_AGENT_BYTES_MAX } from '../../model/limits.ts';
import {
  MORE_PROGRAMS,
  NOT_PROGRAMS,
  PROGRAM_NAMES,
  type ProgramKind,
  type ProgramMark,
} from '../data/programs.ts';

/** An entry of the package's list, as far as it is used. */
interface Crawler {
  readonly pattern: string;
  readonly instances?: readonly string[];
  readonly tags?: readonly string[];
}

/** A program, and how it is found. */
interface Sign extends ProgramMark {
  /** Where in the text the three characters of the index stand. */
  readonly keyAt: number;
  /** Must match as well; null: the text says it all. */
  readonly pattern: RegExp | null;
}

const KEY_LENGTH = 3;
/** A piece of a pattern: an anchor, a class or a group, which the list has of these forms; or a character. */
const PIECE = /\\[dsS][+*]?|\[[^\]]*\][+*]?|\([^)]*\)|[\^$+]|\\?(.)/g;

/** The package's tags that make a kind, the strongest first; whatever else there is, is other. */
const KIND_BY_TAG: readonly (readonly [tag: string, kind: ProgramKind])[] = [
  ['ai-crawler', 'ai'],
  ['search-engine', 'search'],
  ['social-preview', 'preview'],
  ['monitoring', 'monitor'],
  ['http-library', 'library'],
  ['browser-automation', 'library'],
];

/** Finds programs by user agent. */
export class ProgramNames {
  // A Map of lists: most keys have one sign, some ten.
  readonly #byKey = new Map<number, Sign[]>();
  readonly #kinds = new Map<string, ProgramKind>();

  constructor() {
    const marks = [...readCrawlers().flatMap(marksOf), ...MORE_PROGRAMS];
    const counts = keyCounts(marks);
    for (const { name, kind, text, pattern = null } of marks) {
      const sign: Sign = { name, kind, text, keyAt: rarestKeyAt(text, counts), pattern };
      const key = keyOf(text, sign.keyAt);
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, [sign]);
      else known.push(sign);
      if (!this.#kinds.has(name)) this.#kinds.set(name, kind);
    }
  }

  /**
   * The name of the program; '' when it is not listed.
   *
   * Of several signs the longest decides: it says most.
   *
   * @param userAgent only its first {@link USER_AGENT_BYTES_MAX} characters are looked at.
   * @cost linear in the user agent; allocates nothing.
   */
  find(userAgent: string): string {
    const end = Math.min(userAgent.length, USER_AGENT_BYTES_MAX) - KEY_LENGTH;
    let name = '';
    let length = 0;
    for (let at = 0; at <= end; at++) {
      const signs = this.#byKey.get(keyOf(userAgent, at));
      if (signs === undefined) continue;
      for (const sign of signs) {
        if (sign.text.length <= length) continue;
        if (!userAgent.startsWith(sign.text, at - sign.keyAt)) continue;
        if (sign.pattern !== null && !sign.pattern.test(userAgent)) continue;
        name = sign.name;
        length = sign.text.length;
      }
    }
    return name;
  }

  /** The kind of a program that {@link find} names; 'other' for a name that is not listed. */
  kindOf(name: string): ProgramKind {
    return this.#kinds.get(name) ?? 'other';
  }
}

/** Read and not imported: what is not used of it goes, and it is half a megabyte a thread. */
function readCrawlers(): readonly Crawler[] {
  const path = createRequire(import.meta.url).resolve('crawler-user-agents');
  return JSON.parse(readFileSync(path, 'utf8')) as readonly Crawler[];
}

/** What tells a program of the package's list; several where its pattern has alternatives. */
function marksOf({ pattern, instances = [], tags = [] }: Crawler): ProgramMark[] {
  const kind = KIND_BY_TAG.find(([tag]) => tags.includes(tag))?.[1] ?? 'other';
  return alternativesOf(pattern).flatMap((source) => {
    if (NOT_PROGRAMS.has(source)) return [];
    const texts = textsOf(source);
    const text = texts.reduce((longest, one) => (one.length > longest.length ? one : longest));
    assert(text.length >= KEY_LENGTH, `'${pattern}' has a text to look for`);
    const test = texts.length === 1 ? null : new RegExp(source);
    const sample = test === null ? text : (matchIn(instances, test) ?? text);
    const name = sample.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}!+]+$/gu, '');
    return [{ name: PROGRAM_NAMES.get(name) ?? name, kind, text, pattern: test }];
  });
}

/** The alternatives of a pattern, where they are not in a group. */
function alternativesOf(pattern: string): string[] {
  return pattern.includes('(') ? [pattern] : pattern.split('|');
}

/** The texts that every match of a pattern has in it; one where it is nothing but a text. */
function textsOf(source: string): string[] {
  const texts = [''];
  for (const [, character] of source.matchAll(PIECE)) {
    if (character === undefined) texts.push('');
    else texts[texts.length - 1] += character;
  }
  return texts;
}

/** How the first sample that matches writes it. */
function matchIn(samples: readonly string[], pattern: RegExp): string | undefined {
  for (const sample of samples) {
    const found = pattern.exec(sample);
    if (found !== null) return found[0];
  }
  return undefined;
}

function keyCounts(marks: readonly ProgramMark[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { text } of marks) {
    for (let at = 0; at + KEY_LENGTH <= text.length; at++) {
      const key = keyOf(text, at);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/** Where in a text the three characters stand that the fewest texts have. */
function rarestKeyAt(text: string, counts: ReadonlyMap<number, number>): number {
  let rarest = 0;
  for (let at = 1; at + KEY_LENGTH <= text.length; at++) {
    const count = counts.get(keyOf(text, at)) as number;
    if (count < (counts.get(keyOf(text, rarest)) as number)) rarest = at;
  }
  return rarest;
}

/** Three characters as a small integer; those beyond ASCII are taken for others, and compared then. */
function keyOf(text: string, at: number): number {
  const first = text.charCodeAt(at) & 0x7f;
  const second = text.charCodeAt(at + 1) & 0x7f;
  return (first << 14) | (second << 7) | (text.charCodeAt(at + 2) & 0x7f);
}
