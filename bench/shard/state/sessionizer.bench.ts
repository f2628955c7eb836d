/** The actor's work on a hit: decode, visitor, session, rows, pre-aggregates. No stage may grow with the day. */

import { decodeGroups, encodeGroups } from '../../../src/bus/record/codec.ts';
import { RecordEncoder } from '../../../src/bus/record/encoder.ts';
import type { Hit } from '../../../src/model/hit.ts';
import { asDomainId } from '../../../src/model/ids.ts';
import { DAY_MS } from '../../../src/model/limits.ts';
import type { DomainState } from '../../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { DropCounts } from '../../../src/shard/usage/drop-counts.ts';
import { emptyDomain, enrichedHits, START_MS } from '../../harness/data/workload.ts';
import { benchmark } from '../../harness/suite.ts';

const GROUP_HITS = 99;
/** Records after which pre-aggregates are settled, as an actor does it after 4,096 hits. */
const SETTLE_RECORDS = 41;

benchmark('shard/sessionizer: decode, apply and settle a page view', ({ seed, size }) => {
  const few = size({ smoke: 1, full: 30 });
  const many = size({ smoke: 3, full: 3_000 });
  const hits = enrichedHits({ seed, hits: many * GROUP_HITS });
  // As they come from the log: prepared hits would be read from cold memory, which no actor does.
  const records = Array.from({ length: many }, (_, record) => {
    const group = hits.slice(record * GROUP_HITS, (record + 1) * GROUP_HITS);
    const head = {
      domainId: asDomainId('bench'),
      receivedMs: START_MS,
      idempotencyHash: '',
      dropped: null,
    };
    return encodeGroups([{ ...head, hits: group }]);
  });
  hits.length = 0;
  const sessionizer = new Sessionizer();
  const applyFirst = (recordCount: number) => {
    const domain = emptyDomain();
    for (let record = 0; record < recordCount; record++) {
      const batch = decodeGroups(records[record]!);
      for (let row = 0; row < GROUP_HITS; row++) sessionizer.apply(domain, batch, row);
      if (record % SETTLE_RECORDS === SETTLE_RECORDS - 1) domain.flushRollups();
    }
    domain.flushRollups();
    let sum = 0;
    for (const { segment } of domain.segments.values()) {
      sum += segment.views.rowCount * 7 + segment.sessions.rowCount * 3 + segment.visitors.rowCount;
    }
    return sum;
  };
  return {
    'an empty day': { elements: few * GROUP_HITS, run: () => applyFirst(few) },
    'a hundred times as many': { elements: many * GROUP_HITS, run: () => applyFirst(many) },
  };
});

/** What a dropped item costs the actor beside a stored one: each a request of its own (P-31). */
benchmark('shard/drops: decode and count requests of one item', ({ seed, size }) => {
  const requests = size({ smoke: 8, full: 2_000 });
  const hits = enrichedHits({ seed, hits: requests });
  const names = ['Googlebot', 'GPTBot', 'AhrefsBot', 'facebookexternalhit'];
  const head = { domainId: asDomainId('bench'), receivedMs: START_MS, idempotencyHash: '' };
  const day = Math.floor(START_MS / DAY_MS);
  const stored = encodeGroups(hits.map((hit) => ({ ...head, dropped: null, hits: [hit] })));
  const dropped = encodeGroups(
    hits.map((_, at) => ({
      ...head,
      dropped: [{ reason: 1, day, bot: names[at % names.length] as string, count: 1 }],
      hits: [],
    })),
  );
  const sessionizer = new Sessionizer();
  return {
    'dropped items': {
      elements: requests,
      run: () => {
        const drops = new DropCounts();
        let count = 0;
        for (const group of decodeGroups(dropped).groups) {
          for (const drop of group.dropped ?? []) {
            drops.add(drop.reason, drop.day, drop.bot, drop.count);
            count++;
          }
        }
        return count;
      },
    },
    'stored page views': {
      elements: requests,
      run: () => {
        const batch = decodeGroups(stored);
        const fresh = emptyDomain();
        for (let row = 0; row < requests; row++) sessionizer.apply(fresh, batch, row);
        return fresh.segments.size;
      },
    },
  };
});

/**
 * The same hits of one domain and of many in turn. What many cost more is memory that is far away
 * and texts that are new to each of them; the memo of
 * `shard/state/hit-cursor.ts` keeps what is known near.
 */
benchmark('shard/sessionizer: domains in turn', ({ seed, size }) => {
  const records = size({ smoke: 20, full: 4_000 });
  const hits = enrichedHits({ seed, hits: 36 * 60 });
  const encoder = new RecordEncoder();
  const recordsOf = (domainCount: number) =>
    Array.from({ length: records }, (_, record) => {
      for (let at = 0; at < 36; at++) {
        const place = record * 36 + at;
        const hit = { ...(hits[place % hits.length] as Hit), visitorLow: place * 2_654_435 };
        const domainId = `d${Math.imul(Math.floor(place / 3), 40_503) % domainCount}`;
        const head = {
          domainId: asDomainId(domainId),
          receivedMs: START_MS,
          idempotencyHash: '',
          dropped: null,
        };
        encoder.add({ ...head, hits: [hit] });
      }
      return encoder.finish().slice();
    });
  const sessionizer = new Sessionizer();
  const applyAll = (payloads: readonly Uint8Array[]) => {
    const domains = new Map<string, DomainState>();
    let views = 0;
    for (const payload of payloads) {
      const batch = decodeGroups(payload);
      for (const { domainId, first, end } of batch.groups) {
        const domain = domains.get(domainId) ?? emptyDomain();
        domains.set(domainId, domain);
        for (let row = first; row < end; row++) sessionizer.apply(domain, batch, row);
      }
    }
    for (const domain of domains.values()) {
      domain.flushRollups();
      const { segments } = domain;
      for (const { segment } of segments.values()) views += segment.views.rowCount;
    }
    return views;
  };
  const one = recordsOf(1);
  const hundred = recordsOf(100);
  return {
    'one domain': { elements: records * 36, run: () => applyAll(one) },
    'a hundred domains': { elements: records * 36, run: () => applyAll(hundred) },
  };
});
