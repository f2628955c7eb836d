/**
 * Goal: what the log says of an import comes back as it was, in records of bounded size (S-98).
 * Method: random sums, with texts that JSON escapes, through cutting, batches and bytes.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isErasure } from '../../../src/bus/record/codec.ts';
import { decodeImport, encodeImport, isImport } from '../../../src/bus/record/import-record.ts';
import { isSpooled } from '../../../src/bus/spool/spooled-records.ts';
import { asDomainId } from '../../../src/model/ids.ts';
import {
  batchesOfSums,
  type ImportRecord,
  type SourceSum,
  SUM_DIMENSIONS,
  storedSum,
} from '../../../src/model/imported-sum.ts';
import { SUM_BATCH_BYTES_MAX, SUM_BATCH_COUNT_MAX } from '../../../src/model/limits.ts';
import { tries } from '../../support/runs.ts';

const OF = { domainId: asDomainId('site'), importId: 'first' };
const HEAD_BYTES = 200;

const count = fc.oneof(fc.nat(9), fc.double(), fc.constant(1e300), fc.constant(Number.NaN));
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '/', 'DE', 'Desktop', '\u0000'.repeat(9_000), '𝄞'.repeat(2_500)),
);
const SUMS: fc.Arbitrary<SourceSum> = fc.record({
  date: fc.constantFrom('2023-12-31', '2024-02-29'),
  dimension: fc.constantFrom(...SUM_DIMENSIONS),
  ...{ value: text, country: fc.option(text, { nil: undefined }) },
  ...{ visitors: count, views: count, sessions: count, bounces: count },
  seconds: fc.option(count, { nil: undefined }),
});

test('any sums come back from records that are no larger than a message may be', () => {
  fc.assert(
    fc.property(fc.array(SUMS, { maxLength: 200, size: 'max' }), (sources) => {
      const sums = sources.map(storedSum);
      const batches = batchesOfSums(sums);
      expect(batches.flat()).toEqual(sums);
      for (const [index, batch] of batches.entries()) {
        const record: ImportRecord = { ...OF, kind: 'add', batch: index + 1, sums: batch };
        const payload = encodeImport(record);
        expect(payload.length).toBeLessThanOrEqual(SUM_BATCH_BYTES_MAX + HEAD_BYTES);
        expect([isImport(payload), isErasure(payload), isSpooled(payload)]).toEqual([
          ...[true, false, false],
        ]);
        expect(decodeImport(payload)).toEqual(record);
      }
    }),
    tries(400),
  );
});

test('a source says days, codes and counts in its own way', () => {
  const of = { date: '1970-01-03', visitors: 1.6, views: -3, sessions: 2, bounces: Number.NaN };
  const sum = storedSum({ ...of, dimension: 'city', value: 'Köln', country: 'DE' });
  expect(sum).toEqual({
    ...{ day: 2, dimension: 'city', value: 'Köln', country: 'de' },
    ...{ visitors: 2, views: 0, sessions: 2, bounces: 0, seconds: 0 },
  });
  expect(storedSum({ ...of, dimension: 'country', value: 'Germany' }).value).toBe('');
  expect(storedSum({ ...of, dimension: 'language', value: 'en-GB' }).value).toBe('en');
});

test('no batch has more sums than a record takes', () => {
  const of = { date: '2024-01-01', visitors: 1, views: 1, sessions: 1, bounces: 1 };
  const sums = Array.from({ length: SUM_BATCH_COUNT_MAX + 1 }, () =>
    storedSum({ ...of, dimension: 'total', value: '' }),
  );
  expect(batchesOfSums(sums).map(({ length }) => length)).toEqual([SUM_BATCH_COUNT_MAX, 1]);
});
