/**
 * Where an address is (I-87): country, region and city from a local database, no network.
 *
 * Data plane behind the cache; a miss walks the tree of the database (about 1 µs). Reads the bundled
 * country database or any `.mmdb`: the nested records of MaxMind and DB-IP (`country.iso_code`,
 * `subdivisions`, `city.names.en`) and the flat ones of ip-location-db (`country_code`, `state1`,
 * `city`). The file is read whole when it is opened and never again.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Reader, type Response } from 'maxmind';
import { BoundedCache } from '../base/bounded-cache.ts';
import { errors } from '../model/errors.ts';
import { PLACE_CACHE_ENTRY_COUNT_MAX } from '../model/limits.ts';
import { isAddress } from './address.ts';
import { US_STATES } from './data/us-states.ts';

/** A place; what is unknown is empty. */
export interface Place {
  /** Lower-case ISO 3166-1 alpha-2. */
  country: string;
  /** English name. */
  region: string;
  /** English name; of a US city with its state: `San Francisco (CA)`. */
  city: string;
}

/** The place of an address as I-3 cleans it. */
export type Locate = (ip: string) => Place;

const NOWHERE: Place = Object.freeze({ country: '', region: '', city: '' });
const BUNDLED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';
const MAPPED_PREFIX = '::ffff:';
const UNITED_STATES = 'us';

/**
 * Opens a location database.
 *
 * @param path of an `.mmdb` file; null for the bundled country database.
 * @throws LOCATION_DATABASE_UNREADABLE when the file is missing or is no such database.
 */
export function openLocator(path: string | null): Locate {
  const reader = openReader(path ?? createRequire(import.meta.url).resolve(BUNDLED));
  // A Map of objects: the keys are addresses as texts.
  const places = new BoundedCache<string, Place>(PLACE_CACHE_ENTRY_COUNT_MAX);
  return (ip) => {
    const known = places.get(ip);
    if (known !== undefined) return known;
    if (!isAddress(ip)) return NOWHERE;
    const place = placeOf(reader.get(plainAddress(ip)));
    places.set(ip, place);
    return place;
  };
}

/**
 * The place a record of a database speaks of.
 *
 * @param record of any of the forms named above; null when the address is not in the database.
 */
export function placeOf(record: unknown): Place {
  const root = asRecord(record);
  const code = text(asRecord(root['country'])['iso_code']) || text(root['country_code']);
  const country = /^[a-z]{2}$/i.test(code) ? code.toLowerCase() : '';
  const subdivision = asRecord(asList(root['subdivisions'])[0]);
  const region = englishName(subdivision) || text(root['state1']);
  const city = englishName(asRecord(root['city'])) || text(root['city']);
  if (country === '' && region === '' && city === '') return NOWHERE;
  const state = country === UNITED_STATES ? stateCode(text(subdivision['iso_code']), region) : '';
  return { country, region, city: city !== '' && state !== '' ? `${city} (${state})` : city };
}

function stateCode(isoCode: string, region: string): string {
  return /^[A-Z]{2}$/.test(isoCode) ? isoCode : (US_STATES.get(region) ?? '');
}

function openReader(path: string): Reader<Response> {
  try {
    return new Reader<Response>(readFileSync(path));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw errors.LOCATION_DATABASE_UNREADABLE({ path, reason }, cause);
  }
}

/** IPv4 in IPv6 clothes as plain IPv4, which is how databases list it. */
function plainAddress(ip: string): string {
  if (!ip.toLowerCase().startsWith(MAPPED_PREFIX)) return ip;
  const address = ip.slice(MAPPED_PREFIX.length);
  return isAddress(address) ? address : ip;
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
