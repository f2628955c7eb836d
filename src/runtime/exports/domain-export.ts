/**
 * Exports a domain of a data directory: for `footfall export`.
 *
 * It changes nothing, and may run beside the service: the shard is read as it is on disk, of one moment,
 * and what the log holds beyond that is applied in memory. So everything that was acknowledged before
 * is in it. Beside a service the log may be trimmed between the two; then it begins anew.
 */

import { existsSync, rmSync } from 'node:fs';
import { systemClock } from '../../base/clock.ts';
import { driverOf } from '../../bus/drivers.ts';
import type { StoredLog } from '../../bus/log/driver.ts';
import {
  type ExportPlan,
  type ExportSource,
  type ExportWatch,
  NOTHING_STORED,
  writeExportFiles,
} from '../../exports/export-segments.ts';
import type { Manifest } from '../../exports/manifest.ts';
import { errors } from '../../model/errors.ts';
import { asDomainId, type ShardId } from '../../model/ids.ts';
import { DAY_MS } from '../../model/limits.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { DomainState } from '../../shard/state/domain-state.ts';
import { shardOf } from '../../shard/state/placement.ts';
import { Sessionizer } from '../../shard/state/sessionizer.ts';
import { Shard } from '../../shard/state/shard.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import { checkLayout } from '../directory/data-layout.ts';
import { storedDays, storedSegment } from './stored-days.ts';

/** Beside a service that saves while it is read. */
const ATTEMPTS = 20;

/**
 * Exports a domain into a directory that is empty, or not there.
 *
 * @throws DATA_DIR_UNUSABLE when there is no data directory, EXPORT_SHARED on a node of a cluster,
 *   STATE_DAMAGED, LOG_DAMAGED; the directory is gone then.
 */
export async function exportDomain(
  dataDir: string,
  plan: ExportPlan,
  directory: string,
  watch: ExportWatch,
): Promise<Manifest> {
  if (!existsSync(dataDir)) {
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: 'there is no such directory' });
  }
  const layout = checkLayout(dataDir);
  if (layout === null) return writeExportFiles(NOTHING_STORED, plan, directory, watch);
  const log = layout.log === undefined ? null : driverOf(layout.log.kind).reader(dataDir);
  if (layout.log !== undefined && log === null) {
    throw errors.EXPORT_SHARED({});
  }
  const shard = shardOf(asDomainId(plan.domain.id), layout.shards);
  for (let attempt = 1; ; attempt++) {
    const source = { dataDir, shard, log, isLast: attempt === ATTEMPTS };
    try {
      const manifest = await attemptToExport(source, plan, directory, watch);
      if (manifest !== null) return manifest;
    } catch (error) {
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
  }
}

/** Where the rows are. */
interface RowSource {
  readonly dataDir: string;
  readonly shard: ShardId;
  readonly log: StoredLog | null;
  /** Whether what is missing is thrown. */
  readonly isLast: boolean;
}

/** @returns null when something was taken away before it was read. */
async function attemptToExport(
  { dataDir, shard: id, log, isLast }: RowSource,
  plan: ExportPlan,
  directory: string,
  watch: ExportWatch,
): Promise<Manifest | null> {
  const shard = new Shard(dataDir, id, new Sessionizer());
  const saved = shard.savedSequence;
  const environment = shard.hasEnvironment ? shard.environment() : null;
  const domainId = asDomainId(plan.domain.id);
  const read = () => {
    const first = log === null ? Number.POSITIVE_INFINITY : replay(log, shard);
    const domain = shard.existingDomain(domainId, systemClock());
    return { first, domain };
  };
  const write = (domain: DomainState | null) =>
    writeExportFiles(sourceOf(environment, domain, plan), plan, directory, watch);
  try {
    if (environment === null) return write(read().domain);
    // Other reads of the process move on to what the service saves meanwhile.
    const moment = environment.hold();
    try {
      const { first, domain } = environment.within(moment, read);
      const isTrimmed = saved + 1 < first && shard.storedSequence() > saved;
      if (!isTrimmed) return environment.within(moment, () => write(domain));
    } finally {
      moment.done();
    }
  } catch (error) {
    if (isLast || !isGone(error)) throw error;
  } finally {
    await shard.close();
  }
  if (isLast) throw errors.OVERLOADED({ reason: 'the service saves faster than it can be read' });
  return null;
}

/** A file of the log was removed while it was looked for. */
function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Applies what the log has for a shard. @returns the position of the first record that was there. */
function replay(log: StoredLog, shard: Shard): number {
  let first = Number.POSITIVE_INFINITY;
  const nowMs = systemClock();
  log.replay(shard.savedSequence, (record) => {
    first = Math.min(first, record.sequence);
    if (record.shard === shard.id) shard.apply(record, nowMs);
  });
  return first;
}

function sourceOf(
  environment: StateEnvironment | null,
  domain: DomainState | null,
  plan: ExportPlan,
): ExportSource {
  if (domain === null) return NOTHING_STORED;
  const sums = domain.imports.shownSums(environment, domain.domainId, plan.days);
  return { segments: segmentsOf(environment, domain, plan), sums };
}

/** The days of a domain by day: those that the log has changed from memory, all others from disk. */
function* segmentsOf(
  environment: StateEnvironment | null,
  domain: DomainState,
  plan: ExportPlan,
): Generator<Segment> {
  const { domainId } = domain;
  for (const day of daysOf(environment, domain)) {
    if (day * DAY_MS >= plan.span.endMs) return;
    if (domain.segments.has(day) || domain.pendingErasures.has(day)) {
      const open = domain.existingSegment(day);
      if (open !== null) yield open.segment;
      domain.evictDay(day);
    } else if (environment !== null) {
      const segment = storedSegment(environment, domainId, day);
      if (segment !== null) yield segment;
    }
  }
}

function daysOf(environment: StateEnvironment | null, domain: DomainState): number[] {
  const stored = environment === null ? [] : storedDays(environment, domain.domainId);
  return [...new Set([...domain.segments.keys(), ...stored])].sort((left, right) => left - right);
}
