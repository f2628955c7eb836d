/**
 * Looks for domains that no hit comes to any more (O-41).
 *
 * Control plane. Each node looks at the domains of the shards that it owns. When the last hit was
 * stored is asked as the API asks what a domain used: it counts all that was acknowledged,
 * also directly after another node took the shard over. Right after a start, and after NATS was away
 * or hits waited in the spool of any node, nobody is warned: what kept the hits away may have been
 * that, and they are on their way.
 */
import { monotonicMs } from '../base/clock.ts';
import { isWarningTold, tellWarning, warningDaysOf } from '../control/people/domain-notices.ts';
import type { NoticeContext } from '../control/people/mails.ts';
import type { Registry } from '../control/registry/registry.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import { asDomainId, type DomainId } from '../model/ids.ts';
import { DAY_MS } from '../model/limits.ts';
import { WARNING_LOOK_MS } from '../model/outgoing-limits.ts';
import type { LastHit } from '../model/usage.ts';
import { forEach, Watched } from './watched.ts';

const NODE = { kind: 'node', id: '' } as const;

/** When hits of domains were last stored; rejects when somebody cannot say now. */
export type LastHitsDoor = (
  domainIds: readonly DomainId[],
) => Promise<ReadonlyMap<DomainId, LastHit>>;

/** What it needs of its thread. */
export interface WarningParts {
  readonly registry: Pick<Registry, 'view' | 'keepUp' | 'change'>;
  readonly lastHits: LastHitsDoor;
  /** Whether this node owns the shard of a domain at this moment. */
  readonly owns: (domainId: DomainId) => boolean;
  /** As the context of jobs has it. */
  readonly settledMs: () => number;
  readonly nowMs: () => number;
  /** A clock that is never set; default: that of the machine. */
  readonly elapsedMs?: () => number;
}

/** When the last hit of a domain came, and when that was asked. */
interface Answer {
  readonly lastHit: LastHit;
  readonly atMs: number;
}

/** The job of the warnings: a turn looks once at all domains. */
export function warnings(parts: WarningParts): () => Promise<void> {
  const looks = new WarningLooks(parts);
  return () => looks.look();
}

class WarningLooks {
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

  async look(): Promise<void> {
    const { registry, owns, nowMs, lastHits, settledMs } = this.#parts;
    const knownMs = Math.min(this.#elapsedMs() - this.#startMs, settledMs());
    if (knownMs < WARNING_LOOK_MS) return;
    registry.keepUp();
    const { view } = registry;
    const context = { view, nowMs: nowMs() };
    const asked = this.#watched
      .at(view.revision(domain))
      .filter((site) => owns(asDomainId(site.id)) && this.#mayBeTold(site, context));
    if (asked.length === 0) return;
    const found = await lastHits(asked.map(({ id }) => asDomainId(id)));
    await forEach(asked, async (site) => {
      const lastHit = found.get(asDomainId(site.id)) ?? 'unknown';
      if (lastHit !== 'unknown') this.#answers.set(site.id, { lastHit, atMs: context.nowMs });
      if (!isWarningTold(site, lastHit, context)) return;
      await registry.change({ nowMs: context.nowMs, by: NODE }, (now, recordMs) =>
        tellWarning(site.id, lastHit, { view: now, nowMs: recordMs }),
      );
    });
  }

  /** As far as is known: hits that nobody heard of have come since it was asked. */
  #mayBeTold(site: Domain, context: NoticeContext): boolean {
    const known = this.#answers.get(site.id);
    if (known === undefined || isWarningTold(site, known.lastHit, context)) return true;
    const days = warningDaysOf(site) ?? 0;
    return Math.abs(context.nowMs - known.atMs) >= days * DAY_MS;
  }
}
