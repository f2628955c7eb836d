/**
 * The engine without the service around it, as a bench: sessionizer and query in this process.
 *
 * Thousands of cases a minute, so rare orders of hits are found here; the way through edge, log,
 * checkpoint and query threads is judged over HTTP. Ingestion steps are skipped: a hit is made of
 * what the tables of known.ts derive.
 */

import { createHash } from 'node:crypto';
import { startOfLocalDayMs } from '../../../src/base/zone.ts';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { decodeGroups, encodeErasure, encodeGroups } from '../../../src/bus/record/codec.ts';
import { encodeImport } from '../../../src/bus/record/import-record.ts';
import { draftNew } from '../../../src/control/descriptor/draft.ts';
import { RegistryView } from '../../../src/control/registry/view.ts';
import { goal as goalResource } from '../../../src/control/resources/goal.ts';
import { Platform } from '../../../src/model/dimensions.ts';
import type { Erasure } from '../../../src/model/erasure.ts';
import { type Hit, type HitGroup, HitKind } from '../../../src/model/hit.ts';
import {
  asDomainId,
  asEpoch,
  asSequence,
  asShardId,
  type DomainId,
} from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, SESSION_GAP_MS } from '../../../src/model/limits.ts';
import { runOver, type StoredDays } from '../../../src/query/answers/run.ts';
import { statisticNamed } from '../../../src/query/answers/statistics.ts';
import { parseDay } from '../../../src/query/question/calendar.ts';
import { funnelQuestion, goalQuestion } from '../../../src/query/question/conversions.ts';
import type { QueryParameters } from '../../../src/query/question/parameters.ts';
import {
  parseStatisticsRequest,
  type RequestContext,
  type StatisticsQuery,
  spanOf,
} from '../../../src/query/question/request.ts';
import { forgetTextSpaces } from '../../../src/query/text/text-space.ts';
import { keepCounts } from '../../../src/segment/disk/day-counts.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { checkpoint, packDays } from '../../../src/shard/save/checkpoint.ts';
import { DayEviction } from '../../../src/shard/save/evict-days.ts';
import { DomainState, type StateReader } from '../../../src/shard/state/domain-state.ts';
import { eraseNextDay, expectErasure } from '../../../src/shard/state/erasure.ts';
import { OpenMemory } from '../../../src/shard/state/open-memory.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import type { StateEnvironment } from '../../../src/store/state-environment.ts';
import type { RawParameters } from '../oracle/answers/question.ts';
import type { CollectionAnswer } from '../oracle/collect/collect.ts';
import type { Deletion } from '../oracle/collect/erase.ts';
import type { Conversions, ModelHit } from '../oracle/world.ts';
import { type Item, modelHitOf } from '../traffic/notation.ts';
import type { Bench } from './bench.ts';
import { importRecords } from './import-records.ts';

const NOTHING_STORED: StateReader = {
  segment: () => null,
  segmentMaxMs: () => Number.NEGATIVE_INFINITY,
  idempotencyReceivedMs: () => undefined,
};

const KINDS = { pv: HitKind.PageView, ev: HitKind.Event, ka: HitKind.KeepAlive } as const;
const PLATFORMS = {
  unknown: Platform.Unknown,
  desktop: Platform.Desktop,
  mobile: Platform.Mobile,
} as const;

/** Numbers visitors, so that ids of two visitors are never equal. */
class VisitorIds {
  private readonly ids = new Map<string, number>();

  of(visitor: string): number {
    const id = this.ids.get(visitor) ?? this.ids.size + 1;
    this.ids.set(visitor, id);
    return id;
  }
}

function parametersOf(raw: RawParameters): QueryParameters {
  const listOf = (name: string): string[] => {
    const value = raw[name];
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map(String);
  };
  return { get: listOf, names: () => Object.keys(raw) };
}

/** The hit as the edge would send it to the actor. */
function hitOf(hit: ModelHit, ids: VisitorIds): Hit {
  const day = Math.floor(hit.timeMs / DAY_MS);
  const hasPrevious = hit.timeMs - day * DAY_MS < SESSION_GAP_MS;
  const { dimensions } = hit;
  const pairs = Object.entries(hit.pairs).flat();
  return {
    kind: KINDS[hit.kind],
    timeMs: hit.timeMs,
    visitorLow: ids.of(`${hit.person} ${day}`),
    visitorHigh: 7,
    previousLow: hasPrevious ? ids.of(`${hit.person} ${day - 1}`) : 0,
    previousHigh: hasPrevious ? 7 : 0,
    platform: PLATFORMS[dimensions.platform],
    path: hit.path,
    title: hit.title,
    country: dimensions.country,
    region: dimensions.region,
    city: dimensions.city,
    language: dimensions.language,
    referrer: dimensions.referrer,
    referrerName: dimensions.referrerName,
    referrerIcon: '',
    channel: dimensions.channel,
    os: dimensions.os,
    osVersion: dimensions.osVersion,
    browser: dimensions.browser,
    browserVersion: dimensions.browserVersion,
    device: dimensions.device,
    screenClass: dimensions.screenClass,
    utmSource: dimensions.utmSource,
    utmMedium: dimensions.utmMedium,
    utmCampaign: dimensions.utmCampaign,
    utmContent: dimensions.utmContent,
    utmTerm: dimensions.utmTerm,
    hostname: dimensions.hostname,
    pairs: hit.kind === 'ka' || pairs.length === 0 ? null : pairs,
    eventName: hit.eventName,
    eventDurationSeconds: hit.eventDurationSeconds,
    nonInteractive: hit.nonInteractive,
    webhooks: '',
    sentTags: '',
  };
}

interface EngineSite {
  hostname: string;
  timezone: string;
  groupByTitle?: boolean;
}

/** What the edge makes of a request: the answer, and the hits that go into the log. */
function edgeWork(
  items: readonly Item[],
  site: EngineSite,
  ids: VisitorIds,
): { answer: CollectionAnswer; hits: Hit[] } {
  const all = items.map((item) => modelHitOf(item, site.hostname));
  const rejected = all.flatMap((hit, index) => (hit.isForeign ? [index] : []));
  const taken = all.filter((hit) => !hit.isForeign && hit.botReason === '');
  return {
    answer: { accepted: all.length - rejected.length, rejected },
    hits: taken.sort((a, b) => a.timeMs - b.timeMs).map((hit) => hitOf(hit, ids)),
  };
}

type Registered = NonNullable<RequestContext['registered']>;

/** A domain without goals and funnel. */
export const OWNER_ONLY: Registered = { memberCount: 1 };

const NOBODY = new RegistryView();

/** What the edge would add from the registry. */
function registeredOf({ goals, steps }: Conversions): Registered {
  return {
    ...OWNER_ONLY,
    goals: goals.map((sent) => {
      const draft = { sent: { ...sent, domain_id: 'domain' }, userId: '', nowMs: 0, view: NOBODY };
      const { record: goal } = draftNew(goalResource, draft);
      return goalQuestion(goal, { name: goal.name });
    }),
    funnel: funnelQuestion(
      steps.map(({ filter }) => filter),
      {},
    ),
  };
}

/** The query as it arrives at a query thread. */
export function readQuery(
  name: string,
  raw: RawParameters,
  { id, timezone, groupByTitle = false }: EngineSite & { id: string },
  registered: Registered,
): StatisticsQuery {
  const domain = { id, timezone, groupByTitle, activeVisitorsSeconds: 600 };
  const context = { domain, nowMs: Date.now(), registered };
  // Queries travel to another thread.
  return structuredClone(parseStatisticsRequest(statisticNamed(name), parametersOf(raw), context));
}

/**
 * Every question every way: from pre-aggregates and what is kept of earlier questions, by a scan,
 * through indexes, and again once all of that is kept. All must say the same to the byte.
 */
export function runEveryWay(query: StatisticsQuery, stored: StoredDays): unknown {
  const answer = JSON.stringify(runOver(query, stored, null));
  for (const way of ['scan', 'index', 'best'] as const) {
    const other = JSON.stringify(runOver(query, stored, null, way));
    if (other !== answer) throw new Error(`${query.statistic}: ${answer}\n${way} ${other}`);
  }
  return JSON.parse(answer);
}

/** As it is after the way over HTTP. */
function plain(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer));
}

function erasureOf(domainId: string, { kind, from, to }: Deletion, site: EngineSite): Erasure {
  const [fromDay, toDay] = [parseDay(from) ?? 0, parseDay(to) ?? 0];
  return {
    domainId: asDomainId(domainId),
    kind,
    startMs: startOfLocalDayMs(site.timezone, fromDay),
    endMs: startOfLocalDayMs(site.timezone, toDay + 1),
    days: { fromDay, toDay },
  };
}

/** A domain without rows in the memory of this process. */
export function emptyDomain(): DomainState {
  return new DomainState(NOTHING_STORED, asDomainId('domain'), null);
}

/** A domain in the memory of this process, without log and disk. */
export function engineBench(site: EngineSite, domain = emptyDomain()): Bench {
  const sessionizer = new Sessionizer();
  const ids = new VisitorIds();
  const usedKeys = new Set<string>();
  let registered = OWNER_ONLY;
  return {
    define: async (conversions) => {
      registered = registeredOf(conversions);
    },
    send: async (items, idempotencyKey = '') => {
      const { answer, hits } = edgeWork(items, site, ids);
      if (idempotencyKey !== '' && usedKeys.has(idempotencyKey)) return [answer];
      usedKeys.add(idempotencyKey);
      const head = {
        domainId: asDomainId('domain'),
        receivedMs: 0,
        idempotencyHash: '',
        dropped: null,
      };
      const batch = decodeGroups(encodeGroups([{ ...head, hits }]));
      for (let row = 0; row < hits.length; row++) sessionizer.apply(domain, batch, row);
      domain.active.advance(Date.now());
      return [answer];
    },
    erase: async (deletion) => {
      const spans = [...domain.segments.values()].map(({ segment }) => segment);
      if (deletion.kind === 'imported') return;
      expectErasure(domain, erasureOf('domain', deletion, site), spans);
    },
    ask: async (name, parameters) => {
      while (domain.pendingErasures.size > 0) eraseNextDay(domain);
      const query = readQuery(name, parameters, { ...site, id: 'domain' }, registered);
      const open = [...domain.segments.values()];
      if (name === 'active') return plain(domain.active.answer(query, open, Date.now()));
      domain.flushRollups();
      return runEveryWay(query, { segments: open.map(({ segment }) => segment), imported: null });
    },
    dropped: () => null,
  };
}

const SHARD = asShardId(0);
/** Small, so that segments are evicted and read again. */
const SEGMENT_CACHE_BYTES = 2_000_000;

/** Stands for a SIGKILL between two hits of a record. */
class Crash extends Error {}

/** Has no room: days leave after about every third hit, and now and then the process dies there. */
class CrampedMemory extends OpenMemory {
  private looks = 0;
  /** Deaths until the request at hand has come through. */
  deathsLeft = 0;

  override get isDue(): boolean {
    this.looks++;
    return this.looks % 3 === 0;
  }

  override check(): void {
    super.check();
    if (this.looks % 39 !== 0 || this.deathsLeft === 0) return;
    this.deathsLeft--;
    throw new Crash();
  }
}

/** Over all engines: what a thread keeps of a domain's days would be mistaken for another's. */
let domainsMade = 0;

/**
 * One shard on disk with its log in memory, which forgets and recovers between requests.
 *
 * After some requests it saves its domains, after some it also drops them from memory (a sealed day
 * comes back from disk), after some the shard is lost without a save and its log is replayed.
 */
export class StoredEngine {
  private readonly dataDir: string;
  private readonly log: LogRecord[] = [];
  private readonly reader: SegmentReader;
  /** Of a thread that has just been started: it keeps nothing. */
  private readonly fresh: SegmentReader;
  private shard: Shard;
  private requests = 0;
  /** Days of which counts were kept, so that a test can say that there were any. */
  keptDays = 0;
  private readonly memory: OpenMemory;
  private hasCrashed = false;

  /** @param isCramped whether days leave memory between the hits of a request, too. */
  constructor(dataDir: string, isCramped = false) {
    this.dataDir = dataDir;
    this.memory = isCramped ? new CrampedMemory() : new OpenMemory();
    this.shard = this.openShard();
    if (isCramped) {
      const shards = { values: () => [this.shard], epochOf: () => asEpoch(1) };
      const onFault = (error: Error) => {
        throw error;
      };
      new DayEviction(shards, { memory: this.memory, bytesMax: 1, onFault });
    }
    this.reader = new SegmentReader(dataDir, SEGMENT_CACHE_BYTES);
    this.fresh = new SegmentReader(dataDir, 0);
  }

  /** The id of a domain that no engine has. */
  newDomain(): DomainId {
    domainsMade++;
    return asDomainId(`domain-${domainsMade}`);
  }

  /** A bench on a fresh domain of the shard. */
  open(site: EngineSite, domainId = this.newDomain()): Bench {
    const ids = new VisitorIds();
    const batches = new Map<string, number>();
    let registered = OWNER_ONLY;
    return {
      define: async (conversions) => {
        registered = registeredOf(conversions);
      },
      send: async (items, idempotencyKey = '') => {
        const { answer, hits } = edgeWork(items, site, ids);
        this.appendHits({
          domainId: asDomainId(domainId),
          receivedMs: Date.now(),
          idempotencyHash: idempotencyKey === '' ? '' : this.hashOf(domainId, idempotencyKey),
          dropped: null,
          hits,
        });
        await this.disturb();
        return [answer];
      },
      erase: async (deletion) => {
        this.append(encodeErasure(erasureOf(domainId, deletion, site)));
        await this.disturb();
      },
      importSums: async (action) => {
        const records = importRecords(asDomainId(domainId), action, batches);
        // A job that is killed sends what it sent last once more (S-98).
        for (const record of [...records, ...records.slice(-1)]) {
          this.append(encodeImport(record));
          await this.disturb();
        }
      },
      ask: async (name, parameters) => {
        this.settled();
        const query = readQuery(name, parameters, { ...site, id: domainId }, registered);
        if (name === 'active') return plain(this.active(query, domainId));
        const request = { shard: SHARD, epoch: asEpoch(1), domainId: asDomainId(domainId) };
        const read = (reader: SegmentReader): StoredDays => {
          const segments = reader.read({ ...request, ...spanOf(query) });
          return { segments, imported: reader.imports(request) };
        };
        const answer = runEveryWay(query, read(this.reader));
        if (name === 'goals') this.askAgain(answer, () => runOver(query, read(this.fresh), null));
        return answer;
      },
      dropped: () => null,
    };
  }

  async close(): Promise<void> {
    await this.reader.close();
    await this.fresh.close();
    await this.shard.close();
  }

  /** What was counted of days at rest is kept on disk: whoever finds it there says the same. */
  private askAgain(answer: unknown, ask: () => unknown): void {
    const counted = this.reader.takeCounted();
    this.keptDays += counted.length;
    if (counted.length > 0) keepCounts(this.shard.environment(), counted);
    // As on another thread, nothing of an answer is kept in memory.
    forgetTextSpaces();
    const again = JSON.stringify(ask());
    if (again !== JSON.stringify(answer))
      throw new Error(`${JSON.stringify(answer)}\nkept ${again}`);
  }

  private hashOf(domainId: string, key: string): string {
    return createHash('md5').update(`${domainId} ${key}`).digest('hex');
  }

  private appendHits(group: HitGroup): void {
    this.append(encodeGroups([group]));
  }

  /** As the actor does. */
  private active(query: StatisticsQuery, domainId: string): unknown {
    const domain = this.shard.existingDomain(asDomainId(domainId), Date.now());
    if (domain === null) return { stats: [], visitors: 0 };
    domain.reopenDays(Date.now() - HOUR_MS);
    return domain.active.answer(query, domain.segments.values(), Date.now());
  }

  /** Everything that was appended, on disk. */
  settled(): StateEnvironment {
    while (this.shard.erasing.size > 0) this.eraseSlice();
    this.save();
    return this.shard.environment();
  }

  append(payload: Uint8Array): void {
    const sequence = this.log.length + 1;
    const record = { shard: SHARD, sequence: asSequence(sequence), payload };
    this.log.push(record);
    // Once over the request, and once over the replay.
    if (this.memory instanceof CrampedMemory) this.memory.deathsLeft = 2;
    this.hasCrashed = !this.applies(record);
  }

  private openShard(): Shard {
    return new Shard(this.dataDir, SHARD, new Sessionizer(), this.memory);
  }

  /** @returns false when the process died over it. */
  private applies(record: LogRecord): boolean {
    try {
      this.shard.apply(record, Date.now());
      return true;
    } catch (error) {
      if (error instanceof Crash) return false;
      throw error;
    }
  }

  /** Starts again and replays, however often it dies over that. */
  private async recover(): Promise<void> {
    do {
      await this.shard.close();
      this.shard = this.openShard();
      const rest = this.log.slice(this.shard.savedSequence);
      this.hasCrashed = !rest.every((record) => this.applies(record));
    } while (this.hasCrashed);
  }

  private save(): void {
    if (this.shard.unsaved.size > 0) checkpoint(this.shard, [...this.shard.unsaved]);
  }

  /** One day, then a checkpoint, as the actor does it. */
  private eraseSlice(): void {
    for (const domainId of this.shard.erasing) {
      const domain = this.shard.existingDomain(domainId, Date.now());
      if (domain === null) continue;
      eraseNextDay(domain);
      checkpoint(this.shard, [domain]);
    }
  }

  /** Packs all days and lets them leave memory, however new they are. */
  private seal(): void {
    for (const domain of this.shard.domains.values()) {
      if (domain.firstUnsavedSequence !== 0 || domain.hasUnsavedErasures) continue;
      packDays(this.shard, domain, [...domain.segments.values()]);
    }
    this.shard.domains.clear();
  }

  private async disturb(): Promise<void> {
    this.requests++;
    if (this.hasCrashed) await this.recover();
    if (this.requests % 4 === 0) this.eraseSlice();
    if (this.requests % 3 === 0) this.save();
    if (this.requests % 6 === 0) {
      this.save();
      this.seal();
    }
    if (this.requests % 11 === 0) {
      await this.recover();
    }
  }
}
