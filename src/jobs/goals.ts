/**
 * Looks for goals that are reached (O-42): those that have a target and want something done then.
 *
 * Control plane. Each node looks at the domains of the shards that it holds. A goal is counted as the API
 * counts goals (S-63), from the instant at which its progress began up to now; days that are over are
 * counted once (`query/cache/`). It is not counted again before a hit came.
 *
 *     registry ─ flag, target ─▶ last hits, a question per shard ─ something came ─▶ goals ─▶ mails + flag
 */
import {
  type GoalProgress,
  isGoalReached,
  isGoalWatched,
  progressSinceMs,
  tellGoal,
} from '../control/people/domain-notices.ts';
import type { Registry } from '../control/registry/registry.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import { type Goal, goal } from '../control/resources/goal.ts';
import { asDomainId } from '../model/ids.ts';
import { DAY_MS, GOAL_AGAIN_MS } from '../model/limits.ts';
import { byOwnShard, type OwnSites, Watched } from './own-sites.ts';
import type { SiteNumbers } from './site-numbers.ts';
import type { LastHitsDoor } from './warnings.ts';

const NODE = { kind: 'node', id: '' } as const;

/** What it needs of its thread. */
export interface GoalParts {
  readonly registry: Registry;
  readonly own: OwnSites;
  readonly numbers: SiteNumbers;
  readonly lastHits: LastHitsDoor;
  readonly nowMs: () => number;
  /** Told what could not be looked at; the next look tries again. */
  readonly onFault: (error: unknown) => void;
}

/** When a goal was counted last, and what the last hit was by then. */
interface Count {
  readonly of: Goal;
  readonly lastHitMs: number;
  readonly atMs: number;
}

/** The looks of a node. */
export class GoalLooks {
  readonly #parts: GoalParts;
  readonly #watched: Watched<Goal>;
  #counts = new Map<string, Count>();

  constructor(parts: GoalParts) {
    this.#parts = parts;
    const { view } = parts.registry;
    this.#watched = new Watched(() => {
      const found = [...view.all(goal)].filter((one) => one.emailReached || one.deleteReached);
      // What was counted of goals that are gone, or want nothing any more, is forgotten.
      const counts = found.flatMap(({ id }) => {
        const count = this.#counts.get(id);
        return count === undefined ? [] : [[id, count] as const];
      });
      this.#counts = new Map(counts);
      return found;
    });
  }

  /** Looks once at all of them. */
  async look(): Promise<void> {
    const { registry, own, onFault } = this.#parts;
    registry.keepUp();
    const { view } = registry;
    const wanted = this.#watched.at(view.revision(goal)).filter((one) => {
      const site = view.find(domain, one.domainId);
      return site !== null && isGoalWatched(one, site, view);
    });
    for (const goals of byOwnShard(wanted, own, ({ domainId }) => domainId).values()) {
      await this.#lookAt(goals).catch(onFault);
    }
  }

  async #lookAt(goals: readonly Goal[]): Promise<void> {
    const { lastHits, nowMs, onFault, registry } = this.#parts;
    const domainIds = new Set(goals.map(({ domainId }) => asDomainId(domainId)));
    const found = await lastHits([...domainIds]);
    for (const one of goals) {
      const lastHit = found.get(asDomainId(one.domainId));
      const site = registry.view.find(domain, one.domainId);
      // Of a domain that never had a hit no target is reached.
      if (typeof lastHit !== 'number' || site === null) continue;
      const atMs = nowMs();
      if (this.#isCounted(one, lastHit, atMs)) continue;
      try {
        const isReached = await this.#isReached(one, site, atMs);
        if (!isReached) this.#counts.set(one.id, { of: one, lastHitMs: lastHit, atMs });
      } catch (error) {
        onFault(error);
      }
    }
  }

  /** Whether counting it again would say the same. */
  #isCounted(one: Goal, lastHitMs: number, nowMs: number): boolean {
    const known = this.#counts.get(one.id);
    if (known === undefined || known.of !== one || known.lastHitMs !== lastHitMs) return false;
    // By then also hits have counted that came with a time ahead (I-71).
    const isComplete = known.atMs - lastHitMs >= DAY_MS;
    return isComplete || Math.abs(nowMs - known.atMs) < GOAL_AGAIN_MS;
  }

  /** Counts a goal; what is to happen when it is reached happens. */
  async #isReached(one: Goal, site: Domain, atMs: number): Promise<boolean> {
    const { registry, numbers } = this.#parts;
    const sinceMs = progressSinceMs(one);
    const question = { name: 'goals', goal: one, sinceMs };
    const [[answer]] = (await numbers.ask(site, [question], atMs)) as [
      readonly [{ readonly stats: Readonly<Record<string, number | undefined>> }],
    ];
    const { stats } = answer;
    const progress: GoalProgress = {
      ...{ sinceMs, visitors: stats['visitors'] ?? 0, conversionRate: stats['cr'] ?? 0 },
      metricTotal: stats['custom_metric_total'] ?? 0,
      metricAverage: stats['custom_metric_avg'] ?? 0,
    };
    if (!isGoalReached(one, progress)) return false;
    await registry.change({ nowMs: atMs, by: NODE }, (view, recordMs) =>
      tellGoal(one.id, progress, { view, nowMs: recordMs }),
    );
    return true;
  }
}
