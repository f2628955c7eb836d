/**
 * One `.mmdb` file in memory: opened, described, read to its end, and asked for places.
 *
 *     search tree                16 zeros   data section   \xab\xcd\xefMaxMind.com   metadata
 *     |───────── nodes ─────────|──────────|──────────────|─────────────────────────|─────────|
 *
 * Asking is data plane: the tree is walked on every hit, and what is remembered is the place of a
 * leaf, which all addresses of many ranges share, so that an address never seen before costs what a
 * known one does. The bytes may be shared with other threads; nobody writes them. The rest is control
 * plane: a file is opened in every thread that asks it and read to its end (`check`) in one.
 */

import { BoundedCache } from '../../base/bounded-cache.ts';
import { PLACE_CACHE_ENTRY_COUNT_MAX } from '../../model/limits.ts';
import { AddressTree, NO_LEAF, treeByteCount } from './address-tree.ts';
import { type DataMap, DataSection } from './data-section.ts';
import { NOWHERE, PLACE_MEMBERS, type Place, placeOf } from './place.ts';

const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
/** The metadata begins within so many bytes of the end. */
const METADATA_BYTES_MAX = 128 * 1_024;
/** Zeros between tree and data. */
const SEPARATOR_BYTES = 16;
const RECORD_SIZES = [24, 28, 32];
const FORMAT_VERSION = 2;
/** Records whose texts are looked at when a file is checked. */
const SAMPLE_RECORD_COUNT = 20_000;
const NO_MEMBERS: ReadonlySet<string> = new Set();

/** What the metadata says of a file, for people. */
export interface DatabaseDescription {
  /** Such as `GeoLite2-City`; whatever its maker wrote. */
  type: string;
  /** When it was made, in ms since 1970; 0: it does not say. */
  builtMs: number;
  addresses: 'IPv4' | 'IPv6' | 'IPv4 and IPv6';
}

/** What a file holds; found by reading all of it. */
export interface DatabaseContents {
  /** Different records. */
  recordCount: number;
  hasCountries: boolean;
  hasRegions: boolean;
  hasCities: boolean;
}

/** A file, or in words that complete 'it …' why it is none. */
export type OpenedDatabase = { readonly database: PlaceDatabase } | { readonly fault: string };

interface Layout {
  nodeCount: number;
  recordSize: number;
  ipVersion: number;
  /** Where the data section ends. */
  dataEnd: number;
}

/** Opens a file. @param bytes the whole of it. @cost some microseconds. */
export function openDatabase(bytes: Buffer): OpenedDatabase {
  const tail = Math.max(0, bytes.length - METADATA_BYTES_MAX);
  const marker = bytes.subarray(tail).lastIndexOf(MARKER);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return { fault: 'is compressed: unpack it first' };
  if (marker === -1) return { fault: 'is not in the MMDB format, or its end is missing' };
  const start = tail + marker + MARKER.length;
  const metadata = new DataSection(bytes, start, bytes.length).read(0, null);
  if (typeof metadata !== 'object' || metadata === null) return { fault: 'has damaged metadata' };
  const map = metadata as DataMap;
  const layout: Layout = {
    nodeCount: numberOf(map['node_count']),
    recordSize: numberOf(map['record_size']),
    ipVersion: numberOf(map['ip_version']),
    dataEnd: tail + marker,
  };
  const version = map['binary_format_major_version'];
  if (version !== undefined && version !== FORMAT_VERSION) {
    return {
      fault: `is in version ${String(version)} of the MMDB format, not in ${FORMAT_VERSION}`,
    };
  }
  if (!RECORD_SIZES.includes(layout.recordSize) || ![4, 6].includes(layout.ipVersion)) {
    return { fault: 'has damaged metadata' };
  }
  if (treeByteCount(layout) + SEPARATOR_BYTES > layout.dataEnd) {
    return { fault: 'is cut short: its tree is longer than the file' };
  }
  return { database: new PlaceDatabase(bytes, layout, map) };
}

/** One opened file. */
export class PlaceDatabase {
  readonly #tree: AddressTree;
  readonly #data: DataSection;
  readonly #dataByteCount: number;
  /** What a leaf is more than the offset of its record in the data section. */
  readonly #leafBase: number;
  readonly #metadata: DataMap;
  // A Map of objects: leaves are sparse numbers, and a city database has hundreds of thousands.
  readonly #places = new BoundedCache<number, Place>(PLACE_CACHE_ENTRY_COUNT_MAX);

  /** @param bytes,layout,metadata as `openDatabase` found them. */
  constructor(bytes: Buffer, layout: Layout, metadata: DataMap) {
    const dataStart = treeByteCount(layout) + SEPARATOR_BYTES;
    this.#tree = new AddressTree(bytes, layout);
    this.#data = new DataSection(bytes, dataStart, layout.dataEnd);
    this.#dataByteCount = layout.dataEnd - dataStart;
    this.#leafBase = layout.nodeCount + SEPARATOR_BYTES;
    this.#metadata = metadata;
  }

  /** Whether it lists addresses of IPv4. */
  get hasIpv4(): boolean {
    return this.#tree.hasIpv4;
  }

  /** Whether it lists addresses of IPv6. */
  get hasIpv6(): boolean {
    return this.#tree.hasIpv6;
  }

  /** The place of an IPv4 address, as an unsigned number. @returns `NOWHERE` when it knows none. */
  placeOfIpv4(address: number): Place {
    return this.#placeOfLeaf(this.#tree.leafOf(address));
  }

  /** The same of an IPv6 address; only of a database that {@link hasIpv6}. */
  placeOfIpv6(words: Uint32Array): Place {
    return this.#placeOfLeaf(this.#tree.leafOfIpv6(words));
  }

  /** What it says of itself. */
  describe(): DatabaseDescription {
    const type = this.#metadata['database_type'];
    const { hasIpv4, hasIpv6 } = this;
    return {
      type: typeof type === 'string' && type !== '' ? type : 'unknown',
      builtMs: numberOf(this.#metadata['build_epoch']) * 1_000,
      addresses: hasIpv4 && hasIpv6 ? 'IPv4 and IPv6' : hasIpv6 ? 'IPv6' : 'IPv4',
    };
  }

  /**
   * Reads every record that the tree leads to.
   *
   * @returns what the file holds, or why it cannot be used, in words that complete 'it …'.
   * @cost half a second for 60 MB of cities.
   */
  check(): DatabaseContents | string {
    const contents = { recordCount: 0, hasCountries: false, hasRegions: false, hasCities: false };
    const seen = new Uint8Array((Math.max(0, this.#dataByteCount) >>> 3) + 1);
    let damagedCount = 0;
    this.#tree.forEachLeaf((leaf) => {
      const offset = leaf - this.#leafBase;
      if (offset < 0 || offset >= this.#dataByteCount) {
        damagedCount++;
        return;
      }
      const bit = 1 << (offset & 7);
      if ((seen[offset >>> 3]! & bit) !== 0) return;
      seen[offset >>> 3]! |= bit;
      // What a text says cannot be checked: enough are read to know what the file is about.
      const isSample = contents.recordCount < SAMPLE_RECORD_COUNT;
      const record = this.#data.read(offset, isSample ? PLACE_MEMBERS : NO_MEMBERS);
      if (typeof record !== 'object' || record === null) {
        damagedCount++;
        return;
      }
      contents.recordCount++;
      if (!isSample) return;
      const place = placeOf(record);
      contents.hasCountries ||= place.country !== '';
      contents.hasRegions ||= place.region !== '';
      contents.hasCities ||= place.city !== '';
    });
    if (damagedCount > 0) return `is damaged: ${damagedCount} of its records cannot be read`;
    if (!contents.hasCountries) return 'knows no countries: it is no database of places';
    return contents;
  }

  #placeOfLeaf(leaf: number): Place {
    if (leaf === NO_LEAF) return NOWHERE;
    const known = this.#places.get(leaf);
    if (known !== undefined) return known;
    const offset = leaf - this.#leafBase;
    const place = placeOf(offset < 0 ? null : this.#data.read(offset, PLACE_MEMBERS));
    this.#places.set(leaf, place);
    return place;
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
