/**
 * Looks for spikes (O-40): which domains that want to know have as many active visitors as their
 * threshold.
 *
 * Control plane. Each node looks at the domains of the shards that it owns. Its actors say from
 * memory which of them may have so many; who is active on those is asked as the API is, so the mail
 * has its number (S-82), and pages and referrers of the same moment. A domain with it off, with
 * nobody to tell, or that is silent is not looked at, and costs nothing.
 *
 *     registry ─ wanted, not silent ─▶ crowds ─ few ─▶ active, referrers ─▶ mails and silence
 */
import { isSpikeTold, spikeThresholdOf, tellSpike } from '../control/people/domain-notices.ts';
import type { Registry } from '../control/registry/registry.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import { asDomainId, type DomainId } from '../model/ids.ts';
import { ACTIVE_SECONDS_DEFAULT } from '../model/limits.ts';
import { SPIKE_NAME_LENGTH_MAX, SPIKE_ROW_COUNT } from '../model/outgoing-limits.ts';
import type { CrowdLook } from '../model/pulse.ts';
import type { SiteNumbers } from './site-numbers.ts';
import { forEach, Watched } from './watched.ts';

const NODE = { kind: 'node', id: '' } as const;

/** What it needs of its thread. */
export interface SpikeParts {
  readonly registry: Pick<Registry, 'view' | 'keepUp' | 'change'>;
  readonly numbers: SiteNumbers;
  /** Whether this node owns the shard of a domain at this moment. */
  readonly owns: (domainId: DomainId) => boolean;
  /** Which of these may have so many visitors, of shards that this node owns. */
  readonly crowds: (looks: readonly CrowdLook[]) => Promise<readonly DomainId[]>;
  readonly nowMs: () => number;
}

/** The job of the spikes: a turn looks once at all domains. */
export function spikes(parts: SpikeParts): () => Promise<void> {
  const { registry, owns, crowds, nowMs } = parts;
  const { view } = registry;
  const watched = new Watched(() =>
    [...view.all(domain)].filter((site) => spikeThresholdOf(site) !== null),
  );
  return async () => {
    registry.keepUp();
    const context = { view, nowMs: nowMs() };
    const looks = watched
      .at(view.revision(domain))
      .filter((site) => owns(asDomainId(site.id)) && isSpikeTold(site, context))
      .map(lookAt);
    if (looks.length > 0) await forEach(await crowds(looks), (id) => tell(parts, id));
  };
}

function lookAt(site: Domain): CrowdLook {
  const visitors = spikeThresholdOf(site) ?? Number.POSITIVE_INFINITY;
  return { domainId: asDomainId(site.id), seconds: secondsOf(site), visitors };
}

/** S-80. */
function secondsOf({ activeVisitorsSeconds }: Domain): number {
  return activeVisitorsSeconds || ACTIVE_SECONDS_DEFAULT;
}

async function tell({ registry, numbers, nowMs }: SpikeParts, domainId: DomainId): Promise<void> {
  const site = registry.view.find(domain, domainId);
  if (site === null) return;
  const atMs = nowMs();
  const limit = SPIKE_ROW_COUNT;
  const questions = [
    { name: 'active', parameters: { include_title: false, limit } },
    { name: 'referrer', parameters: { start: secondsOf(site), limit } },
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

type Row = Readonly<Record<string, unknown>>;

function counted(row: Row, name: unknown) {
  const cut = Array.from(String(name)).slice(0, SPIKE_NAME_LENGTH_MAX).join('');
  return { name: cut, count: Number(row['visitors']) };
}
