// Goal: good parameters become the right question, bad ones name the parameter and what to change.
// Method: tables of query strings; no segments are involved.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OperatingError } from '../../../src/model/errors.ts';
import { TOTAL } from '../../../src/query/answers/totals/totals.ts';
import { parseQueryString } from '../../../src/query/question/parameters.ts';
import { parseStatisticsRequest } from '../../../src/query/question/request.ts';
import { tries } from '../../support/runs.ts';
import { DOMAIN, NOW_MS, queryOf } from '../ask.ts';

function validationOf(name: string, parameters: string): Record<string, string> {
  try {
    queryOf(name, parameters);
  } catch (error) {
    expect(error).toBeInstanceOf(OperatingError);
    expect((error as OperatingError).status).toBe(400);
    return { ...(error as OperatingError).validation };
  }
  throw new Error(`'${parameters}' was accepted`);
}

const iso = (ms: number) => new Date(ms).toISOString();
const rangeOf = (parameters: string, name = 'total') => {
  const { startMs, endMs } = queryOf(name, parameters).range;
  return [iso(startMs), iso(endMs)];
};
const DATES = 'from=2024-05-06&to=2024-05-06';

describe('range (F-1 to F-7)', () => {
  test.each([
    {
      rule: 'F-1',
      parameters: 'from=2024-05-06&to=2024-05-07',
      from: '2024-05-06T00:00',
      to: '2024-05-08T00:00',
    },
    {
      rule: 'F-1 timestamps',
      parameters: 'from=2024-05-06T23:59:59.999Z&to=2024-05-07T00:00:00%2B02:00',
      from: '2024-05-06T00:00',
      to: '2024-05-08T00:00',
    },
    {
      rule: 'F-2 swapped',
      parameters: 'from=2024-05-07&to=2024-05-06',
      from: '2024-05-06T00:00',
      to: '2024-05-08T00:00',
    },
    {
      rule: 'F-4',
      parameters: `${DATES}&tz=Asia/Kathmandu`,
      from: '2024-05-05T18:15',
      to: '2024-05-06T18:15',
    },
    {
      rule: 'F-4 23 hours',
      parameters: 'from=2024-03-31&to=2024-03-31&tz=Europe/Berlin',
      from: '2024-03-30T23:00',
      to: '2024-03-31T22:00',
    },
    {
      rule: 'F-4 25 hours',
      parameters: 'from=2024-10-27&to=2024-10-27&tz=Europe/Berlin',
      from: '2024-10-26T22:00',
      to: '2024-10-27T23:00',
    },
    {
      rule: '29 February',
      parameters: 'from=2024-02-29&to=2024-02-29',
      from: '2024-02-29T00:00',
      to: '2024-03-01T00:00',
    },
    {
      rule: 'F-3 tomorrow',
      parameters: 'from=2026-01-01&to=2026-01-02',
      from: '2026-01-01T00:00',
      to: '2026-01-03T00:00',
    },
    {
      rule: 'F-3 cut to tomorrow',
      parameters: 'from=2026-01-01&to=2026-01-03',
      from: '2026-01-01T00:00',
      to: '2026-01-03T00:00',
    },
    {
      rule: 'F-3 both cut',
      parameters: 'from=2030-01-01&to=9999-12-31',
      from: '2026-01-02T00:00',
      to: '2026-01-03T00:00',
    },
    {
      rule: 'F-3 tomorrow is the request zone’s',
      parameters: 'from=2026-01-02&to=2026-01-09&tz=Pacific/Kiritimati',
      from: '2026-01-01T10:00',
      to: '2026-01-03T10:00',
    },
    {
      rule: 'F-5',
      parameters: `${DATES}&from_time=10:00&to_time=10:59`,
      from: '2024-05-06T10:00',
      to: '2024-05-06T11:00',
    },
    {
      rule: 'F-5 only from_time',
      parameters: `${DATES}&from_time=10:00`,
      from: '2024-05-06T10:00',
      to: '2024-05-07T00:00',
    },
    {
      rule: 'F-5 only to_time',
      parameters: `${DATES}&to_time=09:59`,
      from: '2024-05-06T00:00',
      to: '2024-05-06T10:00',
    },
    {
      rule: 'F-2 times swapped',
      parameters: `${DATES}&from_time=12:00&to_time=10:00`,
      from: '2024-05-06T10:00',
      to: '2024-05-06T12:01',
    },
    {
      rule: 'F-5 several days',
      parameters: 'from=2024-05-06&to=2024-05-07&from_time=10:00',
      from: '2024-05-06T00:00',
      to: '2024-05-08T00:00',
    },
    {
      rule: 'F-5 gap',
      parameters: 'from=2024-03-31&to=2024-03-31&tz=Europe/Berlin&from_time=02:30&to_time=03:29',
      from: '2024-03-31T01:00',
      to: '2024-03-31T01:30',
    },
    {
      rule: 'F-5 twice',
      parameters: 'from=2024-10-27&to=2024-10-27&tz=Europe/Berlin&from_time=02:00&to_time=02:59',
      from: '2024-10-27T00:00',
      to: '2024-10-27T01:00',
    },
    {
      rule: 'F-7 empty is absent',
      parameters: `${DATES}&tz=&start=&from_time=`,
      from: '2024-05-06T00:00',
      to: '2024-05-07T00:00',
    },
    {
      rule: 'F-6 zero is unset',
      parameters: `${DATES}&start=0`,
      from: '2024-05-06T00:00',
      to: '2024-05-07T00:00',
    },
  ])('$rule: $parameters covers $from to $to', ({ parameters, from, to }) => {
    expect(rangeOf(parameters)).toEqual([`${from}:00.000Z`, `${to}:00.000Z`]);
  });

  test.each([
    { start: '1', seconds: 1 },
    { start: '3599', seconds: 3_599 },
    { start: '3600', seconds: 3_600 },
    { start: '3601', seconds: 3_600 },
    { start: '99999999999999999999', seconds: 3_600 },
  ])('F-6: start=$start is the last $seconds seconds, now included', ({ start, seconds }) => {
    const { range } = queryOf('total', `start=${start}&from=nonsense`);
    expect([range.startMs, range.endMs]).toEqual([NOW_MS - seconds * 1_000, NOW_MS + 1]);
  });

  test('F-3: 1,827 days are answered, 1,828 are refused', () => {
    expect(queryOf('total', 'from=2020-01-01&to=2024-12-30').range.toDay).toBe(20_087);
    expect(queryOf('total', 'from=2020-01-01&to=2024-12-31').range.fromDay).toBe(18_262);
    expect(validationOf('total', 'from=2020-01-01&to=2025-01-01').from).toMatch(/1827 days.*1828/);
  });

  test('S-80: active needs no dates and looks back over the domain’s seconds, or start', () => {
    const { range } = queryOf('active', 'from=x&to=y&from_time=z');
    expect([range.startMs, range.endMs]).toEqual([NOW_MS - 600_000, NOW_MS + 1]);
    expect(queryOf('active', 'start=60').range.startMs).toBe(NOW_MS - 60_000);
  });
});

describe('refusals name the parameter and say what to change', () => {
  const date = 'must be a date like 2026-11-20, from 1970-01-01 on';
  test.each([
    ['', { from: date, to: date }],
    ['from=2024-05-06', { to: date }],
    ['from=2026-02-30&to=2026-03-01', { from: date }],
    ['from=2023-02-29&to=2024-02-29', { from: date }],
    ['from=2024-5-6&to=2024-05-06', { from: date }],
    ['from=1969-12-31&to=2026-01-01', { from: date }],
    ['from=0000-01-01&to=0001-01-01&scale=week', { from: date, to: date }],
    ['from=1970-01-01&to=0099-12-31T10:00:00Z', { to: date }],
    ['from=yesterday&to=2024-13-01', { from: date, to: date }],
    ['from=2024-05-06x&to=2024-05-06T', { from: date, to: date }],
    [`${DATES}&tz=Europe/Atlantis`, { tz: 'must be an IANA time zone like Europe/Berlin' }],
    [`${DATES}&from_time=24:00`, { from_time: 'must be a time like 09:30' }],
    [`${DATES}&to_time=9:30`, { to_time: 'must be a time like 09:30' }],
    ['start=-1', { start: 'must be a whole number of seconds from 0 to 3600' }],
    ['start=1.5', { start: 'must be a whole number of seconds from 0 to 3600' }],
    ['start=soon', { start: 'must be a whole number of seconds from 0 to 3600' }],
    [`${DATES}&meta_=x`, { meta_: 'must name a key, like meta_color' }],
    [
      `${DATES}&visitor_id=x&session_id=1`,
      { visitor_id: 'must be a decimal number as statistics show it' },
    ],
    [
      `${DATES}&visitor_id=1&session_id=4294967296`,
      { session_id: 'must be a decimal number as statistics show it' },
    ],
  ])("'%s'", (parameters, validation) => {
    expect(validationOf('total', parameters)).toEqual(validation);
  });

  test.each([
    [`${DATES}&pattern=a&path=/`, 'F-16: pattern beside path'],
    [`${DATES}&pattern=`, 'F-7: an empty pattern'],
    [
      `${DATES}&custom_metric_key=k&custom_metric_type=integer`,
      'S-8: a custom metric without event',
    ],
    [`${DATES}&event=e&custom_metric_key=k&custom_metric_type=complex`, 'S-8: an unknown type'],
    [`${DATES}&visitor_id=x`, 'F-31: a visitor without session'],
    [`${DATES}&unknown=1&__proto__=2&constructor=3`, 'unknown parameters'],
  ])("'%s' is answered (%s)", (parameters) => {
    expect(queryOf('total', parameters).statistic).toBe('total');
  });

  test('values of 8,191 and 8,192 characters are taken, of 8,193 refused', () => {
    const parse = (length: number) =>
      parseStatisticsRequest(TOTAL, parseQueryString(`${DATES}&path=${'a'.repeat(length)}`), {
        domain: DOMAIN,
        nowMs: NOW_MS,
      });
    expect(parse(8_191).filters.path).not.toBeNull();
    expect(parse(8_192).filters.path).not.toBeNull();
    expect(() => parse(8_193)).toThrow(OperatingError);
  });
});

describe('presentation falls back (F-34, A-24)', () => {
  test.each([
    ['', 100],
    ['limit=0', 100],
    ['limit=-5', 100],
    ['limit=ten', 100],
    ['limit=1e1', 100],
    ['limit=1', 1],
    ['limit=99', 99],
    ['limit=100', 100],
    ['limit=101', 100],
  ])("'%s' shows at most %d rows", (parameters, limit) => {
    expect(queryOf('page', `${DATES}&${parameters}`).limit).toBe(limit);
  });

  test.each([
    ['', 0],
    ['offset=-1', 0],
    ['offset=x', 0],
    ['offset=7', 7],
    ['offset=99999999999999999999', Number.MAX_SAFE_INTEGER],
  ])("'%s' begins at row %d", (parameters, offset) => {
    expect(queryOf('page', `${DATES}&${parameters}`).offset).toBe(offset);
  });

  test.each([
    ['sort=views', { field: 'views', direction: 'desc' }],
    ['sort=views&direction=ASC', { field: 'views', direction: 'asc' }],
    ['sort=path', { field: 'path', direction: 'asc' }],
    ['sort=path&direction=sideways', { field: 'path', direction: 'asc' }],
    ['sort=nothing&direction=asc', null],
    ['direction=asc', null],
  ])("F-33: '%s'", (parameters, sort) => {
    expect(queryOf('page', `${DATES}&${parameters}`).sort).toEqual(sort);
  });

  test('a list of keys cannot be sorted by, and an unknown scale is days', () => {
    expect(queryOf('events', `${DATES}&sort=meta_keys`).sort).toBeNull();
    expect(queryOf('visitor', `${DATES}&scale=decade`).scale).toBe('day');
    expect(queryOf('visitor', `${DATES}&scale=week`).scale).toBe('week');
  });

  test.each([
    ['include_title=true', true],
    ['include_title=1', true],
    ['include_title=false', false],
    ['include_title=maybe', false],
    ['', false],
  ])("S-58, A-25: '%s' tells titles apart: %s", (parameters, byTitle) => {
    expect(queryOf('page', `${DATES}&${parameters}`).byTitle).toBe(byTitle);
  });
});

describe('query strings (A-25)', () => {
  test('names may end in [], + is a space, and what does not decode stays as sent', () => {
    const parameters = parseQueryString('city=London&city[]=New+York&city%5B%5D=%C3%A9&p=100%&&x');
    expect(parameters.get('city')).toEqual(['London', 'New York', 'é']);
    expect(parameters.get('p')).toEqual(['100%']);
    expect(parameters.get('x')).toEqual(['']);
    expect(parameters.get('missing')).toEqual([]);
    expect(parameters.get('__proto__')).toEqual([]);
  });

  test('the values of an array as PHP writes them are those of one parameter; keys are left alone', () => {
    const parameters = parseQueryString(
      'path%5B0%5D=/a&path[12]=/b&path[x]=/c&path[0][1]=/d&meta_a[0]=1&tag_b[1]=2&tag_c[]=3',
    );
    expect(parameters.get('path')).toEqual(['/a', '/b']);
    expect([...parameters.names()]).toEqual([
      ...['path', 'path[x]', 'path[0]', 'meta_a[0]', 'tag_b[1]', 'tag_c'],
    ]);
  });

  test.each([
    [99, true],
    [100, true],
    [101, false],
  ])('%d values of one parameter are taken: %s', (count, isTaken) => {
    const parse = () => parseQueryString('city=a&'.repeat(count));
    if (isTaken) expect(parse().get('city')).toHaveLength(count);
    else expect(parse).toThrow(OperatingError);
  });

  test.each([
    [16_383, true],
    [16_384, true],
    [16_385, false],
  ])('a query string of %d bytes is taken: %s', (bytes, isTaken) => {
    const parse = () => parseQueryString('a'.repeat(bytes));
    if (isTaken) expect(parse).not.toThrow();
    else expect(parse).toThrow(OperatingError);
  });

  test('a question is frozen through and through', () => {
    const query = parseStatisticsRequest(TOTAL, parseQueryString(`${DATES}&country=de`), {
      domain: DOMAIN,
      nowMs: NOW_MS,
    });
    expect(Object.isFrozen(query.filters.sessionTexts[0]?.values.any)).toBe(true);
    expect(structuredClone(query)).toEqual(query);
  });
});

test('whatever is sent is either a question or a refusal that names a parameter', () => {
  const names = ['from', 'to', 'tz', 'start', 'from_time', 'to_time', 'path', 'event', 'country'];
  names.push('meta_', 'meta_k', 'tag_k', 'visitor_id', 'session_id', 'sort', 'limit', 'search[]');
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('0000-01-01', '0001-01-01', '9999-12-31', '2024-02-30', '24:00', '00:00', '%'),
    fc.constantFrom('~', '!', '^null', '!null', 'Europe/Berlin', '-1', '1e400', '%zz', '\u0000'),
  );
  const pair = fc.tuple(fc.constantFrom(...names), value).map(([name, text]) => `${name}=${text}`);
  const parameters = fc.array(pair, { maxLength: 8 }).map((pairs) => pairs.join('&'));
  const isAnswered = (name: string, text: string) => {
    try {
      return queryOf(name, text).statistic === name;
    } catch (error) {
      const { status, validation } = error as OperatingError;
      return status === 400 && Object.keys(validation).length > 0;
    }
  };
  fc.assert(
    fc.property(fc.constantFrom('page', 'active', 'events'), parameters, isAnswered),
    tries(2_000),
  );
  for (const zone of ['Europe/Berlin', 'Asia/Manila', 'America/Juneau']) {
    const range = queryOf('total', `from=1970-01-01&to=1970-01-02&tz=${zone}`).range;
    expect(range.startMs).toBeLessThan(range.endMs);
  }
});
