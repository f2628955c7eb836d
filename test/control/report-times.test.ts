// Goal: reports are due at seven in the morning of the domain's own day, whatever its clock does (O-30).
// Method: rows of instants and zones.
import { expect, test } from 'vitest';
import { nextReportMs } from '../../src/control/report-times.ts';

test.each([
  ['2026-11-20T12:00:00Z', 0, 'UTC', '2026-11-22T07:00:00Z'],
  // At 07:00 itself a day later is due.
  ['2026-11-20T07:00:00Z', 0, 'UTC', '2026-11-21T07:00:00Z'],
  ['2026-11-20T07:00:00.001Z', 0, 'UTC', '2026-11-22T07:00:00Z'],
  ['2026-11-20T06:59:59Z', 0, 'UTC', '2026-11-21T07:00:00Z'],
  ['2026-11-20T12:00:00Z', 1, 'UTC', '2026-11-28T07:00:00Z'],
  ['2026-11-20T12:00:00Z', 52, 'UTC', '2027-11-20T07:00:00Z'],
  ['2026-11-20T12:00:00Z', 0, 'America/New_York', '2026-11-21T12:00:00Z'],
  ['2026-11-20T12:00:01Z', 0, 'America/New_York', '2026-11-22T12:00:00Z'],
  ['2026-11-20T18:00:00Z', 0, 'Asia/Kolkata', '2026-11-22T01:30:00Z'],
  ['2026-11-20T18:00:00Z', 0, 'Pacific/Kiritimati', '2026-11-22T17:00:00Z'],
  // The clock of Berlin is set forward in between, and back.
  ['2026-03-27T12:00:00Z', 0, 'Europe/Berlin', '2026-03-29T05:00:00Z'],
  ['2026-10-23T12:00:00Z', 0, 'Europe/Berlin', '2026-10-25T06:00:00Z'],
  // Samoa had no 30 December 2011.
  ['2011-12-28T20:00:00Z', 0, 'Pacific/Apia', '2011-12-30T17:00:00Z'],
  // Kwajalein had no 21 August 1993.
  ['1993-08-19T20:00:00Z', 0, 'Pacific/Kwajalein', '1993-08-21T19:00:00Z'],
])(
  'made at %s with the interval %d in %s the next is due at %s (O-30)',
  (from, weeks, zone, due) => {
    const dueMs = nextReportMs(Date.parse(from), weeks, zone);
    expect(new Date(dueMs).toISOString()).toBe(new Date(due).toISOString());
  },
);
