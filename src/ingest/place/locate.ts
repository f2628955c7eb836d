/**
 * Where an address is (I-87): country, region and city from a local database, no network.
 *
 * Data plane. The search tree of the database is walked for an IPv4 address on every hit, and what
 * is remembered is the place of a leaf, which all addresses of many ranges share: an address never
 * seen before costs what a known one does. IPv6 goes through maxmind's reader behind a cache of
 * addresses. Measured (bench/ingest/place/locate.bench.ts): 137 ns for a new IPv4 address,
 * 1,800 ns through the reader and that cache; for a known one 135 ns
 * instead of 26 ns, or 60 ns when the text is fresh from a request and must be hashed.
 *
 * Reads the bundled country database or any `.mmdb`: the nested records of MaxMind and DB-IP
 * (`country.iso_code`, `subdivisions`, `city.names.en`) and the flat ones of ip-location-db
 * (`country_code`, `state1`, `city`). The file is read whole when it is opened and never again.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Reader, type Response } from 'maxmind';
import { BoundedCache } from '../../base/bounded-cache.ts';
import { NOT_IPV4, parseIpv4 } from '../../base/ip-words.ts';
import { errors } from '../../model/errors.ts';
import { PLACE_CACHE_ENTRY_COUNT_MAX } from '../../model/limits.ts';
import { US_STATES } from '../data/us-states.ts';
import { isAddress } from './address.ts';
import { AddressTree, NO_LEAF, treeByteCount } from './address-tree.ts';

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
const CAPITAL_F = 0x46;
const SMALL_F = 0x66;
const UNITED_STATES = 'us';

/**
 * Opens a location database.
 *
 * @param path of an `.mmdb` file; null for the bundled country database.
 * @throws LOCATION_DATABASE_UNREADABLE when the file is missing or is no such database.
 */
export function openLocator(path: string | null): Locate {
  const locator = new Locator(openDatabase(path));
  return (ip) => locator.locate(ip);
}

/**
 * Opens a location database whose tree is left to maxmind, behind a cache of addresses.
 *
 * The way of IPv6 within {@link openLocator}, and the rejected way of IPv4 for the benchmark; of IPv4
 * in IPv6 clothes it knows only what the database lists as such.
 *
 * @param path as of {@link openLocator}.
 * @throws LOCATION_DATABASE_UNREADABLE as {@link openLocator} does.
 */
export function openReaderLocator(path: string | null): Locate {
  const locator = new ReaderLocator(openDatabase(path).reader);
  return (ip) => locator.locate(ip);
}

interface Database {
  reader: Reader<Response>;
  tree: AddressTree;
}

class Locator {
  readonly #reader: Reader<Response>;
  readonly #tree: AddressTree;
  readonly #others: ReaderLocator;
  // The address before, and its place.
  #lastIp = '';
  #lastPlace: Place = NOWHERE;
  // A Map of objects: leaves are sparse numbers, and a city database has hundreds of thousands.
  readonly #places = new BoundedCache<number, Place>(PLACE_CACHE_ENTRY_COUNT_MAX);

  constructor({ reader, tree }: Database) {
    this.#reader = reader;
    this.#tree = tree;
    this.#others = new ReaderLocator(reader);
  }

  locate(ip: string): Place {
    if (ip !== this.#lastIp) {
      this.#lastPlace = this.#find(ip);
      this.#lastIp = ip;
    }
    return this.#lastPlace;
  }

  #find(ip: string): Place {
    // IPv4 in IPv6 clothes is plain IPv4, which is how databases list it.
    const start = isMapped(ip) ? MAPPED_PREFIX.length : 0;
    const address = parseIpv4(ip, start);
    if (address === NOT_IPV4) return this.#others.locate(ip);
    const leaf = this.#tree.leafOf(address);
    if (leaf === NO_LEAF) return NOWHERE;
    const known = this.#places.get(leaf);
    if (known !== undefined) return known;
    const place = placeOf(this.#reader.get(start === 0 ? ip : ip.slice(start)));
    this.#places.set(leaf, place);
    return place;
  }
}

class ReaderLocator {
  readonly #reader: Reader<Response>;
  // A Map of objects: the keys are addresses as texts.
  readonly #places = new BoundedCache<string, Place>(PLACE_CACHE_ENTRY_COUNT_MAX);

  constructor(reader: Reader<Response>) {
    this.#reader = reader;
  }

  locate(ip: string): Place {
    const known = this.#places.get(ip);
    if (known !== undefined) return known;
    if (!isAddress(ip)) return NOWHERE;
    // In a tree of IPv4 only, maxmind would read the first 32 bits of an IPv6 address as one.
    if (this.#reader.metadata.ipVersion === 4 && ip.includes(':')) return NOWHERE;
    const place = placeOf(this.#reader.get(ip));
    this.#places.set(ip, place);
    return place;
  }
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

function openDatabase(given: string | null): Database {
  const path = given ?? createRequire(import.meta.url).resolve(BUNDLED);
  const { reader, bytes } = readDatabase(path);
  // Asked here, once: the walk trusts the count of nodes.
  if (treeByteCount(reader.metadata) > bytes.length) {
    throw errors.LOCATION_DATABASE_UNREADABLE({ path, reason: 'its tree is longer than the file' });
  }
  return { reader, tree: new AddressTree(bytes, reader.metadata) };
}

function readDatabase(path: string): { reader: Reader<Response>; bytes: Uint8Array } {
  try {
    const bytes = readFileSync(path);
    return { reader: new Reader<Response>(bytes), bytes };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw errors.LOCATION_DATABASE_UNREADABLE({ path, reason }, cause);
  }
}

/** Whether the text starts with `::ffff:`, in either case. */
function isMapped(ip: string): boolean {
  for (let index = 0; index < MAPPED_PREFIX.length; index++) {
    const unit = ip.charCodeAt(index);
    const lower = unit === CAPITAL_F ? SMALL_F : unit;
    if (lower !== MAPPED_PREFIX.charCodeAt(index)) return false;
  }
  return true;
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
