// Goal: local dates and clock times become the right instants in zones that make it hard.
// Method: known changes of the IANA database, and a random comparison with luxon's own arithmetic.

import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import {
  instantOfLocalMs,
  isTimeZone,
  localDayOf,
  startOfLocalDayMs,
  zoneOffsetMs,
} from '../../src/base/zone.ts';

const DAY_MS = 86_400_000;
const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS;
const local = (text: string) => Date.parse(`${text}Z`);
const iso = (ms: number) => new Date(ms).toISOString().replace('.000', '');

describe('time zones', () => {
  test.each([
    { zone: 'UTC', date: '2024-05-06', start: '2024-05-06T00:00:00Z' },
    { zone: 'Europe/Berlin', date: '2024-03-31', start: '2024-03-30T23:00:00Z' },
    { zone: 'Europe/Berlin', date: '2024-04-01', start: '2024-03-31T22:00:00Z' },
    { zone: 'Europe/Berlin', date: '2024-10-28', start: '2024-10-27T23:00:00Z' },
    { zone: 'Asia/Kathmandu', date: '2024-05-06', start: '2024-05-05T18:15:00Z' },
    { zone: 'Pacific/Chatham', date: '2024-07-01', start: '2024-06-30T11:15:00Z' },
    { zone: 'Australia/Lord_Howe', date: '2024-10-06', start: '2024-10-05T13:30:00Z' },
    // Midnight of these dates does not exist: the clock goes from 23:59 to 01:00.
    { zone: 'Africa/Cairo', date: '2024-04-26', start: '2024-04-25T22:00:00Z' },
    { zone: 'America/Santiago', date: '2024-09-08', start: '2024-09-08T04:00:00Z' },
    { zone: 'Asia/Beirut', date: '2024-03-31', start: '2024-03-30T22:00:00Z' },
    // Midnight occurs twice: the clock goes from 00:59 back to 00:00.
    { zone: 'America/Havana', date: '2024-11-03', start: '2024-11-03T04:00:00Z' },
    // The date itself does not exist.
    { zone: 'Pacific/Apia', date: '2011-12-30', start: '2011-12-30T10:00:00Z' },
    { zone: 'Pacific/Apia', date: '2011-12-31', start: '2011-12-30T10:00:00Z' },
  ])('$date begins at $start in $zone', ({ zone, date, start }) => {
    expect(iso(startOfLocalDayMs(zone, day(date)))).toBe(start);
  });

  test.each([
    { zone: 'Europe/Berlin', time: '2024-03-31T01:59:00', instant: '2024-03-31T00:59:00Z' },
    { zone: 'Europe/Berlin', time: '2024-03-31T02:00:00', instant: '2024-03-31T01:00:00Z' },
    { zone: 'Europe/Berlin', time: '2024-03-31T02:30:00', instant: '2024-03-31T01:00:00Z' },
    { zone: 'Europe/Berlin', time: '2024-03-31T03:00:00', instant: '2024-03-31T01:00:00Z' },
    { zone: 'Europe/Berlin', time: '2024-10-27T02:30:00', instant: '2024-10-27T00:30:00Z' },
    { zone: 'Europe/Berlin', time: '2024-10-27T03:00:00', instant: '2024-10-27T02:00:00Z' },
  ])('F-5: $time in $zone is $instant: the first of two, or the first after a gap', (row) => {
    expect(iso(instantOfLocalMs(row.zone, local(row.time)))).toBe(row.instant);
  });

  test('the local date of an instant changes exactly at the first instant of the date', () => {
    for (const zone of ['Europe/Berlin', 'Africa/Cairo', 'Asia/Kathmandu', 'America/Havana']) {
      for (const date of ['2024-03-31', '2024-04-26', '2024-11-03', '2024-02-29']) {
        const startMs = startOfLocalDayMs(zone, day(date));
        expect(localDayOf(zone, startMs - 1), `${zone} ${date}`).toBe(day(date) - 1);
        expect(localDayOf(zone, startMs), `${zone} ${date}`).toBe(day(date));
        expect(localDayOf(zone, startMs + 1), `${zone} ${date}`).toBe(day(date));
      }
    }
  });

  test('offsets agree with luxon at every third hour of four years in ten zones', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
    zones.push('Africa/Casablanca', 'America/Sao_Paulo', 'Asia/Tehran', 'Pacific/Chatham');
    zones.push('Africa/Cairo', 'Asia/Gaza');
    let compared = 0;
    for (const zone of zones) {
      for (let atMs = Date.UTC(2022, 0, 1); atMs < Date.UTC(2026, 0, 1); atMs += 3 * 3_600_000) {
        const expected = DateTime.fromMillis(atMs, { zone }).offset * 60_000;
        if (zoneOffsetMs(zone, atMs) !== expected) {
          expect(zoneOffsetMs(zone, atMs), `${zone} ${iso(atMs)}`).toBe(expected);
        }
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(100_000);
  });

  test.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['Etc/GMT+5', true],
    ['europe/berlin', true],
    ['Europe/Atlantis', false],
    ['Mars', false],
    ['', false],
    ['local', false],
    ['__proto__', false],
  ])("F-4: '%s' is a time zone: %s", (name, isKnown) => {
    expect(isTimeZone(name)).toBe(isKnown);
  });
});
