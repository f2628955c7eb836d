/**
 * What the micro benchmarks work on: raw hits, enriched hits, and a segment filled with them.
 *
 * Control plane. Made from the same pool as the HTTP load, by the code that the service itself runs.
 */

import { assert } from '../../../src/base/assert.ts';
import { decodeGroups, encodeGroups } from '../../../src/bus/record/codec.ts';
import { parsePageUrl } from '../../../src/ingest/page/page-url.ts';
import { siteWith } from '../../../src/ingest/page/site.ts';
import { Pipeline } from '../../../src/ingest/pipeline.ts';
import { openLocator } from '../../../src/ingest/place/locate.ts';
import type { HitInput } from '../../../src/ingest/step.ts';
import { VISIT_VIEWS } from '../../../src/load/hits/narrow.ts';
import { visitAddress } from '../../../src/load/hits/placeholders.ts';
import { type Hit, HitKind } from '../../../src/model/hit.ts';
import { asDomainId } from '../../../src/model/ids.ts';
import type { Segment } from '../../../src/segment/memory/segment.ts';
import { DomainState } from '../../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { POOL_HOSTNAME, pooledHits } from '../load/pool.ts';

/** 2026-03-02T08:00:00Z: a Monday morning; hits follow each other from here. */
export const START_MS = 1_772_438_400_000;
const HIT_GAP_MS = 40;
const DOMAIN_ID = asDomainId('bench');
const SITE = siteWith(DOMAIN_ID, POOL_HOSTNAME);

/** Inputs of the ingest pipeline: page views, in order of time, every visit from its own address. */
export function hitInputs(options: { seed: number; hits: number }): HitInput[] {
  const visits = Math.ceil(options.hits / VISIT_VIEWS);
  const pool = pooledHits({ seed: options.seed, visits }).slice(0, options.hits);
  return pool.map((raw, index) => ({
    kind: HitKind.PageView,
    raw: {
      ...raw,
      ip: visitAddress(Math.floor(index / VISIT_VIEWS)),
      user_agent: String(raw['user_agent']),
    },
    page: parsePageUrl(String(raw['url'])),
    site: SITE,
    timeMs: START_MS + index * HIT_GAP_MS,
    requestVerdict: 0,
  }));
}

/** A pipeline with the bundled location database and a fixed key. */
export function openPipeline(): Pipeline {
  return new Pipeline({ locate: openLocator([]), visitorKey: new Uint8Array(32).fill(7) });
}

/** Hits as they leave the pipeline. */
export function enrichedHits(options: { seed: number; hits: number }): Hit[] {
  const pipeline = openPipeline();
  return hitInputs(options).map((input) => {
    const hit = pipeline.run(input);
    assert(typeof hit !== 'number', 'no hit of the pool is dropped');
    return hit;
  });
}

/** An empty domain without anything on disk. */
export function emptyDomain(): DomainState {
  return new DomainState(
    {
      segment: () => null,
      segmentMaxMs: () => Number.NEGATIVE_INFINITY,
      idempotencyReceivedMs: () => undefined,
    },
    DOMAIN_ID,
    null,
  );
}

/** The segments that the actor has after applying hits. */
export function filledSegments(hits: readonly Hit[]): Segment[] {
  const domain = emptyDomain();
  const sessionizer = new Sessionizer();
  const head = { domainId: DOMAIN_ID, receivedMs: START_MS, idempotencyHash: '', dropped: null };
  const batch = decodeGroups(encodeGroups([{ ...head, hits: [...hits] }]));
  for (let row = 0; row < hits.length; row++) sessionizer.apply(domain, batch, row);
  domain.flushRollups();
  return [...domain.segments.values()].map((open) => open.segment);
}
