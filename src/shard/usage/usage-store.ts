/**
 * The sums of what domains used, in their shard's environment: out of reach of deletions (S-99).
 *
 * Control plane, within the transactions of checkpoints. Snapshots take them along with what belongs
 * to no segment (`snapshot/snapshot-parts.ts`), so they move with the shard.
 *
 *     ['u', domain]          when the first row is (M-17); its being there says that sums are kept
 *     ['v', domain, month]   four numbers a day: UTC day, page views, events, keep-alives
 *
 * A month is one value, because a value takes as much room as a key: a year of a domain is twelve.
 */

import { Packr } from 'msgpackr';
import type { DomainId } from '../../model/ids.ts';
import { DAY_MS } from '../../model/limits.ts';
import type { DaySpan, Usage } from '../../model/usage.ts';
import type { StateEnvironment, StateKey } from '../../store/state-environment.ts';
import type { DayUsage, UsageCounts } from './usage-counts.ts';

/** Numbers of a day in a month's value. */
const NUMBERS_PER_DAY = 4;
const MONTHS_PER_YEAR = 12;

const packr = new Packr({ useRecords: false });

/** Instant of a domain's first row as it is stored; undefined: no sums are kept of it yet. */
export function storedFirstRowMs(
  environment: StateEnvironment,
  domainId: DomainId,
): number | undefined {
  const bytes = environment.get(firstKey(domainId));
  return bytes === undefined ? undefined : (packr.unpack(bytes) as number);
}

/** Within the transaction that saves a domain: adds what was counted since its last save. */
export function saveUsage(
  environment: StateEnvironment,
  domainId: DomainId,
  usage: UsageCounts,
): void {
  if (!usage.isUnsaved) return;
  const months = new Map<number, [number, DayUsage][]>();
  for (const entry of usage.days) {
    const month = monthOf(entry[0]);
    const days = months.get(month);
    if (days === undefined) months.set(month, [entry]);
    else days.push(entry);
  }
  for (const [month, days] of months) {
    const key = monthKey(domainId, month);
    const sums = readDays(environment.get(key));
    for (const [day, counts] of days) add(sums, day, counts);
    environment.put(key, packr.pack(sums));
  }
  environment.put(firstKey(domainId), packr.pack(usage.firstRowMs));
}

/**
 * What a domain used from one UTC day to another, both included.
 *
 * @param unsaved what is counted and not stored; null: nothing.
 */
export function usageOf(
  environment: StateEnvironment | null,
  domainId: DomainId,
  span: DaySpan,
  unsaved: UsageCounts | null,
): Usage {
  const sum = { views: 0, events: 0, keepAlives: 0 };
  const { fromDay, toDay } = span;
  const first = monthKey(domainId, monthOf(fromDay));
  const end = monthKey(domainId, monthOf(toDay) + 1);
  for (const { value } of environment?.range(first, end) ?? []) {
    const days = readDays(value);
    for (let at = 0; at < days.length; at += NUMBERS_PER_DAY) {
      if (days[at]! < fromDay || days[at]! > toDay) continue;
      sum.views += days[at + 1]!;
      sum.events += days[at + 2]!;
      sum.keepAlives += days[at + 3]!;
    }
  }
  for (const [day, { views, events, keepAlives }] of unsaved?.days ?? []) {
    if (day < fromDay || day > toDay) continue;
    sum.views += views;
    sum.events += events;
    sum.keepAlives += keepAlives;
  }
  return sum;
}

function readDays(bytes: Uint8Array | undefined): number[] {
  return bytes === undefined ? [] : (packr.unpack(bytes) as number[]);
}

function add(sums: number[], day: number, { views, events, keepAlives }: DayUsage): void {
  for (let at = 0; at < sums.length; at += NUMBERS_PER_DAY) {
    if (sums[at] !== day) continue;
    sums[at + 1]! += views;
    sums[at + 2]! += events;
    sums[at + 3]! += keepAlives;
    return;
  }
  sums.push(day, views, events, keepAlives);
}

function firstKey(domainId: DomainId): StateKey {
  return ['u', domainId];
}

function monthKey(domainId: DomainId, month: number): StateKey {
  return ['v', domainId, month];
}

/** Months since 1970-01 of a UTC day. */
function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1_970) * MONTHS_PER_YEAR + date.getUTCMonth();
}
