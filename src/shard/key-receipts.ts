/** When idempotency keys were first received, as they are stored (I-76). Data plane. */

import { Packr } from 'msgpackr';
import type { KeyReceipt } from './domain-state.ts';

const packr = new Packr({ useRecords: false });

/** The value of a key. */
export function packReceipt({ receivedMs, sequence }: KeyReceipt): Uint8Array {
  return packr.pack([receivedMs, sequence]);
}

/** And back. Earlier builds kept no sequence: theirs came before everything else. */
export function readReceipt(bytes: Uint8Array): KeyReceipt {
  const value = packr.unpack(bytes) as number | [number, number];
  if (typeof value === 'number') return { receivedMs: value, sequence: 0 };
  return { receivedMs: value[0], sequence: value[1] };
}
