/** Goal: addresses become places (I-87). Method: the bundled database, and records as rows. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { US_STATES } from '../../src/ingest/data/us-states.ts';
import { openLocator, placeOf } from '../../src/ingest/locate.ts';

describe('the bundled database', () => {
  const locate = openLocator(null);

  test.each([
    ['8.8.8.8', 'us'],
    ['2001:4860:4860::8888', 'us'],
    ['::ffff:8.8.8.8', 'us'],
    ['::FFFF:8.8.8.8', 'us'],
    ['81.2.69.142', 'gb'],
    ['127.0.0.1', ''],
    ['10.0.0.1', ''],
    ['::1', ''],
    ['unknown', ''],
    ['', ''],
    ['8.8.8', ''],
    ['8.8.8.8.8', ''],
  ])('knows %j to be in %j, and no region or city (I-87)', (ip, country) => {
    expect(locate(ip)).toEqual({ country, region: '', city: '' });
    expect(locate(ip)).toEqual({ country, region: '', city: '' });
  });
});

describe('a record of a city database', () => {
  const california = { iso_code: 'CA', names: { en: 'California', de: 'Kalifornien' } };

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
    [{ country_code: 'GB' }, ['gb', '', '']],
    [{ country: { iso_code: 'XYZ' } }, ['', '', '']],
    [{ city: { names: { de: 'Berlin' } } }, ['', '', '']],
    [{}, ['', '', '']],
    [null, ['', '', '']],
  ])('%j is the place %j (I-87)', (record, [country, region, city]) => {
    expect(placeOf(record)).toEqual({ country, region, city });
  });

  test('knows the code of 50 states and the federal district', () => {
    expect(US_STATES.size).toBe(51);
    expect(new Set(US_STATES.values()).size).toBe(51);
    expect(US_STATES.get('District of Columbia')).toBe('DC');
  });
});

describe('a location database that cannot be read', () => {
  test('is an operating error that names the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'footfall-locate-'));
    const garbage = join(folder, 'garbage.mmdb');
    writeFileSync(garbage, 'not a database at all');
    for (const path of [garbage, join(folder, 'missing.mmdb'), folder]) {
      const failure = expect.objectContaining({
        code: 'LOCATION_DATABASE_UNREADABLE',
        message: expect.stringContaining(path),
      });
      expect(() => openLocator(path)).toThrow(failure);
    }
  });
});
