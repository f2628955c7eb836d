/**
 * Where visitors come from: countries with the languages spoken there and address ranges that belong
 * to them.
 *
 * Control plane, a table. Each range is a /16 that the bundled country database
 * (`@ip-location-db/geo-whois-asn-country-mmdb`) gives to that country as a whole; a test asks it.
 */
import type { Seeded, Weighted } from './seeded.ts';

/** A country as visitors show it: by address and by `Accept-Language`. */
export interface Place {
  /** ISO 3166 alpha-2, lower case. */
  country: string;
  /** First two numbers of addresses there. */
  ranges: readonly string[];
  languages: Weighted<string>;
}

function place(country: string, ranges: string, languages: Weighted<string>): Place {
  return { country, ranges: ranges.split(' '), languages };
}

/** Every country of the simulation, by its code. */
export const PLACES: Readonly<Record<string, Place>> = Object.fromEntries(
  [
    place('us', '2.0 11.138 19.7', [
      [8, 'en-US,en;q=0.9'],
      [1, 'es-US,es;q=0.9,en;q=0.8'],
    ]),
    place('gb', '1.186 51.142 107.53', [[1, 'en-GB,en;q=0.9']]),
    place('de', '2.28 77.0 95.117', [
      [9, 'de-DE,de;q=0.9,en;q=0.8'],
      [1, 'en-US,en;q=0.9'],
    ]),
    place('fr', '2.3 86.194 93.3', [[1, 'fr-FR,fr;q=0.9,en;q=0.8']]),
    place('in', '1.6 101.219 122.167', [
      [7, 'en-IN,en;q=0.9'],
      [3, 'hi-IN,hi;q=0.9,en;q=0.8'],
    ]),
    place('br', '4.160 179.154 189.117', [[1, 'pt-BR,pt;q=0.9']]),
    place('jp', '1.5 125.4 160.17', [[1, 'ja-JP,ja;q=0.9']]),
    place('ca', '3.96 99.252 142.191', [
      [7, 'en-CA,en;q=0.9'],
      [3, 'fr-CA,fr;q=0.9'],
    ]),
    place('nl', '2.153 92.64 145.110', [[1, 'nl-NL,nl;q=0.9,en;q=0.8']]),
    place('es', '2.136 81.41 89.131', [[1, 'es-ES,es;q=0.9']]),
    place('pl', '5.173 83.1 91.94', [[1, 'pl-PL,pl;q=0.9']]),
    place('au', '1.40 101.179 141.243', [[1, 'en-AU,en;q=0.9']]),
    place('ch', '4.163 85.0 157.168', [
      [6, 'de-CH,de;q=0.9'],
      [3, 'fr-CH,fr;q=0.9'],
    ]),
    place('at', '46.74 85.124 149.148', [[1, 'de-AT,de;q=0.9']]),
    place('za', '4.167 105.10 165.147', [[1, 'en-ZA,en;q=0.9']]),
  ].map((row) => [row.country, row]),
);

/**
 * An address in that place.
 *
 * @param ordinal a number of the visitor: 65,536 in a row have different addresses, so that no two
 *   of them can be taken for one.
 */
export function addressIn(where: Place, random: Seeded, ordinal: number): string {
  // An odd factor only reorders the numbers: neighbours in time are no neighbours in the network.
  const host = Math.imul(ordinal, 40_503) & 0xffff;
  return `${random.pick(where.ranges)}.${host >>> 8}.${host & 0xff}`;
}
