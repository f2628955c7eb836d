// Goal: a question whose texts have no room is refused, and answered once there is room again.
// Method: a stored day, and a heap that says that it is full.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { encodeGroups } from '../../src/bus/record/codec.ts';
import { DAY_MS } from '../../src/model/limits.ts';
import { SegmentReader } from '../../src/segment/disk/segment-reader.ts';
import { KIND } from '../../src/segment/memory/dictionary.ts';
import { checkpoint } from '../../src/shard/save/checkpoint.ts';
import { Sessionizer } from '../../src/shard/state/sessionizer.ts';
import { Shard } from '../../src/shard/state/shard.ts';
import { hit, MONDAY_MS } from '../shard/hit-builder.ts';

const heap = vi.hoisted(() => ({ isFull: false }));

vi.mock('../../src/base/heap.ts', async (original) => ({
  ...(await original<object>()),
  isHeapFull: () => heap.isFull,
}));

test('texts that have no room refuse the question and are read later, whole', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-heap-'));
  const shard = new Shard(dataDir, 0, new Sessionizer());
  const reader = new SegmentReader(dataDir, 1_000_000);
  try {
    const head = { domainId: 'a', receivedMs: 0, idempotencyHash: '', dropped: null };
    const hits = [hit(1, MONDAY_MS, { path: '/a' }), hit(2, MONDAY_MS, { path: '/b' })];
    const payload = encodeGroups([{ ...head, hits }]);
    shard.apply({ shard: 0, sequence: 1, payload }, 0);
    checkpoint(shard, [...shard.unsaved]);
    const range = { startMs: MONDAY_MS, endMs: MONDAY_MS + DAY_MS };
    const [segment] = reader.read({ shard: 0, epoch: 1, domainId: 'a', ...range });
    heap.isFull = true;
    for (let times = 0; times < 2; times++) {
      expect(() => segment?.dictionary.texts(KIND.path)).toThrow(/budget of the memory for texts/);
    }
    // An actor has to have its days: it is not refused.
    shard.domains.clear();
    const open = shard.existingDomain('a', 0)?.existingSegment(MONDAY_MS / DAY_MS);
    expect(open?.segment.dictionary.texts(KIND.path)).toEqual(['', '/a', '/b']);
    heap.isFull = false;
    expect(segment?.dictionary.texts(KIND.path)).toEqual(['', '/a', '/b']);
  } finally {
    await reader.close();
    await shard.close();
    rmSync(dataDir, { recursive: true });
  }
});
