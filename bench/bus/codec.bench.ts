/** Hits into log records and back: 64 together, as a busy edge coalesces them, and one alone. */
import { decodeGroups, encodeGroups } from '../../src/bus/codec.ts';
import type { HitGroup } from '../../src/model/hit.ts';
import { benchmark } from '../harness/suite.ts';
import { enrichedHits, START_MS } from '../harness/workload.ts';

benchmark('bus/codec: hits of single requests', ({ seed, size }) => {
  const requests = size({ smoke: 8, full: 64 });
  const groups = groupsOf(seed, requests, 1);
  const alone = groups.slice(0, 1);
  const packed = encodeGroups(groups);
  return {
    'encode together': { elements: requests, run: () => encodeGroups(groups).byteLength },
    'encode one alone': { elements: 1, run: () => encodeGroups(alone).byteLength },
    'decode together': { elements: requests, run: () => sumOf(decodeGroups(packed)) },
  };
});

benchmark('bus/codec: a batch', ({ seed, size }) => {
  const hits = size({ smoke: 9, full: 99 });
  const groups = groupsOf(seed, 1, hits);
  const packed = encodeGroups(groups);
  return {
    encode: { elements: hits, run: () => encodeGroups(groups).byteLength },
    decode: { elements: hits, run: () => sumOf(decodeGroups(packed)) },
  };
});

function groupsOf(seed: number, requests: number, hitsEach: number): HitGroup[] {
  const hits = enrichedHits({ seed, hits: requests * hitsEach });
  return Array.from({ length: requests }, (_, request) => ({
    domainId: 'bench',
    receivedMs: START_MS,
    idempotencyHash: '',
    dropped: null,
    hits: hits.slice(request * hitsEach, (request + 1) * hitsEach),
  }));
}

function sumOf(groups: readonly HitGroup[]): number {
  let sum = 0;
  for (const { hits } of groups) for (const hit of hits) sum += hit.path.length + hit.visitorLow;
  return sum;
}
