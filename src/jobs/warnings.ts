/**
 * Looks for domains that no hit comes to any more (O-41).
 *
 * Control plane. Each node looks at the domains of the shards that it holds. When the last hit was stored
 * is asked as the API asks for what a domain used: it counts all that was acknowledged, also
 * directly after another node took the shard over. Right after a start nobody is warned: what kept the
 * hits away may have been that the service was off, and they are on their way.
 */
import { monotonicMs } from '../base/clock.ts';
import type { Look } from '../control/descriptor/resource.ts';
import { isWarningTold, tellWarning, warningDaysOf } from '../control/people/domain-notices.ts';
import type { Registry } from '../control/registry/registry.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import { asDomainId, type DomainId } from '../model/ids.ts';
import { DAY_MS, WARNING_LOOK_MS } from '../model/limits.ts';
import type { LastHit } from '../model/usage.ts';
import { byOwnShard, type OwnSites, Watched } from './own-sites.ts';

const NODE = { kind: 'node', id: '' } as const;

/** When hits of domains were last stored; rejects when somebody cannot say now. */
export type LastHitsDoor = (
  domainIds: readonly DomainId[],
) => Promise<ReadonlyMap<DomainId, LastHit>>;

/** What it needs of its thread. */
export interface WarningParts {
  readonly registry: Registry;
  readonly own: OwnSites;
  readonly lastHits: LastHitsDoor;
  readonly nowMs: () => number;
  /** Any clock that is never set; for tests. */
  readonly elapsedMs?: () => number;
  /** Told what could not be looked at; the next look tries again. */
  readonly onFault: (error: unknown) => void;
}

/** When the last hit of a domain came, as somebody said it. */
interface Answer {
  readonly lastHit: LastHit;
  readonly atMs: number;
}

/** The looks of a node. */
export class WarningLooks {
  readonly #parts: WarningParts;
  readonly #elapsedMs: () => number;
  readonly #startMs: number;
  readonly #watched: Watched<Domain>;
  readonly #answers = new Map<string, Answer>();

  constructor(parts: WarningParts) {
    this.#parts = parts;
    this.#elapsedMs = parts.elapsedMs ?? monotonicMs;
    this.#startMs = this.#elapsedMs();
    const { view } = parts.registry;
    this.#watched = new Watched(() => {
      this.#answers.clear();
      return [...view.all(domain)].filter((site) => warningDaysOf(site) !== null);
    });
  }

  /** Looks once at all of them. */
  async look(): Promise<void> {
    if (this.#elapsedMs() - this.#startMs < WARNING_LOOK_MS) return;
    const { registry, own, nowMs, onFault } = this.#parts;
    registry.keepUp();
    const { view } = registry;
    const atMs = nowMs();
    const wanted = this.#watched
      .at(view.revision(domain))
      .filter((site) => this.#mayBeTold(site, { view, nowMs: atMs }));
    for (const sites of byOwnShard(wanted, own, ({ id }) => id).values()) {
      await this.#lookAt(sites, atMs).catch(onFault);
    }
  }

  /** As far as is known: hits that nobody heard of have come since it was asked. */
  #mayBeTold(site: Domain, context: { readonly view: Look; readonly nowMs: number }): boolean {
    const known = this.#answers.get(site.id);
    if (known === undefined || isWarningTold(site, known.lastHit, context)) return true;
    const days = warningDaysOf(site) ?? 0;
    return Math.abs(context.nowMs - known.atMs) >= days * DAY_MS;
  }

  async #lookAt(sites: readonly Domain[], atMs: number): Promise<void> {
    const { lastHits, onFault } = this.#parts;
    const { view } = this.#parts.registry;
    const found = await lastHits(sites.map(({ id }) => asDomainId(id)));
    for (const site of sites) {
      const lastHit = found.get(asDomainId(site.id)) ?? 'unknown';
      if (lastHit !== 'unknown') this.#answers.set(site.id, { lastHit, atMs });
      if (!isWarningTold(site, lastHit, { view, nowMs: atMs })) continue;
      await this.#tell(site.id, lastHit, atMs).catch(onFault);
    }
  }

  async #tell(domainId: string, lastHit: LastHit, atMs: number): Promise<void> {
    await this.#parts.registry.change({ nowMs: atMs, by: NODE }, (view, recordMs) =>
      tellWarning(domainId, lastHit, { view, nowMs: recordMs }),
    );
  }
}
