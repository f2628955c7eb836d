/**
 * Where an address is (I-87): country, region and city from local databases, no network.
 *
 * Data plane. Several databases are asked in their order; the first that knows a place is right.
 * Measured (bench/ingest/place/locate.bench.ts): 130 ns for a new IPv4 address.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { IP_WORD_COUNT, readIpWords } from '../../base/ip-words.ts';
import { errors } from '../../model/errors.ts';
import { isOwnIpv4, isOwnIpv6, isTranslated } from './own-networks.ts';
import { NOWHERE, type Place } from './place.ts';
import { openDatabase, type PlaceDatabase } from './place-database.ts';

/** The place of an address as I-3 cleans it. */
export type Locate = (ip: string) => Place;

const BUNDLED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

/** Found once: looking for a package costs more than all else of a look at the files. */
let bundled: string | undefined;

/** Path of the country database that comes with the service. */
export function bundledDatabase(): string {
  bundled ??= createRequire(import.meta.url).resolve(BUNDLED);
  return bundled;
}

/** Finds places in databases that may be exchanged while it works. One per thread. */
export class Locator {
  #ipv4: readonly PlaceDatabase[] = [];
  #ipv6: readonly PlaceDatabase[] = [];
  // The address before, and its place.
  #lastIp = '';
  #lastPlace: Place = NOWHERE;
  readonly #words = new Uint32Array(IP_WORD_COUNT);

  /** @param databases in the order in which they are asked. */
  constructor(databases: readonly PlaceDatabase[]) {
    this.replace(databases);
  }

  /** Takes these databases instead of those it has: the next address is looked up in them. */
  replace(databases: readonly PlaceDatabase[]): void {
    this.#ipv4 = databases.filter((database) => database.hasIpv4);
    this.#ipv6 = databases.filter((database) => database.hasIpv6);
    this.#lastIp = '';
    this.#lastPlace = NOWHERE;
  }

  /** @cost a walk of a tree; allocates when the leaf it leads to has not been met before. */
  locate(ip: string): Place {
    if (ip !== this.#lastIp) {
      this.#lastPlace = this.#find(ip);
      this.#lastIp = ip;
    }
    return this.#lastPlace;
  }

  #find(ip: string): Place {
    const words = this.#words;
    const family = readIpWords(ip, words);
    if (family === 4) return this.#findIpv4(words[0]!);
    if (family === 0 || isOwnIpv6(words)) return NOWHERE;
    if (isTranslated(words)) return this.#findIpv4(words[3]!);
    for (let index = 0; index < this.#ipv6.length; index++) {
      const place = this.#ipv6[index]!.placeOfIpv6(words);
      if (place !== NOWHERE) return place;
    }
    return NOWHERE;
  }

  #findIpv4(address: number): Place {
    if (isOwnIpv4(address)) return NOWHERE;
    for (let index = 0; index < this.#ipv4.length; index++) {
      const place = this.#ipv4[index]!.placeOfIpv4(address);
      if (place !== NOWHERE) return place;
    }
    return NOWHERE;
  }
}

/**
 * Opens location databases in this thread alone.
 *
 * @param paths of `.mmdb` files, in the order in which they are asked; none: the bundled one.
 * @throws LOCATION_DATABASE_UNREADABLE when one is missing or is no such database.
 */
export function openLocator(paths: readonly string[]): Locate {
  const files = paths.length === 0 ? [bundledDatabase()] : paths;
  const locator = new Locator(files.map((path) => openFile(path, readWhole(path))));
  return (ip) => locator.locate(ip);
}

/**
 * Opens a file that has been read.
 *
 * @throws LOCATION_DATABASE_UNREADABLE.
 */
export function openFile(path: string, bytes: Buffer): PlaceDatabase {
  const opened = openDatabase(bytes);
  if ('database' in opened) return opened.database;
  throw errors.LOCATION_DATABASE_UNREADABLE({ path, reason: `it ${opened.fault}` });
}

/** @throws LOCATION_DATABASE_UNREADABLE. */
function readWhole(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw errors.LOCATION_DATABASE_UNREADABLE({ path, reason }, cause);
  }
}
