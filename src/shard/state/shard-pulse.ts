/**
 * When the last hit of a shard's domains came, and which of them are too quiet for a crowd: for who
 * looks at ten thousand of them every ten seconds (O-40, O-41).
 *
 * Control plane. Most domains are not in memory and stay out of it: what is on disk of them does
 * not change, so it is read once, and kept until a hit opens the domain. Of one in memory the
 * sessions of the window are looked at, the newest first, until there are enough: a few hundred for
 * most, a million for a millisecond. That is an upper bound of the visitors (S-82): of one with two
 * sessions both count.
 */
import { Packr } from 'msgpackr';
import type { DomainId } from '../../model/ids.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { CrowdLook } from '../../model/pulse.ts';
import type { LastHit } from '../../model/usage.ts';
import { readHeader, readHeaders } from '../../segment/disk/segment-header.ts';
import { TABLE_NAMES } from '../../segment/memory/layout.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import type { DomainState, SavedDomain } from './domain-state.ts';

const SESSIONS_AT = TABLE_NAMES.indexOf('sessions');
const ALL_DAYS = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER - 1 };

const packr = new Packr({ useRecords: false });

/** What is kept of a domain that is not in memory. */
interface Resting {
  /**
   * Latest instant of the days that it had open: of all that can have activity of the last hour.
   */
  readonly latestMs: number;
  /** In those days. */
  readonly sessionCount: number;
  /** null: there was none. */
  readonly lastHitMs: number | null;
}

const NOTHING: Resting = {
  latestMs: Number.NEGATIVE_INFINITY,
  ...{ sessionCount: 0, lastHitMs: null },
};

/** A shard as far as this needs it. */
interface PulseHolder {
  /** Null while nothing was ever saved. */
  environment(): StateEnvironment | null;
  readonly domains: ReadonlyMap<DomainId, Pick<DomainState, 'lastHitMs'>>;
}

/** The pulse of one shard's domains. */
export class ShardPulse {
  readonly #holder: PulseHolder;
  readonly #resting = new Map<DomainId, Resting>();

  constructor(holder: PulseHolder) {
    this.#holder = holder;
  }

  /** A domain comes into memory: what was kept of it is over. */
  opened(domainId: DomainId): void {
    this.#resting.delete(domainId);
  }

  /** When the last hit of a domain was stored. @throws STATE_DAMAGED. */
  lastHit(domainId: DomainId): LastHit {
    const { lastHitMs } = this.#holder.domains.get(domainId) ?? this.#restingOf(domainId);
    return lastHitMs ?? 'never';
  }

  /** Whether a domain that is not in memory cannot have so many visitors. @throws STATE_DAMAGED. */
  isQuiet({ domainId, seconds, visitors }: CrowdLook, nowMs: number): boolean {
    if (this.#holder.domains.has(domainId)) return false;
    const { latestMs, sessionCount } = this.#restingOf(domainId);
    return latestMs < nowMs - seconds * SECOND_MS || sessionCount < visitors;
  }

  #restingOf(domainId: DomainId): Resting {
    let resting = this.#resting.get(domainId);
    if (resting === undefined) {
      resting = readResting(this.#holder.environment(), domainId);
      this.#resting.set(domainId, resting);
    }
    return resting;
  }
}

function readResting(environment: StateEnvironment | null, domainId: DomainId): Resting {
  const bytes = environment?.get(['d', domainId]);
  if (environment === null || bytes === undefined) return NOTHING;
  const saved = packr.unpack(bytes) as SavedDomain;
  let { latestMs, sessionCount } = NOTHING;
  for (const day of saved.openDays) {
    const header = readHeader(environment, domainId, day);
    if (header === null) continue;
    latestMs = Math.max(latestMs, header.maxMs);
    sessionCount += header.rows[SESSIONS_AT] ?? 0;
  }
  return { latestMs, sessionCount, lastHitMs: lastHitOf(environment, domainId, saved) };
}

/**
 * When the last hit of a domain came, as its state on disk says; null: none ever did.
 *
 * Builds before have not written it down: then it is the latest instant of the rows that are there.
 */
export function lastHitOf(
  environment: StateEnvironment,
  domainId: DomainId,
  { lastHitMs }: SavedDomain,
): number | null {
  if (lastHitMs !== undefined) return lastHitMs;
  let latestMs: number | null = null;
  for (const { header } of readHeaders(environment, domainId, ALL_DAYS)) {
    latestMs = Math.max(latestMs ?? header.maxMs, header.maxMs);
  }
  return latestMs;
}

/**
 * Whether the days of a domain in memory may have so many visitors.
 *
 * @cost a look at the sessions of the days with activity in the window, until there are enough.
 */
export function mayHaveCrowd(
  segments: Iterable<{ readonly segment: Segment }>,
  { seconds, visitors }: CrowdLook,
  nowMs: number,
): boolean {
  const startMs = nowMs - seconds * SECOND_MS;
  const live: Segment[] = [];
  let most = 0;
  for (const { segment } of segments) {
    if (segment.maxMs < startMs) continue;
    live.push(segment);
    most += segment.sessions.rowCount;
  }
  if (most < visitors) return false;
  let left = visitors;
  for (const { sessions } of live) {
    const { lastMs } = sessions.columns;
    for (let row = sessions.rowCount - 1; row >= 0 && left > 0; row--) {
      const atMs = lastMs[row]!;
      if (atMs >= startMs && atMs <= nowMs) left--;
    }
  }
  return left <= 0;
}
