/** The bytes that LMDB has for a key, and back. lmdb exports both, its types do not know of them. */

import * as lmdb from 'lmdb';

type KeyPart = string | number;

const { keyValueToBuffer: toBytes, bufferToKeyValue: fromBytes } = lmdb as unknown as {
  keyValueToBuffer: (key: KeyPart | readonly KeyPart[]) => Buffer;
  bufferToKeyValue: (bytes: Buffer) => KeyPart | KeyPart[];
};

/** The bytes of a key; valid until the next call. */
export function keyValueToBuffer(key: KeyPart | readonly KeyPart[]): Buffer {
  return toBytes(key);
}

/** The key of such bytes. */
export function bufferToKeyValue(bytes: Buffer): KeyPart | KeyPart[] {
  return fromBytes(bytes);
}
