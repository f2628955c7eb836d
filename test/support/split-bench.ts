/**
 * A domain that is split over lanes again and again while it takes hits, as a bench: what queries
 * make of several holders and hidden rows (DECISIONS 33).
 *
 * Copying a visitor is imitated: the hits that it sent so far are applied once more where it belongs
 * now, and its sessions are hidden where they were. Visitors know nothing of each other, so the copy
 * is the visitor as it was.
 */
import { decodeGroups, encodeGroups } from '../../src/bus/codec.ts';
import type { Hit } from '../../src/model/hit.ts';
import { laneOf } from '../../src/model/split.ts';
import type { Segment } from '../../src/segment/segment.ts';
import { DomainState } from '../../src/shard/domain-state.ts';
import { Sessionizer } from '../../src/shard/sessionizer.ts';
import type { Bench } from './bench.ts';
import {
  type EngineSite,
  edgeWork,
  NOTHING_STORED,
  OWNER_ONLY,
  readQuery,
  registeredOf,
  VisitorIds,
} from './engine-bench.ts';
import { runWithoutHidden } from './hidden-rows.ts';

/** How often a domain is split anew. */
export interface SplitPlan {
  /** Lanes by generation; the last go on for ever. */
  readonly lanes: readonly number[];
  /** Requests that each generation takes. */
  readonly requests: number;
}

/** A part of the domain: a lane of a generation. */
class Holder {
  readonly domain = new DomainState(NOTHING_STORED, 'domain', null);
  /** Low halves of the ids of visitors that are elsewhere by now. */
  readonly gone = new Set<number>();
}

/** Over all benches: a thread keeps sums by the revisions of days. */
let nextRevision = 1;

/** The domain over its holders. */
class SplitDomain {
  readonly #sessionizer = new Sessionizer();
  readonly #generations: Holder[][] = [];
  /** By class: where its visitors are, and all that they sent. */
  readonly #homes = new Map<number, Holder>();
  readonly #sent = new Map<number, Hit[]>();

  begin(laneCount: number): void {
    this.#generations.push(Array.from({ length: laneCount }, () => new Holder()));
  }

  take(hit: Hit): void {
    const { visitorClass } = hit;
    const lanes = this.#generations.at(-1) as Holder[];
    const lane = lanes[laneOf(visitorClass, lanes.length)] as Holder;
    const sent = this.#sent.get(visitorClass) ?? [];
    this.#sent.set(visitorClass, sent);
    const home = this.#homes.get(visitorClass);
    if (home !== lane) {
      for (const { visitorLow, previousLow } of sent) home?.gone.add(visitorLow).add(previousLow);
      for (const earlier of sent) this.#apply(lane, earlier);
      this.#homes.set(visitorClass, lane);
    }
    sent.push(hit);
    this.#apply(lane, hit);
  }

  /** Every segment of the domain as a reader would give it, by day. */
  segments(): Segment[] {
    const holders = this.#generations.flat();
    const segments = holders.flatMap(({ domain, gone }) => {
      domain.settle();
      return [...domain.segments.values()].map(({ segment }) => {
        segment.hidden = hiddenBytes(segment, gone);
        segment.revision = nextRevision++;
        return segment;
      });
    });
    return segments.sort((left, right) => left.day - right.day);
  }

  #apply({ domain }: Holder, hit: Hit): void {
    const head = { domainId: 'domain', receivedMs: 0, idempotencyHash: '', dropped: null };
    this.#sessionizer.apply(domain, decodeGroups(encodeGroups([{ ...head, hits: [hit] }])), 0);
  }
}

function hiddenBytes({ sessions, visitors }: Segment, gone: ReadonlySet<number>) {
  const { visitor } = sessions.columns;
  const bytes = Uint8Array.from({ length: sessions.rowCount }, (_, row) =>
    gone.has(visitors.columns.low[visitor[row] as number] as number) ? 1 : 0,
  );
  return bytes.includes(1) ? bytes : null;
}

/** A bench on a fresh domain that is split by a plan. */
export function splitBench(site: EngineSite, { lanes, requests }: SplitPlan): Bench {
  const domain = new SplitDomain();
  const ids = new VisitorIds();
  const usedKeys = new Set<string>();
  let registered = OWNER_ONLY;
  let requestCount = 0;
  let held: Segment[] | null = null;
  return {
    define: async (conversions) => {
      registered = registeredOf(conversions);
    },
    send: async (items, idempotencyKey = '') => {
      const laneCount = lanes[requestCount / requests];
      if (laneCount !== undefined) domain.begin(laneCount);
      requestCount++;
      const { answer, hits } = edgeWork(items, site, ids);
      if (idempotencyKey !== '' && usedKeys.has(idempotencyKey)) return [answer];
      usedKeys.add(idempotencyKey);
      held = null;
      for (const hit of hits) domain.take(hit);
      return [answer];
    },
    erase: async () => {
      throw new Error('deletions are judged on domains that were not split');
    },
    ask: async (name, parameters) => {
      held ??= domain.segments();
      return runWithoutHidden(
        readQuery(name, parameters, { ...site, id: 'domain' }, registered),
        held,
      );
    },
    answers: () => true,
    dropped: () => null,
  };
}
