// Goal: ranges, comparisons, steps and points of a chart are days of the site's calendar (D-10).
// Method: every answer is compared with luxon's, over days of several years.
import { DateTime, Info } from 'luxon';
import { describe, expect, test } from 'vitest';
import { bucketsOf, holds, isAhead, joined } from '../../src/dashboard/app/view/buckets.ts';
import { dayOf, dayText, firstWeekday } from '../../src/dashboard/app/view/days.ts';
import {
  comparedFrame,
  frameOf,
  steppedFrame,
  wholeDays,
} from '../../src/dashboard/app/view/frame.ts';
import {
  type Frame,
  RANGES,
  type RangeName,
  type Span,
  scaleOf,
  scalesOf,
  spanOf,
} from '../../src/dashboard/app/view/range.ts';

const days = ['2024-02-29', '2025-01-01', '2025-12-31', '2026-03-01', '2026-11-22', '2026-11-23'];
const at = (text: string): DateTime => DateTime.fromISO(text, { zone: 'utc' });
const dayAt = (date: DateTime): number => dayOf(date.toISODate() ?? '');
const told = ({ from, to }: Span): string => `${dayText(from)} ${dayText(to)}`;
const frame = (from: string, to = from, fromTime = '', toTime = ''): Frame => ({
  ...{ from: dayOf(from), to: dayOf(to), fromTime, toTime },
});

/** The same ranges in luxon's words. */
function expected(range: RangeName, today: DateTime, weekday: number): [DateTime, DateTime] {
  const week = today.minus({ days: (today.weekday - weekday + 7) % 7 });
  const [month, year] = [today.startOf('month'), today.startOf('year')];
  const last = (unit: 'month' | 'year'): [DateTime, DateTime] => {
    const before = today.minus({ [unit]: 1 });
    return [before.startOf(unit), before.endOf(unit)];
  };
  const rows: Readonly<Record<string, [DateTime, DateTime]>> = {
    today: [today, today],
    yesterday: [today.minus({ days: 1 }), today.minus({ days: 1 })],
    '7d': [today.minus({ days: 6 }), today],
    '30d': [today.minus({ days: 29 }), today],
    '90d': [today.minus({ days: 89 }), today],
    week: [week, today],
    'last-week': [week.minus({ days: 7 }), week.minus({ days: 1 })],
    month: [month, today],
    'last-month': last('month'),
    year: [year, today],
    'last-year': last('year'),
    '12m': [month.minus({ months: 11 }), today],
    all: [at('2023-05-17'), today],
  };
  return rows[range] as [DateTime, DateTime];
}

describe('a range', () => {
  test.each(
    days.flatMap((day) => ['de-DE', 'en-US', 'ar-EG'].map((language) => [day, language] as const)),
  )('of %s, for %s, is that of the calendar (D-10)', (day, language) => {
    const weekday = { 'de-DE': 1, 'en-US': 7, 'ar-EG': 6 }[language] as number;
    for (const range of RANGES) {
      const calendar = { zone: 'UTC', language, start: dayOf('2023-05-17'), today: dayOf(day) };
      const [from, to] = expected(range, at(day), weekday);
      expect([range, told(spanOf(range, null, calendar))]).toEqual([
        range,
        told({ from: dayAt(from), to: dayAt(to) }),
      ]);
    }
  });

  test('of all time is no longer than the API takes (F-3)', () => {
    const calendar = { zone: 'UTC', language: 'de', start: dayOf('2001-01-01') };
    const span = spanOf('all', null, { ...calendar, today: dayOf('2026-11-22') });
    expect(span.to - span.from + 1).toBe(1_827);
  });

  test('begins its week where the reader does, also in browsers that cannot say (D-18)', () => {
    const known = ['de-DE', 'en-US', 'en-GB', 'pt-BR', 'ja-JP', 'fa-IR', 'he-IL', 'en', 'fr'];
    const own = Intl.Locale.prototype as { getWeekInfo?: unknown };
    const { getWeekInfo } = own;
    const asked = known.map((language) => firstWeekday(language));
    expect(asked).toEqual(known.map((locale) => Info.getStartOfWeek({ locale }) - 1));
    const silent = { configurable: true, value: undefined };
    Object.defineProperties(own, { getWeekInfo: silent, weekInfo: silent });
    try {
      expect(known.map((language) => firstWeekday(language))).toEqual(asked);
    } finally {
      Object.defineProperty(own, 'getWeekInfo', { configurable: true, value: getWeekInfo });
    }
  });
});

describe('a comparison', () => {
  test.each([
    // As S-72 says it.
    ['several days', frame('2026-11-10', '2026-11-22'), '2026-10-28 2026-11-09'],
    ['one day', frame('2026-11-22'), '2026-11-15 2026-11-15'],
    [
      'a part of a day',
      frame('2026-11-22', '2026-11-22', '09:00', '10:59'),
      '2026-11-21 2026-11-21',
    ],
  ])('with the period before %s (D-10, S-72)', (_, of, wanted) => {
    const before = comparedFrame(of, 'previous', null) as Frame;
    expect(told(before)).toBe(wanted);
    expect([before.fromTime, before.toTime]).toEqual([of.fromTime, of.toTime]);
  });

  test('with a year before begins on the same weekday, three days away at most (D-10)', () => {
    for (let day = dayOf('2023-12-01'); day < dayOf('2028-03-05'); day++) {
      const before = comparedFrame(wholeDays({ from: day, to: day + 6 }), 'year', null) as Frame;
      const [now, then] = [at(dayText(day)), at(dayText(before.from))];
      expect(then.weekday).toBe(now.weekday);
      expect(Math.abs(then.diff(now.minus({ years: 1 }), 'days').days)).toBeLessThanOrEqual(3);
      expect(before.to - before.from).toBe(6);
    }
  });

  test('with other days is these days, with none nothing (D-10)', () => {
    const custom = { from: dayOf('2026-01-01'), to: dayOf('2026-01-03') };
    const of = frame('2026-11-22', '2026-11-22', '09:00', '10:59');
    expect(comparedFrame(of, 'custom', custom)).toEqual(wholeDays(custom));
    expect(comparedFrame(of, 'custom', null)).toBeNull();
    expect(comparedFrame(of, 'none', custom)).toBeNull();
  });
});

describe('a step', () => {
  const today = dayOf('2026-11-22');
  test.each([
    ['2026-10-01', '2026-10-31', -1, '2026-09-01 2026-09-30'],
    ['2026-03-01', '2026-03-31', -1, '2026-02-01 2026-02-28'],
    ['2026-10-01', '2026-10-31', 1, '2026-11-01 2026-11-22'],
    ['2026-11-01', '2026-11-22', -1, '2026-10-01 2026-10-31'],
    ['2026-01-01', '2026-11-22', -1, '2025-01-01 2025-12-31'],
    ['2025-01-01', '2025-12-31', 1, '2026-01-01 2026-11-22'],
    ['2026-11-16', '2026-11-22', -1, '2026-11-09 2026-11-15'],
    ['2026-11-09', '2026-11-15', 1, '2026-11-16 2026-11-22'],
    ['2026-11-12', '2026-11-18', 1, '2026-11-19 2026-11-22'],
    ['2026-01-01', '2026-01-03', -1, '2025-12-29 2025-12-31'],
  ] as const)('from %s to %s by %i leads to %s (D-18)', (from, to, direction, wanted) => {
    expect(told(steppedFrame(frame(from, to), direction, today) as Frame)).toBe(wanted);
  });

  test('leads nowhere beyond today, and keeps the part of a day (D-18)', () => {
    expect(steppedFrame(frame('2026-11-16', '2026-11-22'), 1, today)).toBeNull();
    const part = frame('2026-11-21', '2026-11-21', '09:00', '10:59');
    const next = { ...part, from: today, to: today };
    expect(steppedFrame(part, 1, today)).toEqual(next);
  });
});

describe('the scale', () => {
  test.each([
    [frame('2026-11-22'), ['hour']],
    [frame('2026-11-22', '2026-11-22', '10:00', '11:59'), ['minute', 'hour']],
    [frame('2026-11-22', '2026-11-22', '10:00', '12:00'), ['hour', 'minute']],
    [frame('2026-11-22', '2026-11-22', '10:00', '15:59'), ['hour', 'minute']],
    [frame('2026-11-22', '2026-11-22', '10:00', '16:00'), ['hour']],
    [frame('2026-11-16', '2026-11-22'), ['day', 'hour', 'week']],
    [frame('2026-11-15', '2026-11-22'), ['day', 'week']],
    [frame('2026-08-25', '2026-11-22'), ['day', 'week', 'month']],
    [frame('2025-12-01', '2026-11-22'), ['week', 'day', 'month', 'year']],
    [frame('2022-12-01', '2026-11-22'), ['month', 'week', 'year']],
  ])('fits the range (D-10)', (of, scales) => {
    expect(scalesOf(of)).toEqual(scales);
    expect(scaleOf(of, '', true)).toBe(scales[0]);
    expect(scaleOf(of, 'year', true)).toBe(scales.includes('year') ? 'year' : scales[0]);
    // Durations are known by the day.
    for (const scale of scalesOf(of, false)) expect(['hour', 'minute']).not.toContain(scale);
  });
});

describe('the points of a chart', () => {
  test.each(['day', 'week', 'month', 'year'] as const)(
    'by the %s are those of the API (S-21)',
    (scale) => {
      for (const day of days) {
        const [from, to] = [at(day).minus({ days: 400 }), at(day)];
        const of = wholeDays({ from: dayAt(from), to: dayAt(to) });
        const keys: string[] = [];
        for (let next = from.startOf(scale); next <= to; next = next.plus({ [scale]: 1 }))
          keys.push(next.toISODate() ?? '');
        const buckets = bucketsOf(of, scale);
        expect(buckets.map(({ key }) => key)).toEqual(keys);
        // They lie side by side, and within the range.
        expect(buckets[0]?.frame.from).toBe(of.from);
        expect(buckets.at(-1)?.frame.to).toBe(of.to);
        for (const [index, one] of buckets.entries()) {
          const next = buckets[index + 1];
          if (next !== undefined) expect(next.frame.from).toBe(one.frame.to + 1);
        }
      }
    },
  );

  test('by the hour and minute are those of the part of a day (S-23, S-24)', () => {
    expect(bucketsOf(frame('2026-11-22'), 'hour')).toHaveLength(24);
    expect(bucketsOf(frame('2026-11-16', '2026-11-22'), 'hour')).toHaveLength(7 * 24);
    const part = frame('2026-11-22', '2026-11-22', '09:30', '11:10');
    expect(
      bucketsOf(part, 'hour').map(({ key, frame: of }) => [key, of.fromTime, of.toTime]),
    ).toEqual([
      ['2026-11-22T09:00', '09:30', '09:59'],
      ['2026-11-22T10:00', '10:00', '10:59'],
      ['2026-11-22T11:00', '11:00', '11:10'],
    ]);
    const minutes = bucketsOf(part, 'minute').map(({ key }) => key.slice(11));
    expect([minutes[0], minutes.at(-1), minutes.length]).toEqual(['09:30', '11:10', 101]);
  });

  test('hold their moments, and know what is ahead', () => {
    const part = frame('2026-11-22', '2026-11-22', '09:00', '09:59');
    const day = dayOf('2026-11-22');
    expect([539, 540, 599, 600].map((minute) => holds(part, { day, minute }))).toEqual([
      ...[false, true, true, false],
    ]);
    expect([539, 540].map((minute) => isAhead(part, { day, minute }))).toEqual([true, false]);
    expect(holds(frame('2026-11-16', '2026-11-22'), { day, minute: 1_439 })).toBe(true);
    expect(holds(frame('2026-11-16', '2026-11-21'), { day, minute: 0 })).toBe(false);
  });

  test('are joined to a range: whole days where they are that (D-11)', () => {
    const hours = bucketsOf(frame('2026-11-22'), 'hour').map((bucket) => bucket.frame);
    const of = (from: number, to: number) => joined(hours[from] as Frame, hours[to] as Frame);
    expect(of(0, 23)).toEqual(frame('2026-11-22'));
    expect(of(9, 10)).toEqual(frame('2026-11-22', '2026-11-22', '09:00', '10:59'));
    const [first, last] = [frame('2026-11-20', '2026-11-20', '22:00', '22:59'), hours[3] as Frame];
    expect(joined(first, last)).toEqual(frame('2026-11-20', '2026-11-22'));
  });

  test('times of a day are in their order, and only of a single day (F-2, F-5)', () => {
    const day = dayOf('2026-11-22');
    const of = { from: day, to: day };
    expect(frameOf(of, '12:00', '09:00')).toMatchObject({ fromTime: '09:00', toTime: '12:00' });
    expect(frameOf({ from: day - 1, to: day }, '09:00', '12:00')).toMatchObject({
      ...{ fromTime: '', toTime: '' },
    });
  });
});
