/**
 * Idempotency keys: which request is a repeat (I-76), and how receipts are stored.
 *
 * Data plane, once per request with a key. Each lane of a split domain keeps keys of its own, as of its
 * own place in the log; what came before it had any, the base has.
 */

import { Packr } from 'msgpackr';
import { IDEMPOTENCY_KEY_MS } from '../model/limits.ts';
import type { StateEnvironment } from '../store/state-environment.ts';
import type { DomainState, KeyReceipt } from './domain-state.ts';

const packr = new Packr({ useRecords: false });

/** A request with a key, on its way into a lane. */
export interface KeyArrival extends KeyReceipt {
  readonly hash: string;
  readonly lane: number;
  /** Record since which the lane has followed the domain. */
  readonly bornSequence: number;
}

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

/** The receipt of a key that is on disk. */
export function storedReceipt(
  environment: StateEnvironment | null,
  hash: string,
): KeyReceipt | undefined {
  const bytes = environment?.get(['k', hash]);
  return bytes === undefined ? undefined : readReceipt(bytes);
}

/** Whether a request repeats one; else its key is noted. The first receipt decides for 24 hours (I-76). */
export function isRepeated(
  domain: DomainState,
  environment: StateEnvironment | null,
  arrival: KeyArrival,
): boolean {
  const { hash, lane, receivedMs, sequence, bornSequence } = arrival;
  const own = lane === 0 ? hash : `${hash}.${lane}`;
  let firstMs = domain.idempotencyReceivedMs(own);
  if (firstMs === undefined && lane > 0) {
    const ofBase = storedReceipt(environment, hash);
    if (ofBase !== undefined && ofBase.sequence <= bornSequence) firstMs = ofBase.receivedMs;
  }
  if (firstMs !== undefined && receivedMs - firstMs < IDEMPOTENCY_KEY_MS) return true;
  domain.unsavedKeys.set(own, { receivedMs, sequence });
  return false;
}
