/** The actor's work on a hit: decode, visitor, session, rows. No stage may grow with the day. */
import { decodeGroups, encodeGroups } from '../../src/bus/codec.ts';
import { Sessionizer } from '../../src/shard/sessionizer.ts';
import { benchmark } from '../harness/suite.ts';
import { emptyDomain, enrichedHits, START_MS } from '../harness/workload.ts';

const GROUP_HITS = 99;

benchmark('shard/sessionizer: decode and apply a page view', ({ seed, size }) => {
  const few = size({ smoke: 1, full: 30 });
  const many = size({ smoke: 3, full: 3_000 });
  const hits = enrichedHits({ seed, hits: many * GROUP_HITS });
  // As they come from the log: prepared hits would be read from cold memory, which no actor does.
  const records = Array.from({ length: many }, (_, record) => {
    const group = hits.slice(record * GROUP_HITS, (record + 1) * GROUP_HITS);
    const head = { domainId: 'bench', receivedMs: START_MS, idempotencyHash: '', dropped: null };
    return encodeGroups([{ ...head, hits: group }]);
  });
  hits.length = 0;
  const sessionizer = new Sessionizer();
  const applyFirst = (recordCount: number) => {
    const domain = emptyDomain();
    for (let record = 0; record < recordCount; record++) {
      const batch = decodeGroups(records[record]!);
      for (let row = 0; row < GROUP_HITS; row++) sessionizer.apply(domain, batch, row);
    }
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
