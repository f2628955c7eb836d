/**
 * Erases days that are older than they are to be kept (P-21), at every start and daily at 00:45 UTC.
 *
 * Control plane. The stricter of what the installation and a domain ask for holds. Of a domain the
 * days that were shown as its own, in its time zone, stay whole: rows go by UTC days that lie before
 * all of them. It goes as a deletion does, so nothing is half gone whatever is killed when, and
 * what was gone already is only erased again. What it came to is written down in the domain's record,
 * for the audit; of two nodes that do the same, where a lease moves, one writes it down.
 *
 *     00:45, or a start ─▶ domains with days to go ─ each by the owner of its shard ─▶ erasure, durable
 *                                                             the record says from when on there is data
 */
import { localDayOf, startOfLocalDayMs } from '../base/zone.ts';
import { changed } from '../control/descriptor/draft.ts';
import { withoutDeleted } from '../control/exports.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import type { Erasure } from '../model/erasure.ts';
import { asDomainId, type DomainId } from '../model/ids.ts';
import { DAY_MS, RETENTION_AT_MS } from '../model/limits.ts';
import type { JobContext, JobTurn } from './job.ts';
import { forEach } from './watched.ts';

const NODE = { kind: 'node', id: '' } as const;
const DATE_LENGTH = 'yyyy-mm-dd'.length;

type Parts = Pick<
  JobContext,
  'registry' | 'submitErasure' | 'nowMs' | 'owns' | 'haveBefore' | 'retentionDays'
>;

/** What is kept of a domain. */
export interface Kept {
  /** The first UTC day of which rows are kept, and the first local day of which imported sums are. */
  readonly firstDay: number;
  readonly firstLocalDay: number;
}

/** What is kept of a domain: its own today, and as many days before. @returns null: all of it. */
export function keptOf(
  { retentionDays, timezone }: Pick<Domain, 'retentionDays' | 'timezone'>,
  { nowMs, ofInstallation }: { readonly nowMs: number; readonly ofInstallation: number },
): Kept | null {
  const asked = [retentionDays ?? 0, ofInstallation].filter((days) => days > 0);
  if (asked.length === 0) return null;
  const firstLocalDay = localDayOf(timezone, nowMs) - Math.min(...asked);
  const firstDay = Math.floor(startOfLocalDayMs(timezone, firstLocalDay) / DAY_MS);
  return { firstDay, firstLocalDay };
}

/** The job of the retention. */
export function retention(parts: Parts): JobTurn {
  const sweep = new Retention(parts);
  return () => sweep.take();
}

class Retention {
  readonly #parts: Parts;
  /** The UTC day whose moment has come last. */
  #latest = Number.NEGATIVE_INFINITY;
  /** What is still to be done of it: a shard may come here later, and what failed is tried again. */
  readonly #pending = new Map<DomainId, Kept>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async take(): Promise<void> {
    const { nowMs, owns, haveBefore } = this.#parts;
    const latest = Math.floor((nowMs() - RETENTION_AT_MS) / DAY_MS);
    if (latest > this.#latest) this.#begin(latest);
    const own = [...this.#pending].filter(([id]) => owns(id));
    if (own.length === 0) return;
    const firsts = new Map(own.map(([id, { firstDay }]) => [id, firstDay * DAY_MS]));
    const have = await haveBefore(firsts);
    await forEach(own, async ([id, kept]) => {
      if (have.has(id)) await this.#erase(id, kept);
      this.#pending.delete(id);
    });
  }

  #begin(latest: number): void {
    const { registry, retentionDays: ofInstallation, nowMs } = this.#parts;
    this.#latest = latest;
    this.#pending.clear();
    const now = { nowMs: nowMs(), ofInstallation };
    for (const site of registry.view.all(domain)) {
      const kept = keptOf(site, now);
      if (kept !== null) this.#pending.set(asDomainId(site.id), kept);
    }
  }

  async #erase(domainId: DomainId, { firstDay, firstLocalDay }: Kept): Promise<void> {
    const { registry, nowMs, submitErasure } = this.#parts;
    const old: Erasure = {
      ...{ domainId, kind: '', startMs: 0, endMs: firstDay * DAY_MS },
      days: { fromDay: 0, toDay: firstLocalDay - 1 },
    };
    await new Promise<void>((resolve, reject) => {
      submitErasure(old, (error) => (error === null ? resolve() : reject(error)));
    });
    const retainedFrom = new Date(firstDay * DAY_MS).toISOString().slice(0, DATE_LENGTH);
    await registry.change({ nowMs: nowMs(), by: NODE }, (view) => {
      const site = view.find(domain, domainId);
      const isNews = site !== null && (site.retainedFrom ?? '') < retainedFrom;
      const deleted = { fromDay: Number.NEGATIVE_INFINITY, toDay: firstLocalDay - 1 };
      const outdated = withoutDeleted(view, domainId, deleted, nowMs());
      return isNews ? [changed(domain, { ...site, retainedFrom }), ...outdated] : outdated;
    });
  }
}
