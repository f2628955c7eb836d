/**
 * A shard whose domains are split over lanes and merged again while hits come, in this process.
 *
 * As `StoredEngine`, with a base and lanes that apply the same log, each at a pace of its own between
 * two changes of lanes: some save, some forget and open again, and now and then all are lost and
 * replay from where each of them was. After some requests the domain is split anew, or merged.
 */
import { createHash } from 'node:crypto';
import { encodeErasure, encodeGroups, encodeSplit, isSplit } from '../../src/bus/codec.ts';
import type { LogRecord } from '../../src/bus/log.ts';
import { LANE_COUNT_MAX } from '../../src/model/split.ts';
import { spanOf } from '../../src/query/request.ts';
import { SegmentReader } from '../../src/segment/segment-reader.ts';
import { checkpoint, freeze } from '../../src/shard/checkpoint.ts';
import { eraseNextDay } from '../../src/shard/erasure.ts';
import { eraseFrozen, mayErase } from '../../src/shard/frozen-days.ts';
import { Sessionizer } from '../../src/shard/sessionizer.ts';
import { Shard } from '../../src/shard/shard.ts';
import type { Bench } from './bench.ts';
import {
  type EngineSite,
  edgeWork,
  erasureOf,
  OWNER_ONLY,
  readQuery,
  registeredOf,
  VisitorIds,
} from './engine-bench.ts';
import { runWithoutHidden } from './hidden-rows.ts';

const SHARD = 0;
const SEGMENT_CACHE_BYTES = 2_000_000;

/** Over all engines: what a thread keeps of a domain's days would be mistaken for another's. */
let domainsMade = 0;

/** See above. */
export class SplitEngine {
  private readonly dataDir: string;
  private readonly log: LogRecord[] = [];
  private readonly reader: SegmentReader;
  /** By lane; the first is the base. */
  private lanes: Shard[];
  private random: () => number;

  constructor(dataDir: string, seed: number) {
    this.dataDir = dataDir;
    this.random = randomOf(seed);
    this.lanes = [this.makeLane(0)];
    this.reader = new SegmentReader(dataDir, SEGMENT_CACHE_BYTES);
  }

  /** A bench on a fresh domain of the shard. */
  open(site: EngineSite): Bench {
    domainsMade++;
    const domainId = `split-${domainsMade}`;
    const generations = [1];
    const ids = new VisitorIds();
    let registered = OWNER_ONLY;
    const disturb = async () => {
      if (this.random() < 0.3) {
        generations.push(1 + Math.floor(this.random() * 4));
        this.append(encodeSplit({ domainId, lanes: [...generations] }));
      }
      await this.disturb();
    };
    return {
      define: async (conversions) => {
        registered = registeredOf(conversions);
      },
      send: async (items, idempotencyKey = '') => {
        const { answer, hits } = edgeWork(items, site, ids);
        const hash = createHash('md5').update(`${domainId} ${idempotencyKey}`).digest('hex');
        const idempotencyHash = idempotencyKey === '' ? '' : hash;
        const head = { domainId, receivedMs: Date.now(), idempotencyHash, dropped: null };
        this.append(encodeGroups([{ ...head, hits }]));
        await disturb();
        return [answer];
      },
      erase: async (deletion) => {
        this.append(encodeErasure(erasureOf(domainId, deletion, site)));
        await disturb();
      },
      ask: async (name, parameters) => {
        while (this.lanes.some(({ erasing }) => erasing.size > 0)) {
          for (const lane of this.lanes) this.save(lane);
          for (const lane of this.lanes) this.eraseSlice(lane);
        }
        for (const lane of this.lanes) this.save(lane);
        const query = readQuery(name, parameters, { ...site, id: domainId }, registered);
        const segments = this.reader.read({ shard: SHARD, epoch: 1, domainId, ...spanOf(query) });
        return runWithoutHidden(query, segments);
      },
      answers: () => true,
      dropped: () => null,
    };
  }

  async close(): Promise<void> {
    await this.reader.close();
    for (const lane of this.lanes) await lane.close();
  }

  private makeLane(lane: number): Shard {
    return new Shard(this.dataDir, SHARD, new Sessionizer(), { lane });
  }

  private append(payload: Uint8Array): void {
    const record = { shard: SHARD, sequence: this.log.length + 1, payload };
    this.log.push(record);
    this.apply(record);
  }

  /** As an actor with its lanes: nobody goes beyond a change of lanes before all have saved. */
  private apply(record: LogRecord): void {
    const base = this.lanes[0] as Shard;
    base.apply(record, Date.now());
    freeze(base);
    while (this.lanes.length < base.laneCount) this.lanes.push(this.makeLane(this.lanes.length));
    for (const lane of this.lanes.slice(1)) {
      lane.apply(record, Date.now());
      freeze(lane);
    }
    if (isSplit(record.payload)) eraseFrozen(base, Date.now());
  }

  private save(lane: Shard): void {
    if (lane.savedSequence < lane.appliedSequence) checkpoint(lane, [...lane.unsaved]);
  }

  private eraseSlice(lane: Shard): void {
    for (const domainId of lane.erasing) {
      const domain = lane.existingDomain(domainId, Date.now());
      if (domain === null || !mayErase(lane, domain)) continue;
      eraseNextDay(domain);
      checkpoint(lane, [domain]);
    }
  }

  private async disturb(): Promise<void> {
    for (const lane of this.lanes) {
      const what = this.random();
      if (what < 0.3) this.save(lane);
      else if (what < 0.45) {
        this.save(lane);
        lane.domains.clear();
      }
    }
    if (this.random() < 0.1) await this.crash();
  }

  /** All are lost and opened again, each where it was saved last. */
  private async crash(): Promise<void> {
    for (const lane of this.lanes) await lane.close();
    this.lanes = [this.makeLane(0)];
    const base = this.lanes[0] as Shard;
    while (this.lanes.length < Math.min(base.laneCount, LANE_COUNT_MAX)) {
      this.lanes.push(this.makeLane(this.lanes.length));
    }
    const first = Math.min(...this.lanes.map(({ savedSequence }) => savedSequence));
    if (first >= base.splits.lastSequence) eraseFrozen(base, Date.now());
    for (const record of this.log.slice(first)) this.apply(record);
  }
}

/** A stream of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
