/**
 * A made-up location database that knows cities.
 *
 * The bundled database knows countries only, so tests about regions and cities start the service with
 * `FOOTFALL_GEO_DB` on a file of `placesDatabase`.
 */
import { databaseOf } from '../mmdb.ts';

/** A place as the service is to show it (I-87). */
export interface Place {
  country: string;
  region: string;
  city: string;
}

/** Two cities of one name, a city of a state, and countries without a city. */
export const PLACES: readonly Place[] = [
  { country: 'de', region: '', city: '' },
  { country: 'gb', region: '', city: '' },
  { country: 'jp', region: 'Tokyo', city: 'Tokyo' },
  { country: '', region: '', city: '' },
  { country: 'de', region: 'Land Berlin', city: 'Berlin' },
  { country: 'gb', region: 'England', city: 'London' },
  { country: 'ca', region: 'Ontario', city: 'London' },
  { country: 'us', region: 'California', city: 'San Francisco (CA)' },
  { country: 'gb', region: 'England', city: '' },
];

/** The second byte of the first place's addresses: 100.64.0.0/10, before it, is nobody's (I-87). */
const FIRST_BLOCK = 128;
const ADDRESSES_MAX = 250;

/** The `index`-th address of a place of `PLACES`. @throws Error beyond 250 addresses of one place. */
export function addressAt(place: Place, index: number): string {
  if (index >= ADDRESSES_MAX) throw new Error(`only ${ADDRESSES_MAX} addresses a place`);
  return `100.${FIRST_BLOCK + PLACES.indexOf(place)}.0.${1 + index}`;
}

/** The bytes of a city database that puts every `addressAt` where `PLACES` says. */
export function placesDatabase(): Buffer {
  const networks = PLACES.map(({ country, region, city }, index) => ({
    address: 100 * 2 ** 24 + (FIRST_BLOCK + index) * 2 ** 16,
    length: 16,
    record: {
      ...(country === '' ? {} : { country_code: country.toUpperCase() }),
      ...(region === '' ? {} : { state1: region }),
      // The state in parentheses is the service's own (I-87).
      ...(city === '' ? {} : { city: city.replace(' (CA)', '') }),
    },
  }));
  return databaseOf({ recordSize: 24, ipVersion: 6, networks });
}
