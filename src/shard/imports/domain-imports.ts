/**
 * What a domain has of other products (S-98): which imports, and what the log says of them that is not
 * saved yet.
 *
 * Control plane, per record of an import. The sums themselves are not kept in memory: they wait here,
 * packed, for the checkpoint that saves the position of their record, and are written in the order in
 * which they came. Everything follows from the records, so a replay comes to the same.
 */

import type { DomainId } from '../../model/ids.ts';
import {
  type ImportRecord,
  type ImportSummary,
  type StoredSum,
  SUM_DIMENSIONS,
  type SumDays,
  type SumDimension,
} from '../../model/imported-sum.ts';
import {
  packSums,
  removeSums,
  type StoredImport,
  type StoredImports,
  type SumColumns,
  type SumPlace,
  storedSums,
  unpackSums,
  writeImports,
  writeSums,
} from '../../segment/disk/imported-sums.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';

/** Something to be written, in the order of the records. */
type Change =
  | { readonly kind: 'put'; readonly place: SumPlace; readonly packed: Uint8Array }
  | ({ readonly kind: 'remove'; readonly importId: string } & SumDays);

/** Days of an import that are put or removed. */
const PLACE_BYTES = 128;

/** The imports of one domain. */
export class DomainImports {
  readonly #imports = new Map<string, StoredImport>();
  #revision: string;
  #changes: Change[] = [];
  #changeBytes = 0;
  #isChanged = false;

  /** @param stored null: it has none. */
  constructor(stored: StoredImports | null = null) {
    this.#revision = stored?.revision ?? '';
    for (const known of stored?.imports ?? []) this.#imports.set(known.id, known);
  }

  /** Whether it has none, neither shown nor on their way. */
  get isEmpty(): boolean {
    return this.#imports.size === 0;
  }

  /** From the first to the last day with sums that are shown (S-98); null: there are none. */
  get shownDays(): SumDays | null {
    return shownDaysOf([...this.#imports.values()]);
  }

  /** Bytes that wait to be saved. */
  get unsavedBytes(): number {
    return this.#changeBytes;
  }

  /** What it has of each import. */
  summaries(): ImportSummary[] {
    return [...this.#imports.values()].map(summaryOf);
  }

  /**
   * Carries out a record.
   *
   * @param revision names its place in the log.
   * @returns bytes that wait for a checkpoint because of it.
   */
  apply(record: ImportRecord, revision: string): number {
    const before = this.#changeBytes;
    this.#revision = revision;
    if (record.kind === 'add') this.#add(record.importId, record.batch, record.sums);
    else if (record.kind === 'show') this.#show(record.importId, record);
    else this.#takeBack(record.importId);
    return this.#changeBytes - before;
  }

  /** days of a calendar go, of all imports. @param revision as `apply` has it. */
  erase(days: SumDays, revision: string): void {
    this.#revision = revision;
    for (const { id, isShown, days: left } of this.#imports.values()) {
      this.#removeDays(id, days);
      // One that is on its way goes on.
      if (isShown && left.size === 0) this.#imports.delete(id);
    }
  }

  /** The sums that are shown, by day: those on disk, changed by what waits to be saved. */
  *shownSums(
    environment: StateEnvironment | null,
    domainId: DomainId,
    { fromDay, toDay }: SumDays,
  ): Generator<{ day: number; dimension: SumDimension; columns: SumColumns }> {
    const shown = [...this.#imports.values()].filter(({ isShown }) => isShown);
    const ids = new Set(shown.map(({ id }) => id));
    const days = new Set(shown.flatMap((one) => [...one.days.keys()]));
    for (const day of [...days].sort((one, other) => one - other)) {
      if (day < fromDay || day > toDay) continue;
      const changes = this.#changes.filter((change) => isOfDay(change, day));
      for (const dimension of SUM_DIMENSIONS) {
        const sums = sumsAt(environment, domainId, { dimension, day }, changes);
        for (const { place, packed } of sums) {
          if (ids.has(place.importId)) yield { day, dimension, columns: unpackSums(packed) };
        }
      }
    }
  }

  /** Within the transaction that saves the domain. */
  save(environment: StateEnvironment, domainId: DomainId): void {
    if (!this.#isChanged) return;
    for (const change of this.#changes) {
      if (change.kind === 'remove') removeSums(environment, domainId, change);
      else writeSums(environment, domainId, change.place, change.packed);
    }
    const imports = [...this.#imports.values()];
    writeImports(environment, domainId, { revision: this.#revision, imports });
  }

  /** What waited is stored. */
  markSaved(): void {
    this.#changes = [];
    this.#changeBytes = 0;
    this.#isChanged = false;
  }

  #add(id: string, batch: number, sums: readonly StoredSum[]): void {
    const known = this.#imports.get(id) ?? { id, batches: 0, isShown: false, days: new Map() };
    if (batch <= known.batches) return;
    this.#imports.set(id, known);
    known.batches = batch;
    for (const group of byPlace(sums)) {
      const { dimension, day } = group[0] as StoredSum;
      const packed = packSums(group);
      known.days.set(day, (known.days.get(day) ?? 0) + group.length);
      const place = { dimension, day, importId: id, batch };
      this.#note({ kind: 'put', place, packed }, packed.length);
    }
    this.#isChanged = true;
  }

  /** What comes twice changes nothing, and one without any sums shows that there are none. */
  #show(id: string, { fromDay, toDay }: SumDays): void {
    for (const other of [...this.#imports.keys()]) {
      if (other !== id) this.#removeDays(other, { fromDay, toDay });
    }
    const own = this.#imports.get(id);
    if (own !== undefined) {
      const never = Number.MAX_SAFE_INTEGER;
      this.#removeDays(id, { fromDay: -never, toDay: fromDay - 1 });
      this.#removeDays(id, { fromDay: toDay + 1, toDay: never });
      own.isShown = true;
    }
    for (const { id: other, isShown, days } of this.#imports.values()) {
      if (isShown && days.size === 0) this.#imports.delete(other);
    }
    this.#isChanged = true;
  }

  #takeBack(id: string): void {
    const known = this.#imports.get(id);
    if (known === undefined) return;
    const never = Number.MAX_SAFE_INTEGER;
    this.#removeDays(id, { fromDay: -never, toDay: never });
    this.#imports.delete(id);
    this.#isChanged = true;
  }

  #removeDays(importId: string, { fromDay, toDay }: SumDays): void {
    const known = this.#imports.get(importId);
    const days = [...(known?.days.keys() ?? [])].filter((day) => day >= fromDay && day <= toDay);
    if (known === undefined || days.length === 0) return;
    for (const day of days) known.days.delete(day);
    const span = spanOf(days);
    this.#note({ kind: 'remove', importId, ...span }, 0);
    this.#isChanged = true;
  }

  #note(change: Change, bytes: number): void {
    this.#changes.push(change);
    this.#changeBytes += bytes + PLACE_BYTES;
  }
}

function isOfDay(change: Change, day: number): boolean {
  if (change.kind === 'put') return change.place.day === day;
  return day >= change.fromDay && day <= change.toDay;
}

interface PackedSums {
  readonly place: SumPlace;
  readonly packed: Uint8Array;
}

/** The sums of a day and dimension with some changes of that day. */
function sumsAt(
  environment: StateEnvironment | null,
  domainId: DomainId,
  { dimension, day }: Pick<SumPlace, 'dimension' | 'day'>,
  changes: readonly Change[],
): Iterable<PackedSums> {
  const days = { fromDay: day, toDay: day };
  const stored = environment === null ? [] : storedSums(environment, domainId, dimension, days);
  if (changes.length === 0) return stored;
  const sums = new Map<string, PackedSums>();
  // Bytes of the store stand for a moment only.
  for (const { place, packed } of stored)
    sums.set(nameOf(place), { place, packed: packed.slice() });
  for (const change of changes) {
    if (change.kind === 'put') {
      if (change.place.dimension === dimension) sums.set(nameOf(change.place), change);
      continue;
    }
    for (const [name, { place }] of sums) if (place.importId === change.importId) sums.delete(name);
  }
  return sums.values();
}

function nameOf({ importId, batch }: SumPlace): string {
  return `${importId} ${batch}`;
}

/** Sums by dimension and day. */
function byPlace(sums: readonly StoredSum[]): Iterable<readonly StoredSum[]> {
  const groups = new Map<string, StoredSum[]>();
  for (const sum of sums) {
    const key = `${sum.dimension} ${sum.day}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [sum]);
    else group.push(sum);
  }
  return groups.values();
}

/** From the first to the last day with sums that are shown, of some imports; null: there are none. */
export function shownDaysOf(imports: readonly StoredImport[]): SumDays | null {
  const shown = imports.filter(({ isShown }) => isShown).flatMap(({ days }) => [...days.keys()]);
  return shown.length === 0 ? null : spanOf(shown);
}

/** What is told of an import. */
export function summaryOf({ id, isShown, days }: StoredImport): ImportSummary {
  let sums = 0;
  for (const count of days.values()) sums += count;
  const span = days.size === 0 ? null : spanOf([...days.keys()]);
  return { importId: id, isShown, sums, days: span };
}

function spanOf(days: readonly number[]): SumDays {
  return days.reduce(
    ({ fromDay, toDay }, day) => ({ fromDay: Math.min(fromDay, day), toDay: Math.max(toDay, day) }),
    { fromDay: Number.POSITIVE_INFINITY, toDay: Number.NEGATIVE_INFINITY },
  );
}
