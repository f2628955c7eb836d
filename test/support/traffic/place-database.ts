/**
 * Made-up location databases: an .mmdb writer of the plain kind, and one that knows cities.
 *
 * The bundled database knows countries only, so tests about regions and cities start the service with
 * `FOOTFALL_GEO_DB` on a file of `placesDatabase`. A tree is built record by record from bit texts,
 * nothing is shared or packed: it is to be read, not to be fast.
 */

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

/** The second byte of the first place's addresses: 100.64.0.0/10 is nobody's. */
const FIRST_BLOCK = 64;
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

/** Maps of short texts and unsigned 32-bit numbers. */
type FlatMap = Readonly<Record<string, string | number>>;

export interface MadeDatabase {
  recordSize: number;
  ipVersion: number;
  /** A later network is cut out of an earlier one. */
  networks: readonly { address: number; length: number; record: FlatMap }[];
  /** What the metadata claims; the truth when left out. */
  nodeCount?: number;
}

/** The bytes of a made-up database. */
export function databaseOf({ recordSize, ipVersion, networks, nodeCount }: MadeDatabase): Buffer {
  // A record is the index of a node, null for nothing, or a network's ordinal as a text.
  const nodes: (number | string | null)[][] = [[null, null]];
  for (const [ordinal, { address, length }] of networks.entries()) {
    const bits = address.toString(2).padStart(32, '0').slice(0, length);
    const path = [...(ipVersion === 6 ? '0'.repeat(96) : ''), ...bits].map(Number);
    let node = 0;
    for (const [depth, side] of path.entries()) {
      const record = nodes[node]![side]!;
      if (depth === path.length - 1) nodes[node]![side] = String(ordinal);
      else if (typeof record === 'number') node = record;
      else {
        nodes[node]![side] = nodes.length;
        node = nodes.push([record, record]) - 1;
      }
    }
  }
  const data = networks.map(({ record }) => encodeMap(record));
  const starts = data.map((_, at) => data.slice(0, at).reduce((sum, map) => sum + map.length, 0));
  const numberOf = (record: number | string | null) => {
    if (typeof record === 'number') return record;
    return nodes.length + (record === null ? 0 : 16 + starts[Number(record)]!);
  };
  const metadata = { node_count: nodeCount ?? nodes.length, record_size: recordSize };
  return Buffer.concat([
    ...nodes.map((records) => encodeNode(recordSize, records.map(numberOf))),
    Buffer.alloc(16),
    ...data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encodeMap({ ...metadata, ip_version: ipVersion }),
  ]);
}

/** Two records as the format lays them out: the middle byte of 28 bits is shared. */
export function encodeNode(recordSize: number, records: readonly number[]): Buffer {
  const [left, right] = records.map((record) => record.toString(16).padStart(recordSize / 4, '0'));
  if (recordSize !== 28) return Buffer.from(`${left}${right}`, 'hex');
  return Buffer.from(`${left!.slice(1)}${left![0]}${right}`, 'hex');
}

function encodeMap(map: FlatMap): Buffer {
  const encode = (value: string | number) => {
    if (typeof value === 'string')
      return Buffer.from(String.fromCharCode(0x40 + value.length) + value, 'latin1');
    const bytes = Buffer.from([0xc4, 0, 0, 0, 0]);
    bytes.writeUInt32BE(value, 1);
    return bytes;
  };
  const entries = Object.entries(map).flat().map(encode);
  return Buffer.concat([Buffer.from([0xe0 + entries.length / 2]), ...entries]);
}
