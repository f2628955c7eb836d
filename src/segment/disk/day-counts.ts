/**
 * Counts of a day at rest that are kept beside it on disk: what a goal has of it is found out once, not
 * by every query thread after every start.
 *
 * Control plane. A query thread counts and tells the shard's actor, its only writer. They belong to one
 * state of the day, so whoever writes or removes its header removes them in the same transaction; they
 * say of which state they are all the same, since an earlier build would leave them there. Losing them
 * costs time only: snapshots are without them, and of many the oldest go.
 */

import { Packr } from 'msgpackr';
import type { DomainId, Epoch, ShardId } from '../../model/ids.ts';
import { DAY_TOTAL_COUNT_MAX } from '../../model/limits.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import type { KeptCounts } from '../memory/segment.ts';
import { countsKey, readHeader, type SegmentHeader } from './segment-header.ts';

/** To be raised when the same name would be counted differently: what was kept before is not read. */
const FORMAT = 1;
const packr = new Packr({ useRecords: false });

type NamedCounts = readonly [name: string, counts: readonly number[]];

/** A day of a domain, and under which lease it was read. */
interface DayPlace {
  readonly shard: ShardId;
  readonly epoch: Epoch;
  readonly domainId: DomainId;
  readonly day: number;
}

/** One state of it: no other state has the same numbers under the same lease. */
type DayState = Pick<SegmentHeader, 'generation' | 'version'>;

/** What was counted of one state of a day, for its actor to keep. Plain data. */
export interface CountedDay extends DayPlace, Readonly<DayState> {
  readonly counts: readonly NamedCounts[];
}

/** As it is stored. */
interface Kept extends DayState {
  format: number;
  /** Those that were counted first come first. */
  counts: readonly NamedCounts[];
}

/** The counts of one state of a day, for a query thread. */
export class DayCounts implements KeptCounts {
  readonly #environment: StateEnvironment;
  readonly #day: DayPlace & DayState;
  readonly #news: Set<DayCounts>;
  readonly #known = new Map<string, readonly number[]>();
  #counted: NamedCounts[] = [];
  /** Moment of the environment as of the last look. */
  #moment = -1;

  /** @param news this is added when something was counted. */
  constructor(
    environment: StateEnvironment,
    place: DayPlace,
    { generation, version }: DayState,
    news: Set<DayCounts>,
  ) {
    this.#environment = environment;
    this.#day = { ...place, generation, version };
    this.#news = news;
  }

  find(name: string): readonly number[] | null {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const { moment } = this.#environment;
    if (moment === this.#moment) return null;
    // Another thread may have counted it since.
    this.#moment = moment;
    for (const [kept, counts] of readCounts(this.#environment, this.#day)) {
      this.#known.set(kept, counts);
    }
    return this.#known.get(name) ?? null;
  }

  keep(name: string, counts: readonly number[]): void {
    this.#known.set(name, counts);
    this.#counted.push([name, counts]);
    this.#news.add(this);
  }

  /** What was counted since the last call. */
  take(): CountedDay {
    const counts = this.#counted;
    this.#counted = [];
    return { ...this.#day, counts };
  }
}

/**
 * Writes down what was counted of days that are still as they were; by the environment's only writer, in
 * a transaction of its own.
 */
export function keepCounts(environment: StateEnvironment, days: readonly CountedDay[]): void {
  environment.write(() => {
    for (const counted of days) {
      const { domainId, day, generation, version } = counted;
      const header = readHeader(environment, domainId, day);
      if (header?.generation !== generation || header.version !== version) continue;
      const all = new Map(readCounts(environment, counted));
      for (const [name, counts] of counted.counts) all.set(name, counts);
      const counts = [...all].slice(-DAY_TOTAL_COUNT_MAX);
      const kept: Kept = { format: FORMAT, generation, version, counts };
      environment.put(countsKey(domainId, day), packr.pack(kept));
    }
  });
}

/** What is kept of exactly this state of a day. */
function readCounts(
  environment: StateEnvironment,
  { domainId, day, generation, version }: Pick<DayPlace, 'domainId' | 'day'> & DayState,
): readonly NamedCounts[] {
  const bytes = environment.view(countsKey(domainId, day));
  if (bytes === undefined) return [];
  const kept = packr.unpack(bytes) as Kept;
  const isOfState = kept.generation === generation && kept.version === version;
  return kept.format === FORMAT && isOfState ? kept.counts : [];
}
