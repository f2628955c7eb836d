/**
 * Structures of Parquet in Thrift's compact protocol: as much of it as heads of pages and the end of a
 * file need.
 */

/** Types of fields by their numbers in the protocol. */
const TYPE = { true: 1, false: 2, i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const;

/** A value with its type. */
export type ThriftValue =
  | { readonly i32: number }
  | { readonly i64: number }
  | { readonly text: string }
  | { readonly struct: ThriftStruct }
  | { readonly list: readonly ThriftValue[] };

/** Fields by their numbers; those that are undefined are left out. */
export type ThriftStruct = Readonly<Record<number, ThriftValue | undefined>>;

/** The bytes of a structure. */
export function thriftBytes(struct: ThriftStruct): Uint8Array {
  const bytes: number[] = [];
  putStruct(bytes, struct);
  return Uint8Array.from(bytes);
}

function putStruct(bytes: number[], struct: ThriftStruct): void {
  let last = 0;
  for (const [name, value] of Object.entries(struct)) {
    if (value === undefined) continue;
    const field = Number(name);
    // Fields come in order and close to each other, so the short form always does.
    bytes.push(((field - last) << 4) | typeOf(value));
    last = field;
    putValue(bytes, value);
  }
  bytes.push(0);
}

function typeOf(value: ThriftValue): number {
  if ('i32' in value) return TYPE.i32;
  if ('i64' in value) return TYPE.i64;
  if ('text' in value) return TYPE.binary;
  return 'struct' in value ? TYPE.struct : TYPE.list;
}

function putValue(bytes: number[], value: ThriftValue): void {
  if ('i32' in value) putNumber(bytes, zigzag(value.i32));
  else if ('i64' in value) putNumber(bytes, zigzag(value.i64));
  else if ('struct' in value) putStruct(bytes, value.struct);
  else if ('text' in value) {
    const text = Buffer.from(value.text);
    putNumber(bytes, text.length);
    bytes.push(...text);
  } else {
    const { list } = value;
    const type = list[0] === undefined ? TYPE.struct : typeOf(list[0]);
    if (list.length < 15) bytes.push((list.length << 4) | type);
    else {
      bytes.push(0xf0 | type);
      putNumber(bytes, list.length);
    }
    for (const one of list) putValue(bytes, one);
  }
}

/** Nothing negative is ever written. */
function zigzag(value: number): number {
  return value * 2;
}

/** In groups of seven bits, the lowest first; exact up to 2^53. */
function putNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
