/** Hits into log records and back: 64 together, as a busy edge coalesces them, and one alone. */
import { Packr } from 'msgpackr';
import { decodeGroups, encodeGroups } from '../../../src/bus/record/codec.ts';
import type { HitBatch } from '../../../src/bus/record/decoded-record.ts';
import type { HitGroup } from '../../../src/model/hit.ts';
import { enrichedHits, START_MS } from '../../harness/data/workload.ts';
import { benchmark } from '../../harness/suite.ts';

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
  // The rejected way: one msgpackr record a hit, structures known beforehand.
  const group = groups[0]!;
  const structures = [Object.keys(group), Object.keys(group.hits[0]!)];
  const records = new Packr({ structures, maxSharedStructures: 2 });
  const packedRecords = records.pack(groups).slice();
  return {
    encode: { elements: hits, run: () => encodeGroups(groups).byteLength },
    decode: { elements: hits, run: () => sumOf(decodeGroups(packed)) },
    'encode as records': { elements: hits, run: () => records.pack(groups).byteLength },
    'decode as records': { elements: hits, run: () => records.unpack(packedRecords).length },
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

function sumOf({ refs, texts, numbers }: HitBatch): number {
  let sum = texts.length;
  for (const ref of refs) sum += ref;
  for (const number of numbers) sum = (sum + number) >>> 0;
  return sum;
}
