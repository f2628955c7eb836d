/**
 * Everything that follows from a user agent alone, worked out once and remembered.
 *
 * Data plane: the cache turns some 20 µs of tables and patterns into one map lookup. A user agent
 * that is too long to be a browser's is worked out each time and never kept, so the memory of the
 * cache is bounded in bytes too.
 */

import { BoundedCache } from '../../base/bounded-cache.ts';
import { AGENT_CACHE_ENTRY_COUNT_MAX, USER_AGENT_BYTES_MAX } from '../../model/limits.ts';
import type { ProgramKind } from '../data/programs.ts';
import type { AgentDigest, VisitorIds } from '../visitor/visitor.ts';
import { type Agent, parseAgent } from './agent.ts';
import { agentFormVerdict, agentKeywordVerdict } from './bot.ts';
import { agentPatternVerdict, browserVerdict, rvVerdict } from './browser-rules.ts';
import { ProgramNames } from './program-names.ts';

/** What is known of a user agent. */
export interface AgentProfile extends Agent, AgentDigest {
  /** I-15..I-17: a drop reason or 0. */
  formVerdict: number;
  // Drop reasons or 0; 0 as well when the form is already refused.
  /** I-19, of the browser that the user agent names. */
  browserVerdict: number;
  /** I-20. */
  rvVerdict: number;
  /** I-22. */
  keywordVerdict: number;
  /** I-23. */
  patternVerdict: number;
  /** Whether one of these, but for I-19, is a reason. */
  isSuspect: boolean;
  /** Name of the program, '' when it is not known; null as long as nobody has asked. */
  program: string | null;
}

/** Profiles by user agent. */
export class AgentProfiles {
  // A Map of objects: the texts are the clients' own.
  readonly #cache = new BoundedCache<string, AgentProfile>(AGENT_CACHE_ENTRY_COUNT_MAX);
  readonly #visitorIds: VisitorIds;
  readonly #digest = new Uint32Array(2);
  readonly #programs = new ProgramNames();

  constructor(visitorIds: VisitorIds) {
    this.#visitorIds = visitorIds;
  }

  /** Name of the program that a user agent belongs to; '' when it is not known. */
  programOf(userAgent: string): string {
    const profile = this.of(userAgent);
    profile.program ??= this.#programs.find(userAgent);
    return profile.program;
  }

  /** The kind of a program that {@link programOf} names. */
  kindOf(program: string): ProgramKind {
    return this.#programs.kindOf(program);
  }

  /** The profile of a user agent as sent. */
  of(userAgent: string): AgentProfile {
    const known = this.#cache.get(userAgent);
    if (known !== undefined) return known;
    const profile = this.#create(userAgent);
    if (userAgent.length <= USER_AGENT_BYTES_MAX) this.#cache.set(userAgent, profile);
    return profile;
  }

  #create(userAgent: string): AgentProfile {
    const formVerdict = agentFormVerdict(userAgent);
    const isPlausible = formVerdict === 0;
    const agent = parseAgent(userAgent);
    this.#visitorIds.digest(userAgent, this.#digest);
    const digestLow = this.#digest[0]!;
    const digestHigh = this.#digest[1]!;
    const keywordVerdict = isPlausible ? agentKeywordVerdict(userAgent) : 0;
    const patternVerdict = isPlausible ? agentPatternVerdict(userAgent) : 0;
    const ofRv = isPlausible ? rvVerdict(userAgent) : 0;
    // Field by field: what a spread copies and more is added to has a hidden class of its own each time.
    return {
      os: agent.os,
      osVersion: agent.osVersion,
      browser: agent.browser,
      browserVersion: agent.browserVersion,
      device: agent.device,
      digestLow,
      digestHigh,
      formVerdict,
      browserVerdict: isPlausible ? browserVerdict(agent.browser, agent.browserVersion) : 0,
      rvVerdict: ofRv,
      keywordVerdict,
      patternVerdict,
      isSuspect: [formVerdict, ofRv, keywordVerdict, patternVerdict].some(isReason),
      program: null,
    };
  }
}

function isReason(verdict: number): boolean {
  return verdict !== 0;
}
