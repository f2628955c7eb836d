/**
 * Worked example that needs cities, which the bundled database does not know.
 */
import { expect } from 'vitest';
import { Cast } from '../traffic/notation.ts';
import { PLACES, type Place } from '../traffic/place-database.ts';
import { DAY, expectClose, pick, rows, site, type WorkedExample } from './steps.ts';

const VISITORS = { a: 'London', b: 'London', c: 'Berlin', d: 'Tokyo', e: '', f: '' };

/** The place of a visitor; those without city are in different countries. */
function placeOf(name: string, city: string): Place {
  const countries: Readonly<Record<string, string>> = { a: 'gb', b: 'gb', e: 'de', f: 'gb' };
  const country = countries[name];
  const found = PLACES.find(
    (place) => place.city === city && (country === undefined || place.country === country),
  );
  if (found === undefined) throw new Error(`no place for ${name}`);
  return found;
}

/** W-41. */
export const CITIES: readonly WorkedExample[] = [
  {
    id: 'W-41',
    title: 'visitors of unknown cities are one row, whatever their country',
    run: async (open) => {
      const cast = new Cast();
      const names = Object.entries(VISITORS);
      for (const [name, city] of names) cast.addAt(name, placeOf(name, city));
      const bench = await site(open, names.map(([name]) => `${name} 10:00 pv /`).join(' ; '), cast);
      const cities = await rows(bench, 'city', DAY);
      expect(pick(cities, 'city', 'country', 'country_code', 'visitors')).toEqual([
        ['', '', '', 2],
        ['London', 'gb', 'gb', 2],
        ['Berlin', 'de', 'de', 1],
        ['Tokyo', 'jp', 'jp', 1],
      ]);
      expect(pick(cities, 'region')).toEqual([[''], ['England'], ['Land Berlin'], ['Tokyo']]);
      for (const [index, share] of [0.3333, 0.3333, 0.1667, 0.1667].entries()) {
        expectClose(cities[index]?.relative_visitors, share);
      }
    },
  },
];
