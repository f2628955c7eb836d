/**
 * What the domains of a shard used, and when their first rows are: kept, and answered for many at once.
 *
 * Control plane. A domain in memory has counts that are not stored yet; of one that is not, nothing is
 * opened to answer. Where the first rows are is remembered, since it is asked for whole lists of
 * domains. A domain that an earlier build counted has no sums: they are made of its rows when it is
 * first needed, and from then on they are kept.
 */

import type { DomainId } from '../../model/ids.ts';
import type { ImportSummary } from '../../model/imported-sum.ts';
import type { LedgerDay } from '../../model/ledger.ts';
import type { DaySpan, DomainUsage } from '../../model/usage.ts';
import { readImports, type StoredImport } from '../../segment/disk/imported-sums.ts';
import { TABLE_NAMES } from '../../segment/memory/layout.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import { type DomainImports, shownDaysOf, summaryOf } from '../imports/domain-imports.ts';
import { type AskedDays, ledgerOf, type UnsavedCounts } from '../usage/ledger.ts';
import type { LedgerTotals } from '../usage/ledger-totals.ts';
import {
  countSegment,
  type DayRows,
  daysOf,
  firstRowOf,
  firstRowOfSegment,
  segmentOf,
} from '../usage/stored-rows.ts';
import { NO_ROW, ROW_UNKNOWN, UsageCounts } from '../usage/usage-counts.ts';
import { saveUsage, storedFirstRowMs, usageOf } from '../usage/usage-store.ts';
import { isDamage, type SetAside } from './set-aside.ts';
import type { ShardPulse } from './shard-pulse.ts';

const VIEWS_AT = TABLE_NAMES.indexOf('views');
const EVENTS_AT = TABLE_NAMES.indexOf('events');
const NOTHING = { views: 0, events: 0, keepAlives: 0 } as const;
const NO_DAYS: ReadonlyMap<number, { segment: Segment }> = new Map();

/** A shard as far as this needs it. */
interface UsageHolder {
  /** Null while nothing was ever saved. */
  environment(): StateEnvironment | null;
  readonly domains: ReadonlyMap<
    DomainId,
    UnsavedCounts & {
      readonly segments: ReadonlyMap<number, { segment: Segment }>;
      readonly imports: DomainImports;
    }
  >;
  readonly aside: SetAside;
  readonly pulse: Pick<ShardPulse, 'lastHit'>;
  readonly totals: LedgerTotals;
}

/** The use of one shard's domains. */
export class ShardUsage {
  readonly #holder: UsageHolder;
  /** Of domains that are not in memory. */
  readonly #firstRows = new Map<DomainId, number>();

  constructor(holder: UsageHolder) {
    this.#holder = holder;
  }

  /**
   * The counts of a domain that comes into memory.
   *
   * @param isStored whether something of it is on disk.
   * @throws STATE_DAMAGED.
   */
  opened(domainId: DomainId, isStored: boolean): UsageCounts {
    this.#firstRows.delete(domainId);
    const environment = this.#holder.environment();
    if (environment === null || !isStored) return new UsageCounts(undefined);
    const firstRowMs = storedFirstRowMs(environment, domainId);
    return firstRowMs === undefined
      ? this.#countStored(environment, domainId)
      : new UsageCounts(firstRowMs);
  }

  /**
   * What a domain used, and when its first row is.
   *
   * @param span null: the first row only. That is part of what lists of domains show, so damage does
   *   not keep it from being answered as far as it is known.
   * @param mayWrite whether sums of a domain of an earlier build may be stored now.
   * @throws STATE_DAMAGED with a span: sums are right or not said.
   */
  answer(domainId: DomainId, span: DaySpan | null, mayWrite: boolean): DomainUsage {
    const { aside } = this.#holder;
    try {
      if (span !== null) aside.checkComplete(domainId);
      return this.#answer(domainId, span, mayWrite);
    } catch (error) {
      if (!isDamage(error) || span !== null) throw error;
      aside.tell(error);
      return { firstRowMs: null, usage: NOTHING, lastHit: 'unknown', importedDays: null };
    }
  }

  /**
   * What became of the items that a domain was sent (P-31).
   *
   * @param mayWrite as `answer` has it.
   * @throws STATE_DAMAGED: it is right or not said.
   */
  ledger(domainId: DomainId, asked: AskedDays, mayWrite: boolean): LedgerDay[] {
    const { aside, domains } = this.#holder;
    aside.checkComplete(domainId);
    const open = domains.get(domainId);
    const unsaved = open ?? { usage: this.#closed(domainId, mayWrite), drops: null };
    return ledgerOf(this.#holder.environment(), domainId, unsaved, asked);
  }

  /** Finds the first row of a domain in memory, where a deletion may have taken it. */
  settleFirstRow({
    domainId,
    usage,
    segments,
  }: {
    readonly domainId: DomainId;
    readonly usage: UsageCounts;
    readonly segments: ReadonlyMap<number, { segment: Segment }>;
  }): void {
    if (usage.firstRowMs === ROW_UNKNOWN) {
      usage.setFirstRow(this.#findFirstRow(domainId, segments));
    }
  }

  /** What a domain has of imports (S-98). @throws STATE_DAMAGED. */
  imports(domainId: DomainId): ImportSummary[] {
    const { aside, domains } = this.#holder;
    aside.checkComplete(domainId);
    return (
      domains.get(domainId)?.imports.summaries() ?? this.#storedImports(domainId).map(summaryOf)
    );
  }

  /** All domains that the shard ever knew. */
  domainIds(): DomainId[] {
    const ids = new Set(this.#holder.domains.keys());
    for (const { key } of this.#holder.environment()?.range(['d'], ['e']) ?? []) {
      ids.add(key[1] as DomainId);
    }
    return [...ids];
  }

  #answer(domainId: DomainId, span: DaySpan | null, mayWrite: boolean): DomainUsage {
    const { aside, domains, pulse } = this.#holder;
    const environment = this.#holder.environment();
    const open = domains.get(domainId);
    let unsaved = open?.usage ?? null;
    let firstRowMs = open === undefined ? this.#firstRows.get(domainId) : open.usage.firstRowMs;
    if (firstRowMs === undefined) {
      unsaved = this.#closed(domainId, mayWrite);
      firstRowMs = unsaved.firstRowMs;
    }
    if (firstRowMs === ROW_UNKNOWN) {
      firstRowMs = this.#findFirstRow(domainId, open?.segments ?? NO_DAYS);
      open?.usage.setFirstRow(firstRowMs);
    }
    // What is counted of a domain of an earlier build, and could not be stored, is counted again.
    if (open === undefined && (unsaved === null || !unsaved.isUnsaved)) {
      this.#firstRows.set(domainId, firstRowMs);
    }
    return {
      firstRowMs: firstRowMs === NO_ROW ? null : firstRowMs,
      usage: span === null ? NOTHING : usageOf(environment, domainId, span, unsaved),
      // Of one that is set aside hits wait in the log.
      lastHit: aside.has(domainId) ? 'unknown' : pulse.lastHit(domainId),
      importedDays:
        open === undefined ? shownDaysOf(this.#storedImports(domainId)) : open.imports.shownDays,
    };
  }

  #storedImports(domainId: DomainId): readonly StoredImport[] {
    const environment = this.#holder.environment();
    return (environment && readImports(environment, domainId))?.imports ?? [];
  }

  /** The counts of a domain that is not in memory: nothing, but for one of an earlier build. */
  #closed(domainId: DomainId, mayWrite: boolean): UsageCounts {
    const environment = this.#holder.environment();
    const isStored = environment?.has(['d', domainId]) === true;
    const counts = this.opened(domainId, isStored);
    if (environment === null || !isStored || !counts.isUnsaved || !mayWrite) return counts;
    const { totals } = this.#holder;
    const sums = totals.with([{ usage: counts, drops: null }]);
    try {
      environment.write(() => {
        saveUsage(environment, domainId, counts);
        totals.save(environment, sums);
      });
    } catch {
      // The disk refuses: it is told by the next save, and these are made again.
      return counts;
    }
    totals.saved(sums);
    counts.markSaved();
    return counts;
  }

  #countStored(environment: StateEnvironment, domainId: DomainId): UsageCounts {
    const counts = new UsageCounts(undefined);
    for (const day of daysOf(environment, domainId, NO_DAYS)) {
      this.#unlessDamaged(
        () => countSegment(segmentOf(environment, domainId, day), counts),
        () => {
          // Of a day that cannot be read its number of rows is known.
          const { rows } = (day as { header: { rows: number[] } }).header;
          counts.of(day.day).views += rows[VIEWS_AT] ?? 0;
          counts.of(day.day).events += rows[EVENTS_AT] ?? 0;
        },
      );
    }
    return counts;
  }

  #findFirstRow(domainId: DomainId, open: ReadonlyMap<number, { segment: Segment }>): number {
    const environment = this.#holder.environment();
    const firstOf = (day: DayRows) =>
      this.#unlessDamaged(
        () => firstRowOfSegment(segmentOf(environment, domainId, day)),
        () => (day as { header: { minMs: number } }).header.minMs,
      );
    return firstRowOf(daysOf(environment, domainId, open), firstOf);
  }

  #unlessDamaged<Found>(read: () => Found, otherwise: () => Found): Found {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#holder.aside.tell(error);
      return otherwise();
    }
  }
}
