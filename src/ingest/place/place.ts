/**
 * What a record of a location database says of a place (I-87).
 *
 * Three forms are in use: the nested one of MaxMind and of DB-IP's own files (`country.iso_code`,
 * `subdivisions`, `city.names.en`), the flat one of ip-location-db (`country_code`, `state1`, `city`)
 * and the flat one of IPinfo (`country`, `region`, `city`). A record is read once per leaf of a tree,
 * so this is written for reading.
 */

import { PLACE_NAME_LENGTH_MAX } from '../../model/limits.ts';
import { US_STATES } from '../data/us-states.ts';
import { cutText } from '../text.ts';

/** A place; what is unknown is empty. */
export interface Place {
  /** Lower-case ISO 3166-1 alpha-2. */
  country: string;
  /** English name. */
  region: string;
  /** English name; of a US city with its state: `San Francisco (CA)`. */
  city: string;
}

/** No place at all; a record that says nothing gives this very object. */
export const NOWHERE: Place = Object.freeze({ country: '', region: '', city: '' });

/** Every member that {@link placeOf} looks at, at whatever depth. */
export const PLACE_MEMBERS: ReadonlySet<string> = new Set([
  ...['country', 'country_code', 'iso_code', 'subdivisions', 'state1', 'region'],
  ...['city', 'names', 'en'],
]);

const UNITED_STATES = 'us';

/**
 * The place a record of a database speaks of.
 *
 * @param record of any of the forms named above; null when the address is not in the database.
 */
export function placeOf(record: unknown): Place {
  const root = asRecord(record);
  const code =
    text(asRecord(root['country'])['iso_code']) ||
    text(root['country_code']) ||
    text(root['country']);
  const country = /^[a-z]{2}$/i.test(code) ? code.toLowerCase() : '';
  const subdivision = asRecord(asList(root['subdivisions'])[0]);
  const region = name(englishName(subdivision) || text(root['state1']) || text(root['region']));
  const city = name(withoutDistrict(englishName(asRecord(root['city'])) || text(root['city'])));
  if (country === '' && region === '' && city === '') return NOWHERE;
  const state = country === UNITED_STATES ? stateCode(text(subdivision['iso_code']), region) : '';
  return { country, region, city: city !== '' && state !== '' ? `${city} (${state})` : city };
}

function stateCode(isoCode: string, region: string): string {
  return /^[A-Z]{2}$/.test(isoCode) ? isoCode : (US_STATES.get(region) ?? '');
}

/**
 * Databases name districts behind the city: `Berlin (Mitte)`, `Zurich (Zurich (Kreis 5) / Altstetten)`,
 * `Kempten (Allgau) (Ursulasried)`. What is in brackets tells no two cities of one region apart.
 */
function withoutDistrict(city: string): string {
  const bracket = city.indexOf(' (');
  return bracket > 0 ? city.slice(0, bracket) : city;
}

function name(text: string): string {
  return cutText(text.trim(), PLACE_NAME_LENGTH_MAX);
}

function englishName(record: Readonly<Record<string, unknown>>): string {
  return text(asRecord(record['names'])['en']);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
