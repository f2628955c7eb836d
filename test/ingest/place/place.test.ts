/**
 * Goal: a record of any maker's database is the place that it means (I-87).
 * Method: records as rows, in the forms that are in use, and the table of states.
 */
import { describe, expect, test } from 'vitest';
import { US_STATES } from '../../../src/ingest/data/us-states.ts';
import { PLACE_MEMBERS, placeOf } from '../../../src/ingest/place/place.ts';

const california = { iso_code: 'CA', names: { en: 'California', de: 'Kalifornien' } };

describe('a record of a city database', () => {
  test.each([
    [
      {
        country: { iso_code: 'US' },
        subdivisions: [california],
        city: { names: { en: 'San Francisco' } },
      },
      ['us', 'California', 'San Francisco (CA)'],
    ],
    [
      {
        country: { iso_code: 'US' },
        subdivisions: [{ names: { en: 'New York' } }],
        city: { names: { en: 'Albany' } },
      },
      ['us', 'New York', 'Albany (NY)'],
    ],
    [
      { country: { iso_code: 'US' }, city: { names: { en: 'Springfield' } } },
      ['us', '', 'Springfield'],
    ],
    [{ country: { iso_code: 'US' }, subdivisions: [california] }, ['us', 'California', '']],
    [
      {
        country: { iso_code: 'DE' },
        subdivisions: [{ iso_code: 'BE', names: { en: 'Land Berlin' } }],
        city: { names: { de: 'B', en: 'Berlin' } },
      },
      ['de', 'Land Berlin', 'Berlin'],
    ],
    [
      { country_code: 'US', state1: 'California', city: 'San Francisco' },
      ['us', 'California', 'San Francisco (CA)'],
    ],
    [{ country_code: 'GB', state1: 'England', city: 'London' }, ['gb', 'England', 'London']],
    [{ country: 'US', region: 'Ohio', city: 'Akron' }, ['us', 'Ohio', 'Akron (OH)']],
    [{ country_code: 'GB' }, ['gb', '', '']],
    [{ country: { iso_code: 'XYZ' } }, ['', '', '']],
    [{ country: 'Germany' }, ['', '', '']],
    [{ city: { names: { de: 'Berlin' } } }, ['', '', '']],
    [{ country_code: 7, city: ['Berlin'], subdivisions: 'x' }, ['', '', '']],
    [{}, ['', '', '']],
    [null, ['', '', '']],
    ['text', ['', '', '']],
  ])('%j is the place %j (I-87)', (record, [country, region, city]) => {
    expect(placeOf(record)).toEqual({ country, region, city });
  });

  test.each([
    ['Berlin (Mitte)', 'Berlin'],
    ['Zurich (Zurich (Kreis 5) / Escher-Wyss)', 'Zurich'],
    ['Kempten (Allgau) (Ursulasried)', 'Kempten'],
    ['Seoul (Euljiro 2(i)-ga)', 'Seoul'],
    ['Santa Rosa (Real Tulipanes) [Fraccionamiento]', 'Santa Rosa'],
    ['Sao Paulo', 'Sao Paulo'],
    ['Foo(bar)', 'Foo(bar)'],
    ['(unknown)', '(unknown)'],
    [' Berlin ', 'Berlin'],
    ['x'.repeat(300), 'x'.repeat(200)],
  ])('without its district the city %j is %j (I-87)', (given, city) => {
    expect(placeOf({ country_code: 'DE', city: given }).city).toBe(city);
    expect(placeOf({ country: { iso_code: 'DE' }, city: { names: { en: given } } }).city).toBe(
      city,
    );
  });

  test('of the USA has the state in parentheses, not the district (I-87)', () => {
    const record = { country_code: 'US', state1: 'California', city: 'San Francisco (Main Post)' };
    expect(placeOf(record).city).toBe('San Francisco (CA)');
  });

  test('may leave out what no place is made of', () => {
    const record = {
      ...{ continent: { code: 'NA' }, location: { latitude: 37.77 }, postal: { code: '94103' } },
      ...{
        country: { iso_code: 'US', names: { en: 'United States' } },
        subdivisions: [california],
      },
      city: { geoname_id: 5, names: { en: 'San Francisco', fr: 'San Francisco' } },
    };
    const kept = JSON.parse(JSON.stringify(record), (key, value) =>
      key === '' || /^\d$/.test(key) || PLACE_MEMBERS.has(key) ? value : undefined,
    );
    expect(kept).not.toHaveProperty('location');
    expect(placeOf(kept)).toEqual(placeOf(record));
  });
});

test('the codes of 50 states and of the federal district are known', () => {
  expect(US_STATES.size).toBe(51);
  expect(new Set(US_STATES.values()).size).toBe(51);
  expect(US_STATES.get('District of Columbia')).toBe('DC');
});
