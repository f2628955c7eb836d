/**
 * Looks for goals that are reached (O-42): those that have a target and want something done then.
 *
 * Control plane. Each node looks at the domains of the shards that it owns. A goal is counted as
 * the API counts goals (S-63), from the instant at which its progress began up to now; days that
 * are over are counted once (`query/cache/`). It is not counted again before a hit came.
 *
 *     registry ─ flag, target ─▶ last hits, a call per shard ─ something came ─▶ goals ─▶ mails + flag
 */
import {
  isGoalReached,
  isGoalWatched,
  progressSinceMs,
  tellGoal,
} from '../control/people/domain-notices.ts';
import type { Registry } from '../control/registry/registry.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import { type Goal, goal } from '../control/resources/goal.ts';
import { asDomainId, type DomainId } from '../model/ids.ts';
import { DAY_MS } from '../model/limits.ts';
import { GOAL_AGAIN_MS } from '../model/outgoing-limits.ts';
import type { SiteNumbers } from './site-numbers.ts';
import type { LastHitsDoor } from './warnings.ts';
import { forEach, Watched } from './watched.ts';

const NODE = { kind: 'node', id: '' } as const;

/** What it needs of its thread. */
export interface GoalParts {
  readonly registry: Pick<Registry, 'view' | 'keepUp' | 'change'>;
  readonly numbers: SiteNumbers;
  readonly lastHits: LastHitsDoor;
  /** Whether this node owns the shard of a domain at this moment. */
  readonly owns: (domainId: DomainId) => boolean;
  readonly nowMs: () => number;
}

/** When a goal was counted last and not reached, and what the last hit was by then. */
interface Count {
  readonly of: Goal;
  readonly lastHitMs: number;
  readonly atMs: number;
}

/** The job of the goals: a turn looks once at all of them. */
export function goals(parts: GoalParts): () => Promise<void> {
  const looks = new GoalLooks(parts);
  return () => looks.look();
}

class GoalLooks {
  readonly #parts: GoalParts;
  readonly #watched: Watched<Goal>;
  #counts = new Map<string, Count>();

  constructor(parts: GoalParts) {
    this.#parts = parts;
    const { view } = parts.registry;
    this.#watched = new Watched(() => {
      const found = [...view.all(goal)].filter((one) => one.emailReached || one.deleteReached);
      // Of goals that are gone, or want nothing any more, nothing is kept.
      const counts = found.map(({ id }) => [id, this.#counts.get(id)] as const);
      this.#counts = new Map(
        counts.filter((entry): entry is [string, Count] => entry[1] !== undefined),
      );
      return found;
    });
  }

  async look(): Promise<void> {
    const { registry, owns, lastHits } = this.#parts;
    registry.keepUp();
    const { view } = registry;
    const wanted = this.#watched.at(view.revision(goal)).filter((one) => {
      const site = view.find(domain, one.domainId);
      return site !== null && owns(asDomainId(site.id)) && isGoalWatched(one, site, view);
    });
    const domainIds = new Set(wanted.map(({ domainId }) => asDomainId(domainId)));
    if (domainIds.size === 0) return;
    const found = await lastHits([...domainIds]);
    await forEach(wanted, async (one) => {
      const lastHit = found.get(asDomainId(one.domainId));
      const site = view.find(domain, one.domainId);
      // Of a domain that never had a hit no target is reached.
      if (typeof lastHit === 'number' && site !== null) await this.#lookAt(one, site, lastHit);
    });
  }

  async #lookAt(one: Goal, site: Domain, lastHitMs: number): Promise<void> {
    const { registry, nowMs } = this.#parts;
    const atMs = nowMs();
    if (this.#isCounted(one, lastHitMs, atMs)) return;
    const progress = await this.#progressOf(one, site, atMs);
    if (!isGoalReached(one, progress)) {
      this.#counts.set(one.id, { of: one, lastHitMs, atMs });
      return;
    }
    await registry.change({ nowMs: atMs, by: NODE }, (view, recordMs) =>
      tellGoal(one.id, progress, { view, nowMs: recordMs }),
    );
  }

  /** Whether counting it again would say the same. */
  #isCounted(one: Goal, lastHitMs: number, nowMs: number): boolean {
    const known = this.#counts.get(one.id);
    if (known === undefined || known.of !== one || known.lastHitMs !== lastHitMs) return false;
    // By then also hits have counted that came with a time ahead (I-71).
    const isComplete = known.atMs - lastHitMs >= DAY_MS;
    return isComplete || Math.abs(nowMs - known.atMs) < GOAL_AGAIN_MS;
  }

  async #progressOf(one: Goal, site: Domain, atMs: number) {
    const sinceMs = progressSinceMs(one);
    const question = { name: 'goals', goal: one, sinceMs };
    const [[answer]] = (await this.#parts.numbers.ask(site, [question], atMs)) as [
      readonly [{ readonly stats: Readonly<Record<string, number | undefined>> }],
    ];
    const { stats } = answer;
    return {
      ...{ sinceMs, visitors: stats['visitors'] ?? 0, conversionRate: stats['cr'] ?? 0 },
      metricTotal: stats['custom_metric_total'] ?? 0,
      metricAverage: stats['custom_metric_avg'] ?? 0,
    };
  }
}
