/**
 * The sums of what was dropped, in their shard's environment: out of reach of deletions, as what was
 * stored is (`usage-store.ts`).
 *
 * Control plane, within the transactions of checkpoints.
 *
 *     ['l', domain, day]     of a UTC day: reason, name of the program, count; reason, name, count; …
 *
 * A day is a value of its own, since names make it some hundred bytes long. Snapshots take it along with
 * the days of their segments (`snapshot/snapshot-parts.ts`).
 */

import { Packr } from 'msgpackr';
import type { DomainId } from '../../model/ids.ts';
import type { DaySpan } from '../../model/usage.ts';
import type { StateEnvironment, StateKey } from '../../store/state-environment.ts';
import { DaySums, type DropCounts } from './drop-counts.ts';

/** Values of a sum. */
const VALUES_PER_SUM = 3;

const packr = new Packr({ useRecords: false });

/** Within the transaction that saves a domain: adds what was dropped since its last save. */
export function saveDrops(
  environment: StateEnvironment,
  domainId: DomainId,
  drops: DropCounts,
): void {
  for (const [day, counted] of drops.days) {
    const key = dayKey(domainId, day);
    const sums = new DaySums();
    addStored(sums, environment.get(key));
    addCounted(sums, counted);
    const values = [...sums.values()].flatMap(({ reason, bot, count }) => [reason, bot, count]);
    environment.put(key, packr.pack(values));
  }
}

/**
 * What was dropped from one UTC day to another, both included; only days with something.
 *
 * @param unsaved what is counted and not stored; null: nothing.
 */
export function dropsOf(
  environment: StateEnvironment | null,
  domainId: DomainId,
  { span: { fromDay, toDay }, unsaved }: { span: DaySpan; unsaved: DropCounts | null },
): Map<number, DaySums> {
  const days = new Map<number, DaySums>();
  const sumsOf = (day: number): DaySums => {
    const sums = days.get(day) ?? new DaySums();
    days.set(day, sums);
    return sums;
  };
  const [first, end] = [dayKey(domainId, fromDay), dayKey(domainId, toDay + 1)];
  for (const { key, value } of environment?.range(first, end) ?? []) {
    addStored(sumsOf(Number(key[2])), value);
  }
  for (const [day, counted] of unsaved?.days ?? []) {
    if (day >= fromDay && day <= toDay) addCounted(sumsOf(day), counted);
  }
  return days;
}

/** Tells every sum that is stored of any domain. */
export function eachStoredDrop(
  environment: StateEnvironment,
  tell: (reason: number, count: number) => void,
): void {
  for (const { value } of environment.range(['l'], ['m'])) {
    const values = packr.unpack(value) as (number | string)[];
    for (let at = 0; at < values.length; at += VALUES_PER_SUM) {
      tell(Number(values[at]), Number(values[at + 2]));
    }
  }
}

function addStored(sums: DaySums, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) return;
  const values = packr.unpack(bytes) as (number | string)[];
  for (let at = 0; at < values.length; at += VALUES_PER_SUM) {
    sums.of(Number(values[at]), String(values[at + 1])).count += Number(values[at + 2]);
  }
}

function addCounted(sums: DaySums, counted: DaySums): void {
  for (const { reason, bot, count } of counted.values()) sums.of(reason, bot).count += count;
}

function dayKey(domainId: DomainId, day: number): StateKey {
  return ['l', domainId, day];
}
