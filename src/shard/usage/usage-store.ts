/**
 * The sums of what domains used, in their shard's environment: out of reach of deletions (S-99).
 *
 * Control plane, within the transactions of checkpoints. Snapshots take them along with what belongs
 * to no segment (`snapshot/snapshot-parts.ts`), so they move with the shard.
 *
 *     ['u', domain]          when the first row is (M-17); its being there says that sums are kept
 *     ['v', domain, month]   five numbers a day: UTC day, page views, events, keep-alives, and how many
 *                            of the page views came of an event that opened a session. In front -5: an
 *                            earlier build wrote four, without the last, and nothing in front.
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
const NUMBERS_PER_DAY = 5;
const FIRST_NUMBERS_PER_DAY = 4;
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
    environment.put(key, packr.pack([-NUMBERS_PER_DAY, ...sums]));
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
  eachDay(environment, domainId, { span, unsaved }, (_, { views, events, keepAlives }) => {
    sum.views += views;
    sum.events += events;
    sum.keepAlives += keepAlives;
  });
  return sum;
}

/** Tells what was counted of each day, by and by: a day may come twice. */
export function eachDay(
  environment: StateEnvironment | null,
  domainId: DomainId,
  { span: { fromDay, toDay }, unsaved }: { span: DaySpan; unsaved: UsageCounts | null },
  tell: (day: number, counts: DayUsage) => void,
): void {
  const first = monthKey(domainId, monthOf(fromDay));
  const end = monthKey(domainId, monthOf(toDay) + 1);
  for (const { value } of environment?.range(first, end) ?? []) {
    const days = readDays(value);
    for (let at = 0; at < days.length; at += NUMBERS_PER_DAY) {
      const [day, views, events, keepAlives, openings] = days.slice(at) as DayNumbers;
      if (day >= fromDay && day <= toDay) tell(day, { views, events, keepAlives, openings });
    }
  }
  for (const [day, counts] of unsaved?.days ?? []) {
    if (day >= fromDay && day <= toDay) tell(day, counts);
  }
}

/** Tells what is stored of every day of every domain. */
export function eachStoredDay(
  environment: StateEnvironment,
  tell: (counts: DayUsage) => void,
): void {
  for (const { value } of environment.range(['v'], ['w'])) {
    const days = readDays(value);
    for (let at = 0; at < days.length; at += NUMBERS_PER_DAY) {
      const [, views, events, keepAlives, openings] = days.slice(at) as DayNumbers;
      tell({ views, events, keepAlives, openings });
    }
  }
}

type DayNumbers = [number, number, number, number, number];

function readDays(bytes: Uint8Array | undefined): number[] {
  if (bytes === undefined) return [];
  const [first, ...rest] = packr.unpack(bytes) as [number, ...number[]];
  if (first < 0) return rest;
  const days: number[] = [];
  const stored = [first, ...rest];
  for (let at = 0; at < stored.length; at += FIRST_NUMBERS_PER_DAY) {
    days.push(...stored.slice(at, at + FIRST_NUMBERS_PER_DAY), 0);
  }
  return days;
}

function add(sums: number[], day: number, counts: DayUsage): void {
  const { views, events, keepAlives, openings } = counts;
  for (let at = 0; at < sums.length; at += NUMBERS_PER_DAY) {
    if (sums[at] !== day) continue;
    sums[at + 1]! += views;
    sums[at + 2]! += events;
    sums[at + 3]! += keepAlives;
    sums[at + 4]! += openings;
    return;
  }
  sums.push(day, views, events, keepAlives, openings);
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
