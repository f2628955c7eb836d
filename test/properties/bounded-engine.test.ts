/**
 * Goal: where texts become `(other)` (I-79) the engine says what the oracle says, by number and by
 * bytes, also when it is saved, sealed and replayed between requests.
 * Method: the bounds are lowered on both sides. Deletions are left out: the oracle keeps their texts.
 */
import { expect, test, vi } from 'vitest';
import { type EngineCase, engineDisagreement } from '../support/judge/engine-cases.ts';

/** So low that random traffic runs into every one of them. */
const LIMITS = vi.hoisted(() => ({
  ...{ values: 4, metaValues: 5, narrowValues: 2 },
  ...{ kindBytes: 24, segmentBytes: 160 },
}));

vi.mock('../../src/model/limits.ts', async (original) => ({
  ...(await original<object>()),
  DISTINCT_VALUES_MAX: LIMITS.values,
  DISTINCT_META_VALUES_MAX: LIMITS.metaValues,
  DISTINCT_NARROW_VALUES_MAX: LIMITS.narrowValues,
  KIND_TEXT_BYTES_MAX: LIMITS.kindBytes,
  SEGMENT_TEXT_BYTES_MAX: LIMITS.segmentBytes,
}));

const CASES: readonly EngineCase[] = [
  {
    title: 'I-79: the engine bounds distinct texts as the oracle does',
    ...{ place: 'memory', full: 600 },
  },
  {
    title: 'I-79, I-78: the bounds hold through saves and replays',
    ...{ place: 'disk', full: 120 },
  },
];

const TITLED_CASES = CASES.map((asked) => [asked.title, asked] as const);

test.each(TITLED_CASES)('%s', { timeout: 3_600_000 }, async (_title, asked) => {
  expect(await engineDisagreement({ ...asked, textLimits: LIMITS })).toBe('');
});
