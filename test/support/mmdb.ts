/**
 * A writer of location databases (`.mmdb`), to be read and not to be fast.
 *
 * A tree is built record by record from bit texts. Texts of more than one byte that come again are
 * written as pointers, as makers of such files do.
 *
 * Source: https://maxmind.github.io/MaxMind-DB/ (MaxMind DB File Format 2.0).
 */

/** What a record may hold; a number is unsigned of 32 bits, or a double when it has a fraction. */
export type MadeValue =
  | string
  | number
  | boolean
  | readonly MadeValue[]
  | { readonly [key: string]: MadeValue };

export interface MadeNetwork {
  /** An IPv4 address as a number, or an IPv6 address. */
  address: number | string;
  length: number;
  record: MadeValue;
}

export interface MadeDatabase {
  recordSize: number;
  ipVersion: number;
  /** A later network is cut out of an earlier one. */
  networks: readonly MadeNetwork[];
  /** What the metadata claims; the truth when left out. */
  nodeCount?: number;
  type?: string;
  builtSeconds?: number;
}

const SEPARATOR_BYTES = 16;

/** The bytes of a made-up database. */
export function databaseOf(made: MadeDatabase): Buffer {
  const { recordSize, ipVersion, networks } = made;
  // A record is the index of a node, null for nothing, or a network's ordinal as a text.
  const nodes: (number | string | null)[][] = [[null, null]];
  for (const [ordinal, network] of networks.entries()) {
    const path = [...bitsOf(network, ipVersion)].map(Number);
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
  const data = new DataWriter();
  const starts = networks.map(({ record }) => data.add(record));
  const numberOf = (record: number | string | null) => {
    if (typeof record === 'number') return record;
    return nodes.length + (record === null ? 0 : SEPARATOR_BYTES + starts[Number(record)]!);
  };
  const metadata = new DataWriter();
  metadata.add({
    ...{ node_count: made.nodeCount ?? nodes.length, record_size: recordSize },
    ...{ ip_version: ipVersion, binary_format_major_version: 2, binary_format_minor_version: 0 },
    ...{ database_type: made.type ?? 'made up', build_epoch: made.builtSeconds ?? 1_700_000_000 },
    ...{ languages: ['en'], description: { en: 'made up by a test' } },
  });
  return Buffer.concat([
    ...nodes.map((records) => encodeNode(recordSize, records.map(numberOf))),
    Buffer.alloc(SEPARATOR_BYTES),
    data.bytes(),
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    metadata.bytes(),
  ]);
}

/** Two records as the format lays them out: the middle byte of 28 bits is shared. */
export function encodeNode(recordSize: number, records: readonly number[]): Buffer {
  const [left, right] = records.map((record) => record.toString(16).padStart(recordSize / 4, '0'));
  if (recordSize !== 28) return Buffer.from(`${left}${right}`, 'hex');
  return Buffer.from(`${left!.slice(1)}${left![0]}${right}`, 'hex');
}

function bitsOf({ address, length }: MadeNetwork, ipVersion: number): string {
  if (typeof address === 'number') {
    const bits = address.toString(2).padStart(32, '0').slice(0, length);
    return (ipVersion === 6 ? '0'.repeat(96) : '') + bits;
  }
  const [head, tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const left = head ?? [];
  const right = tail ?? [];
  const groups = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return groups
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('')
    .slice(0, length);
}

class DataWriter {
  #parts: Buffer[] = [];
  #byteCount = 0;
  readonly #texts = new Map<string, number>();

  /** @returns the offset of the value. */
  add(value: MadeValue): number {
    const start = this.#byteCount;
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'boolean') this.#put(0x00 + Number(value), 7);
    else if (typeof value === 'number') this.#number(value);
    else if (Array.isArray(value)) {
      this.#control(11, value.length);
      for (const item of value) this.add(item);
    } else {
      const entries = Object.entries(value);
      this.#control(7, entries.length);
      for (const pair of entries) for (const side of pair) this.add(side);
    }
    return start;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #text(text: string): void {
    const known = this.#texts.get(text);
    if (known !== undefined && text.length > 1) {
      // A pointer of 4 bytes behind the control byte.
      this.#put(0x38, ...uint32(known));
      return;
    }
    this.#texts.set(text, this.#byteCount);
    const bytes = Buffer.from(text);
    this.#control(2, bytes.length);
    this.#put(...bytes);
  }

  #number(value: number): void {
    if (Number.isInteger(value)) {
      this.#control(6, 4);
      this.#put(...uint32(value));
      return;
    }
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    this.#control(3, 8);
    this.#put(...bytes);
  }

  #control(type: number, size: number): void {
    const [low, more] =
      size < 29 ? [size, []] : size < 285 ? [29, [size - 29]] : [30, uint16(size - 285)];
    if (type <= 7) this.#put((type << 5) | low, ...more);
    else this.#put(low, type - 7, ...more);
  }

  #put(...bytes: number[]): void {
    this.#parts.push(Buffer.from(bytes));
    this.#byteCount += bytes.length;
  }
}

function uint16(value: number): number[] {
  return [value >>> 8, value & 0xff];
}

function uint32(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}
