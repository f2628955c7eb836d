/**
 * Worked example about countries: its addresses are those of the bundled database.
 */
import type { RawParameters } from '../oracle/answers/question.ts';
import { Cast } from '../traffic/notation.ts';
import { DAY, expectTotal, site, type WorkedExample } from './steps.ts';

/** W-48's table. */
const COUNTRY_FILTERS: readonly [RawParameters, number][] = [
  [{ country: ['de', 'gb'] }, 3],
  [{ country: '!de' }, 2],
  [{ country: 'null' }, 1],
  [{ country: '!null' }, 3],
  [{ country: ['de', '!de'] }, 0],
];

/** W-48. */
export const COUNTRIES: readonly WorkedExample[] = [
  {
    id: 'W-48',
    title: 'repeated, negated and null country filters',
    run: async (open) => {
      const cast = new Cast();
      const countries = { a: 'de', b: 'de', c: 'gb', d: '' };
      for (const [name, country] of Object.entries(countries)) cast.add(name, country);
      const text = 'a 10:00 pv / ; b 10:00 pv / ; c 10:00 pv / ; d 10:00 pv /';
      const bench = await site(open, text, cast);
      for (const [filter, visitors] of COUNTRY_FILTERS) {
        await expectTotal(bench, { visitors }, { ...DAY, ...filter });
      }
    },
  },
];
