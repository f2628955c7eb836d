// Goal: the time of a batch item is read as ISO 8601 says, and nothing else passes (I-71).
// Method: rows of texts; then every millisecond-exact instant of a random sample against Date.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHitTime } from '../../src/api/collect/hit-time.ts';
import { itemTimeMs } from '../../src/api/collect/item.ts';
import { DAY_MS, HIT_TIME_MS_MIN } from '../../src/model/limits.ts';
import { tries } from '../support/runs.ts';

test.each([
  ['2024-05-06T10:00:00Z', Date.UTC(2024, 4, 6, 10)],
  ['2024-05-06T10:00:00', Date.UTC(2024, 4, 6, 10)],
  ['2024-05-06t10:00:00z', Date.UTC(2024, 4, 6, 10)],
  ['2024-05-06T10:00Z', Date.UTC(2024, 4, 6, 10)],
  ['2024-05-06', Date.UTC(2024, 4, 6)],
  ['2024-05-06T10:00:00+02:00', Date.UTC(2024, 4, 6, 8)],
  ['2024-05-06T10:00:00-0530', Date.UTC(2024, 4, 6, 15, 30)],
  ['2024-05-06T10:00:00+05:45', Date.UTC(2024, 4, 6, 4, 15)],
  ['2024-05-06T10:00+02', Date.UTC(2024, 4, 6, 8)],
  ['2024-05-06T10:00:00.5Z', Date.UTC(2024, 4, 6, 10, 0, 0, 500)],
  ['2024-05-06T10:00:00,123Z', Date.UTC(2024, 4, 6, 10, 0, 0, 123)],
  ['2024-05-06T10:00:00.123999999999999999Z', Date.UTC(2024, 4, 6, 10, 0, 0, 123)],
  ['2024-05-06T10:00:00.0019+00:00', Date.UTC(2024, 4, 6, 10, 0, 0, 1)],
  ['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59)],
  ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
])('%s is an instant (I-71)', (text, expected) => {
  expect(parseHitTime(text)).toBe(expected);
});

test.each([
  '',
  'yesterday',
  '2024',
  '2024-05',
  '2024-00-10',
  '2024-13-10',
  '2024-05-00',
  '2024-05-32',
  '2024-04-31',
  '2024-02-30T10:00:00Z',
  '2023-02-29',
  '2100-02-29',
  '24-05-06T10:00:00Z',
  '2024/05/06T10:00:00Z',
  '2024-5-6T10:00:00Z',
  '2024-05-06 10:00:00',
  '2024-05-06T10',
  '2024-05-06T',
  '2024-05-06Z',
  '2024-05-06T24:00:00Z',
  '2024-05-06T10:60:00Z',
  '2024-05-06T10:00:60Z',
  '2024-05-06T10:00:0Z',
  '2024-05-06T10:00:00.Z',
  '2024-05-06T10:00:00ZZ',
  '2024-05-06T10:00:00Z ',
  ' 2024-05-06T10:00:00Z',
  '2024-05-06T10:00:00+',
  '2024-05-06T10:00:00+2',
  '2024-05-06T10:00:00+02:',
  '2024-05-06T10:00:00+02:0',
  '2024-05-06T10:00:00+24:00',
  '2024-05-06T10:00:00+02:60',
  '2024-05-06T10:00:00+02:00x',
  '2024-05-06T10:00:00 +02:00',
  '20240506T100000Z',
  '1714989600',
  '+02024-05-06T10:00:00Z',
  'Mon, 06 May 2024 10:00:00 GMT',
])('%j is no time (I-71)', (text) => {
  expect(parseHitTime(text)).toBeNaN();
});

test('every instant of four centuries reads back as it was written', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('1900-01-01T00:00:00Z'),
        max: new Date('2300-01-01T00:00:00Z'),
        noInvalidDate: true,
      }),
      (date) => parseHitTime(date.toISOString()) === date.getTime(),
    ),
    tries(2_000),
  );
});

test('whatever is sent gives a whole number of milliseconds or none', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[-0-9T:.Z+]{0,32}$/), (text) => {
      const timeMs = parseHitTime(text);
      return Number.isNaN(timeMs) || Number.isInteger(timeMs);
    }),
    tries(2_000),
  );
});

const RECEIVED_MS = Date.UTC(2026, 10, 20, 12);

test.each([
  { atMs: HIT_TIME_MS_MIN - 1, isTaken: false },
  { atMs: HIT_TIME_MS_MIN, isTaken: true },
  { atMs: HIT_TIME_MS_MIN + 1, isTaken: true },
  { atMs: RECEIVED_MS + DAY_MS - 1, isTaken: true },
  { atMs: RECEIVED_MS + DAY_MS, isTaken: true },
  { atMs: RECEIVED_MS + DAY_MS + 1, isTaken: false },
])('a time at $atMs is taken: $isTaken (I-71)', ({ atMs, isTaken }) => {
  const timeMs = itemTimeMs(new Date(atMs).toISOString(), RECEIVED_MS);
  expect(Number.isNaN(timeMs)).toBe(!isTaken);
});
