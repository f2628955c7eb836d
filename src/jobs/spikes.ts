/**
 * Looks for spikes (O-40): which domains that want to know have as many active visitors as their threshold.
 *
 * Control plane. Each node looks at the domains of the shards that it holds. The owners of the shards say
 * from memory which domains may have so many; who is active on those is asked as the API is, so the mail
 * has its number (S-82), and pages and referrers of the same moment. A domain with it off, with nobody to
 * tell or that is silent is not looked at, and costs nothing.
 *
 *     registry ─ wanted, not silent ─▶ crowds, a call per shard ─ few ─▶ active, referrers ─▶ mails + silence
 */
import { isSpikeTold, spikeThresholdOf, tellSpike } from '../control/people/domain-notices.ts';
import type { Registry } from '../control/registry/registry.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import { asDomainId, type DomainId, type ShardId } from '../model/ids.ts';
import { ACTIVE_SECONDS_DEFAULT, SPIKE_NAME_LENGTH_MAX, SPIKE_ROW_COUNT } from '../model/limits.ts';
import type { CrowdLook } from '../model/pulse.ts';
import { byOwnShard, type OwnSites, Watched } from './own-sites.ts';
import type { SiteNumbers } from './site-numbers.ts';

const NODE = { kind: 'node', id: '' } as const;

/** What it needs of its thread. */
export interface SpikeParts {
  readonly registry: Registry;
  readonly own: OwnSites;
  readonly numbers: SiteNumbers;
  /** Which of these domains may have so many visitors; rejects when the shard has moved. */
  readonly crowds: (shard: ShardId, looks: readonly CrowdLook[]) => Promise<readonly DomainId[]>;
  readonly nowMs: () => number;
  /** Told what could not be looked at; the next look tries again. */
  readonly onFault: (error: unknown) => void;
}

/** The looks of a node. */
export class SpikeLooks {
  readonly #parts: SpikeParts;
  readonly #watched: Watched<Domain>;

  constructor(parts: SpikeParts) {
    this.#parts = parts;
    const { view } = parts.registry;
    this.#watched = new Watched(() =>
      [...view.all(domain)].filter((site) => spikeThresholdOf(site) !== null),
    );
  }

  /** Looks once at all of them. */
  async look(): Promise<void> {
    const { registry, own, nowMs, onFault } = this.#parts;
    registry.keepUp();
    const { view } = registry;
    const atMs = nowMs();
    const wanted = this.#watched
      .at(view.revision(domain))
      .filter((site) => isSpikeTold(site, { view, nowMs: atMs }));
    for (const [shard, sites] of byOwnShard(wanted, own, ({ id }) => id)) {
      // A shard that moves, or a question too many, is for the next look.
      await this.#lookAt(shard, sites).catch(onFault);
    }
  }

  async #lookAt(shard: ShardId, sites: readonly Domain[]): Promise<void> {
    const { crowds, onFault } = this.#parts;
    const looks = sites.map(
      (site): CrowdLook => ({
        domainId: asDomainId(site.id),
        seconds: secondsOf(site),
        visitors: spikeThresholdOf(site) ?? 1,
      }),
    );
    for (const domainId of await crowds(shard, looks)) {
      await this.#tell(domainId).catch(onFault);
    }
  }

  async #tell(domainId: DomainId): Promise<void> {
    const { registry, numbers, nowMs } = this.#parts;
    const site = registry.view.find(domain, domainId);
    if (site === null) return;
    const atMs = nowMs();
    const [start, limit] = [secondsOf(site), SPIKE_ROW_COUNT];
    const questions = [
      { name: 'active', parameters: { include_title: false, limit } },
      { name: 'referrer', parameters: { start, limit } },
    ];
    const [active, referrers] = (await numbers.ask(site, questions, atMs)) as [
      { readonly visitors: number; readonly stats: readonly Row[] },
      readonly Row[],
    ];
    const found = {
      ...{ visitors: active.visitors, atMs },
      pages: active.stats.map((row) => counted(row, row['path'])),
      referrers: referrers.map((row) => counted(row, row['referrer_name'] || row['referrer'])),
    };
    await registry.change({ nowMs: atMs, by: NODE }, (view, recordMs) =>
      tellSpike(domainId, found, { view, nowMs: recordMs }),
    );
  }
}

/** S-80. */
function secondsOf({ activeVisitorsSeconds }: Domain): number {
  return activeVisitorsSeconds || ACTIVE_SECONDS_DEFAULT;
}

type Row = Readonly<Record<string, unknown>>;

function counted(row: Row, name: unknown) {
  const cut = Array.from(String(name)).slice(0, SPIKE_NAME_LENGTH_MAX).join('');
  return { name: cut, count: Number(row['visitors']) };
}
