/**
 * What a step of the pipeline is, and what steps share while one hit passes through them.
 *
 * Data plane. One `Draft` serves all hits of a pipeline in turn, so nothing is allocated per hit
 * but the hit itself; whatever a step finds that a later step needs stands in it.
 */

import type { Hit } from '../model/hit.ts';
import type { AgentProfile } from './agent/agent-profile.ts';
import type { Brand } from './agent/client-hints.ts';
import type { PageQuery } from './page/page-query.ts';
import type { PageUrl } from './page/page-url.ts';
import type { Site } from './page/site.ts';
import type { RawHit } from './raw-hit.ts';

/** What enters the pipeline; the hostname check (I-5) has passed. */
export interface HitInput {
  /** An entry of `HitKind`. */
  kind: number;
  raw: RawHit;
  /** null for a keep-alive, never else. */
  page: PageUrl | null;
  site: Site;
  /** Time of the hit (semantics, Terms). */
  timeMs: number;
  /** What the form of a browser's request says (I-10 to I-13): a drop reason; 0 says nothing. */
  requestVerdict: number;
}

/** What the steps know of the hit in hand beside the hit itself. */
export interface Draft {
  raw: RawHit;
  /** A keep-alive's is empty and not read. */
  page: PageUrl;
  site: Site;
  query: PageQuery;
  /** As I-3 cleans it. */
  address: string;
  profile: AgentProfile;
  /** Of the client hints. */
  brand: Brand;
  /** As `HitInput` has it. */
  requestVerdict: number;
}

/** One step: fills fields of the hit. Returns the index of a drop reason, 0 to go on. */
export type StepRun = (hit: Hit, draft: Draft) => number;

/** A row of the list of steps. */
export interface Step {
  /** What the step does, for metrics and traces. */
  name: string;
  /** The kinds of hits it works on, entries of `HitKind`. */
  kinds: readonly number[];
  /** What the user agent alone says (`AgentProfile`): nothing for nearly all hits. */
  isOfAgent?: true;
  run: StepRun;
}

/** What a step returns when the hit goes on. */
export const GO_ON = 0;
