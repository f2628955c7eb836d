// Goal: the site's clock decides which day and minute an instant is, also where clocks change (D-10).
// Method: luxon is asked the same, at each change of clocks of a year in zones with odd offsets.
import { DateTime } from 'luxon';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { framesOf, type Looked } from '../../src/dashboard/app/site/frames.ts';
import { dayOf, dayText, today } from '../../src/dashboard/app/view/days.ts';
import { isOpen } from '../../src/dashboard/app/view/range.ts';
import { clockText, instantOf, localOf, minuteOf } from '../../src/dashboard/app/view/zone.ts';

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  ...['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/St_Johns', 'Africa/Casablanca'],
  ...['America/Santiago', 'Asia/Beirut'],
];
const VIEW: Looked = {
  ...{ range: 'today', custom: null, fromTime: '', toTime: '', comparison: 'none' },
  ...{ comparedWith: null, scale: '', metric: 'visitors', moment: '' },
};
const MINUTE_MS = 60_000;

describe.each(ZONES)('in %s', (zone) => {
  test('an instant is the day and minute that its clocks show (D-10)', () => {
    const start = Date.UTC(2026, 0, 1);
    for (let hour = 0; hour < 366 * 24; hour += 1) {
      const ms = start + hour * 3_600_000 + 17 * MINUTE_MS;
      const wanted = DateTime.fromMillis(ms, { zone });
      const local = localOf(ms, zone);
      expect([dayText(local.day), local.minute]).toEqual([
        wanted.toISODate(),
        wanted.hour * 60 + wanted.minute,
      ]);
    }
  });

  test('a time is the first instant at which clocks show it, or the first after the gap (F-5)', () => {
    for (let day = dayOf('2026-01-01'); day <= dayOf('2026-12-31'); day++) {
      for (const minute of [0, 15, 90, 135, 150, 180, 1_439]) {
        const ms = instantOf({ day, minute }, zone);
        const shown = localOf(ms, zone);
        const before = localOf(ms - MINUTE_MS, zone);
        const value = (local: { day: number; minute: number }) => local.day * 1_440 + local.minute;
        const wanted = day * 1_440 + minute;
        if (value(shown) !== wanted) {
          // No clock shows it.
          expect(value(shown)).toBeGreaterThan(wanted);
          expect(value(before)).toBeLessThan(wanted);
        }
        // Luxon takes either of two equal times; an hour before it must not be the same one.
        const earlier = [30, 60].map((by) => value(localOf(ms - by * MINUTE_MS, zone)));
        expect(earlier).not.toContain(wanted);
      }
    }
  });
});

test('clocks are read and written', () => {
  expect(['00:00', '09:30', '23:59', '24:00', '9:30', '', '12:60'].map(minuteOf)).toEqual([
    ...[0, 570, 1_439, null, null, null, null],
  ]);
  expect([0, 570, 1_439].map(clockText)).toEqual(['00:00', '09:30', '23:59']);
});

test('the time zone of the site decides what today is, not that of the browser (D-10)', () => {
  const nowMs = Date.UTC(2026, 10, 22, 11, 30);
  const place = { statistics_start: '2026-11-20T11:30:00Z' };
  const today = (timezone: string, range: Looked['range']) => {
    const of = { ...VIEW, range };
    const { focus, now } = framesOf(of, { ...place, timezone }, { nowMs, language: 'de' });
    return [dayText(focus.from), dayText(focus.to), clockText(now.minute)];
  };
  const far = today('Pacific/Kiritimati', 'today');
  expect(far).toEqual(['2026-11-23', '2026-11-23', '01:30']);
  expect(today('Pacific/Pago_Pago', 'today').slice(1)).toEqual(['2026-11-22', '00:30']);
  expect(today('Pacific/Kiritimati', 'all').slice(0, 2)).toEqual(['2026-11-21', '2026-11-23']);
});

describe('the day it is', () => {
  afterEach(() => vi.useRealTimers());

  test.each(['2026-11-22T23:40:00Z', '2026-11-22T09:59:00Z', '2026-03-29T00:30:00Z'])(
    'at %s is that of the site, and a range with it is open (D-10, D-14)',
    (instant) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(instant) });
      for (const zone of ZONES) {
        const day = dayOf(DateTime.fromISO(instant, { zone }).toISODate() ?? '');
        expect([zone, dayText(today(zone))]).toEqual([zone, dayText(day)]);
        const open = [-1, 0, 1].map((to) => isOpen({ from: day - 3, to: day + to }, zone));
        expect(open).toEqual([false, true, true]);
      }
    },
  );
});
