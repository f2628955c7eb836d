/** Active visitors: what counting costs a hit, and what a question costs beside the scan. */

import { decodeGroups, encodeGroups } from '../../src/bus/record/codec.ts';
import { VISIT_VIEWS } from '../../src/load/hits/narrow.ts';
import type { Hit } from '../../src/model/hit.ts';
import { asDomainId } from '../../src/model/ids.ts';
import { ACTIVE, runActive } from '../../src/query/live/active.ts';
import { parseQueryString } from '../../src/query/question/parameters.ts';
import { parseStatisticsRequest, type StatisticsQuery } from '../../src/query/question/request.ts';
import type { DomainState } from '../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../src/shard/state/sessionizer.ts';
import { emptyDomain, enrichedHits, START_MS } from '../harness/data/workload.ts';
import { benchmark } from '../harness/suite.ts';

const GROUP_HITS = 99;
const WINDOW_MS = 600_000;
const SITE = { id: 'bench', timezone: 'UTC', groupByTitle: false, activeVisitorsSeconds: 600 };

function question(nowMs: number): StatisticsQuery {
  return parseStatisticsRequest(ACTIVE, parseQueryString(''), { domain: SITE, nowMs });
}

function recordsOf(hits: readonly Hit[]): Uint8Array[] {
  const head = {
    domainId: asDomainId('bench'),
    receivedMs: START_MS,
    idempotencyHash: '',
    dropped: null,
  };
  return Array.from({ length: hits.length / GROUP_HITS }, (_, record) => {
    const group = hits.slice(record * GROUP_HITS, (record + 1) * GROUP_HITS);
    return encodeGroups([{ ...head, hits: group }]);
  });
}

/** Applies records as a shard does. */
function apply(domain: DomainState, records: readonly Uint8Array[], nowMs: number): void {
  const sessionizer = new Sessionizer();
  for (const record of records) {
    const batch = decodeGroups(record);
    for (let row = 0; row < GROUP_HITS; row++) sessionizer.apply(domain, batch, row);
    domain.active.advance(nowMs);
  }
}

benchmark('shard/active: apply a page view', ({ seed, size }) => {
  const hits = enrichedHits({ seed, hits: size({ smoke: 3, full: 2_000 }) * GROUP_HITS });
  const lastMs = (hits.at(-1) as Hit).timeMs;
  const records = recordsOf(hits);
  const first = records.slice(0, 1);
  const rest = records.slice(1);
  const applyAll = (isAsked: boolean) => {
    const domain = emptyDomain();
    apply(domain, first, lastMs);
    if (isAsked) domain.active.answer(question(lastMs), domain.segments.values(), lastMs);
    apply(domain, rest, lastMs);
    return [...domain.segments.values()].reduce((sum, { segment }) => {
      return sum + segment.views.rowCount;
    }, 0);
  };
  const elements = rest.length * GROUP_HITS;
  return {
    'nobody asks': { elements, run: () => applyAll(false) },
    'counts are kept': { elements, run: () => applyAll(true) },
  };
});

benchmark('shard/active: one question', ({ seed, size }) => {
  const groups = size({ smoke: 3, full: 3_040 });
  const spread = WINDOW_MS / (groups * GROUP_HITS);
  // Three views a visit, all in the last ten minutes: 100,320 visitors in the full size.
  const hits = enrichedHits({ seed, hits: groups * GROUP_HITS }).map((hit, index) => {
    return { ...hit, timeMs: START_MS + Math.floor(index * spread) };
  });
  const nowMs = START_MS + WINDOW_MS;
  const domain = emptyDomain();
  apply(domain, recordsOf(hits), nowMs);
  const query = question(nowMs);
  const segments = [...domain.segments.values()].map(({ segment }) => segment);
  // So many are counted in slices.
  domain.active.answer(query, domain.segments.values(), nowMs);
  domain.active.fill(() => false);
  const name = `${((groups * GROUP_HITS) / VISIT_VIEWS).toLocaleString('en-US')} active`;
  return {
    [`${name}, counts kept`]: {
      elements: 1,
      run: () => JSON.stringify(domain.active.answer(query, domain.segments.values(), nowMs)),
    },
    [`${name}, scan`]: { elements: 1, run: () => JSON.stringify(runActive(query, segments)) },
  };
});
