/**
 * The data of an `.mmdb` file: values behind the search tree, and the metadata at the end.
 *
 * Data plane. Total: whatever the bytes are, a read ends, within bounds of depth and number, and says
 * whether what it met was a value; nothing is thrown. Reading only the members that are asked for
 * makes a record of a city three times as cheap as reading all of it, names in eight languages and all.
 *
 *     control byte   t t t s s s s s      type 1 to 7, or 0: the next byte is the type less 7
 *                                         size 0 to 28, or 29, 30, 31: 1, 2 or 3 bytes more
 *     pointer        0 0 1 n n v v v      n + 1 bytes more; where the value stands in the section
 *
 * Source: https://maxmind.github.io/MaxMind-DB/ (MaxMind DB File Format 2.0, output data section).
 */

/** A value as far as it was asked for; `undefined` is what was not, or is no text, number, map or list. */
export type DataValue = string | number | DataMap | readonly DataValue[] | undefined;

/** A map. */
export interface DataMap {
  readonly [key: string]: DataValue;
}

/** Which members of maps are read, at any depth; null: all. */
export type Wanted = ReadonlySet<string> | null;

/** Maps and lists within each other; records of places have four. */
const DEPTH_MAX = 12;
/** Values of one record; the largest that are sold have some two hundred. */
const VALUE_COUNT_MAX = 2_000;
/** Bytes of a text; names are shorter by far. */
const TEXT_BYTES_MAX = 65_535;

const POINTER = 1;
const TEXT = 2;
const DOUBLE = 3;
const UNSIGNED_32 = 6;
const MAP = 7;
const UNSIGNED_64 = 9;
const LIST = 11;
const BOOLEAN = 14;
const TYPE_LAST = 15;
/** By bytes behind the control byte, less one. */
const POINTER_BASES = [0, 2_048, 526_336, 0];

/** Reads values of one section. */
export class DataSection {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  /** Where the next value stands, and how many have been read of this record. */
  #at = 0;
  #valueCount = 0;
  #isDamaged = false;
  /** Keys are few and pointed to: offset → text. */
  readonly #keys = new Map<number, string>();

  /** @param start,end of the section within the bytes of the file. */
  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /**
   * The value at an offset of the section.
   *
   * @returns null when the bytes there are none.
   */
  read(offset: number, wanted: Wanted): DataValue | null {
    this.#at = this.#start + offset;
    this.#valueCount = 0;
    this.#isDamaged = false;
    const value = this.#value(wanted, true, 0);
    return this.#isDamaged ? null : value;
  }

  /** @param isWanted false: it is passed over, and `undefined`. */
  #value(wanted: Wanted, isWanted: boolean, depth: number): DataValue {
    if (depth > DEPTH_MAX || ++this.#valueCount > VALUE_COUNT_MAX) return this.#damage();
    const control = this.#byte();
    const type = control >>> 5 || this.#extendedType();
    if (type === POINTER) return this.#pointed(control, wanted, isWanted, depth);
    const size = this.#size(control & 0x1f);
    if (type === MAP) return this.#map(size, wanted, isWanted, depth);
    if (type === LIST) return this.#list(size, wanted, isWanted, depth);
    if (type === BOOLEAN) return undefined;
    const start = this.#at;
    this.#at += size;
    if (type > TYPE_LAST || this.#at > this.#end) return this.#damage();
    if (!isWanted) return undefined;
    if (type === TEXT) return this.#text(start, size);
    if (type === DOUBLE && size !== 8) return this.#damage();
    const isUnsigned = type >= 5 && (type <= UNSIGNED_32 || type === UNSIGNED_64);
    return isUnsigned && size <= 8 ? this.#unsigned(start, size) : undefined;
  }

  #extendedType(): number {
    const type = this.#byte() + 7;
    return type === MAP ? TYPE_LAST + 1 : type;
  }

  #pointed(control: number, wanted: Wanted, isWanted: boolean, depth: number): DataValue {
    const offset = this.#pointer(control);
    if (!isWanted) return undefined;
    const after = this.#at;
    this.#at = this.#start + offset;
    const value = this.#value(wanted, true, depth + 1);
    this.#at = after;
    return value;
  }

  #pointer(control: number): number {
    const length = ((control >>> 3) & 3) + 1;
    const high = length === 4 ? 0 : control & 7;
    let low = 0;
    for (let index = 0; index < length; index++) low = low * 256 + this.#byte();
    return high * 256 ** length + low + POINTER_BASES[length - 1]!;
  }

  #map(size: number, wanted: Wanted, isWanted: boolean, depth: number): DataValue {
    const map: Record<string, DataValue> = {};
    for (let index = 0; index < size && !this.#isDamaged; index++) {
      const key = this.#key(depth);
      const isMember = isWanted && (wanted === null || wanted.has(key));
      const value = this.#value(wanted, isMember, depth + 1);
      if (isMember) map[key] = value;
    }
    return isWanted ? map : undefined;
  }

  #list(size: number, wanted: Wanted, isWanted: boolean, depth: number): DataValue {
    const list: DataValue[] = [];
    for (let index = 0; index < size && !this.#isDamaged; index++) {
      const value = this.#value(wanted, isWanted, depth + 1);
      if (isWanted) list.push(value);
    }
    return isWanted ? list : undefined;
  }

  /** A key is a text, here or elsewhere. */
  #key(depth: number): string {
    const at = this.#at;
    const control = this.#byte();
    if (control >>> 5 !== POINTER) {
      this.#at = at;
      return this.#textKey(depth);
    }
    const offset = this.#pointer(control);
    const known = this.#keys.get(offset);
    if (known !== undefined) return known;
    const after = this.#at;
    this.#at = this.#start + offset;
    const key = this.#textKey(depth + 1);
    this.#at = after;
    // A file has some dozens; one made to have more is not remembered.
    if (this.#keys.size < VALUE_COUNT_MAX) this.#keys.set(offset, key);
    return key;
  }

  #textKey(depth: number): string {
    const key = this.#value(null, true, depth);
    if (typeof key === 'string') return key;
    this.#damage();
    return '';
  }

  #text(start: number, size: number): DataValue {
    if (size > TEXT_BYTES_MAX) return this.#damage();
    return this.#bytes.toString('utf8', start, start + size);
  }

  /** Of 64 bits what a number can say exactly: times and counts. */
  #unsigned(start: number, size: number): number {
    let value = 0;
    for (let index = 0; index < size; index++) value = value * 256 + this.#bytes[start + index]!;
    return value;
  }

  #size(low: number): number {
    if (low < 29) return low;
    if (low === 29) return 29 + this.#byte();
    if (low === 30) return 285 + this.#byte() * 256 + this.#byte();
    return 65_821 + this.#byte() * 65_536 + this.#byte() * 256 + this.#byte();
  }

  /** The next byte; 0 and damage behind the end. */
  #byte(): number {
    if (this.#at < this.#start || this.#at >= this.#end) {
      this.#damage();
      return 0;
    }
    return this.#bytes[this.#at++]!;
  }

  #damage(): undefined {
    this.#isDamaged = true;
    return undefined;
  }
}
