/**
 * Idempotency keys (I-76): kept for 24 hours from their first receipt, then forgotten hour by hour.
 *
 * Data plane for groups with a key; forgetting is once an hour.
 *
 *     ['k', hash]        when the key was first received
 *     ['e', hour, …]     the keys received in an hour, so that they can be forgotten together
 */

import { Packr } from 'msgpackr';
import type { RecordGroup } from '../../bus/record/decoded-record.ts';
import { errors } from '../../model/errors.ts';
import { HOUR_MS, IDEMPOTENCY_KEY_MS } from '../../model/limits.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import type { DomainState } from './domain-state.ts';

const packr = new Packr({ useRecords: false });

/** Hours after which a list of keys is looked through: all of them are past their 24 hours. */
const KEY_HOURS_KEPT = IDEMPOTENCY_KEY_MS / HOUR_MS + 1;
/** Lists of keys forgotten per checkpoint, so that no checkpoint grows long. */
const KEY_LISTS_PER_CHECKPOINT = 16;

/** I-76: the first receipt decides for 24 hours; a repeat does not prolong them. */
export function isRepeated(domain: DomainState, group: RecordGroup): boolean {
  const firstMs = domain.idempotencyReceivedMs(group.idempotencyHash);
  if (firstMs !== undefined && group.receivedMs - firstMs < IDEMPOTENCY_KEY_MS) return true;
  domain.unsavedKeys.set(group.idempotencyHash, group.receivedMs);
  return false;
}

/** Within the transaction that saves a domain: its keys since the last save, and by the hour of receipt. */
export function saveKeys(environment: StateEnvironment, domain: DomainState): void {
  const byHour = new Map<number, string[]>();
  for (const [hash, receivedMs] of domain.unsavedKeys) {
    environment.put(['k', hash], packr.pack(receivedMs));
    const hour = Math.floor(receivedMs / HOUR_MS);
    const hashes = byHour.get(hour);
    if (hashes === undefined) byHour.set(hour, [hash]);
    else hashes.push(hash);
  }
  for (const [hour, hashes] of byHour) {
    environment.put(['e', hour, domain.domainId, domain.version], packr.pack(hashes));
  }
}

/**
 * Forgets idempotency keys whose 24 hours are over (I-76).
 *
 * @param nowMs wall clock; an hour of slack covers edges whose clocks differ.
 * @throws STATE_WRITE_FAILED when the disk refused; they are looked through again an hour later.
 */
export function forgetKeys(environment: StateEnvironment, nowMs: number): void {
  const endHour = Math.floor(nowMs / HOUR_MS) - KEY_HOURS_KEPT;
  const lists: { key: (string | number)[]; hashes: string[] }[] = [];
  for (const { key, value } of environment.range(['e', 0], ['e', endHour])) {
    lists.push({ key, hashes: packr.unpack(value) as string[] });
    if (lists.length === KEY_LISTS_PER_CHECKPOINT) break;
  }
  if (lists.length === 0) return;
  const forget = () => {
    for (const { key, hashes } of lists) {
      for (const hash of hashes) {
        const bytes = environment.get(['k', hash]);
        if (bytes === undefined) continue;
        if (nowMs - (packr.unpack(bytes) as number) < IDEMPOTENCY_KEY_MS) continue;
        environment.remove(['k', hash]);
      }
      environment.remove(key);
    }
  };
  try {
    environment.write(forget);
  } catch (cause) {
    throw errors.STATE_WRITE_FAILED({ reason: (cause as Error).message }, cause);
  }
}
