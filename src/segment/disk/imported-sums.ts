/**
 * Sums of other products (S-98) in their shard's environment, beside the segments.
 *
 * Control plane. The actor writes them with its checkpoints (`shard/imports/domain-imports.ts`), query
 * threads read them in the snapshot of their question.
 *
 *     ['g', domain]                                 which imports there are, and their sums by day
 *     ['i', domain, dimension, day, import, batch]  the sums that a batch has of a day, in columns
 *
 * A question reads one dimension, so its days lie side by side. A value is written once and never
 * changed: what it holds follows from its batch alone.
 */

import { Packr } from 'msgpackr';
import { assert } from '../../base/assert.ts';
import type { DomainId } from '../../model/ids.ts';
import {
  type StoredSum,
  SUM_DIMENSIONS,
  type SumDays,
  type SumDimension,
} from '../../model/imported-sum.ts';
import type { StateEnvironment, StateKey } from '../../store/state-environment.ts';

const FORMAT = 1;
const packr = new Packr({ useRecords: false });

/** An import as it is stored. */
export interface StoredImport {
  readonly id: string;
  /** The last batch that was applied. */
  batches: number;
  isShown: boolean;
  /** Its sums by day. */
  readonly days: Map<number, number>;
}

/** What is stored of a domain's imports beside the sums. */
export interface StoredImports {
  /** Place of the last record about them: the same place, the same sums. */
  readonly revision: string;
  readonly imports: readonly StoredImport[];
}

/** The sums of one day, dimension and batch: column by column. */
export interface SumColumns {
  readonly values: readonly string[];
  /** Empty where no value has a country. */
  readonly countries: readonly string[];
  readonly visitors: readonly number[];
  readonly views: readonly number[];
  readonly sessions: readonly number[];
  readonly bounces: readonly number[];
  readonly seconds: readonly number[];
}

type PackedColumns = readonly [
  ...[values: string[], countries: string[], visitors: number[], views: number[]],
  ...[sessions: number[], bounces: number[], seconds: number[]],
];

type PackedImport = readonly [id: string, batches: number, isShown: boolean, days: number[]];

interface PackedImports {
  readonly format: number;
  readonly revision: string;
  readonly imports: readonly PackedImport[];
}

/** The imports of a domain; null when it has none. */
export function readImports(
  environment: StateEnvironment,
  domainId: DomainId,
): StoredImports | null {
  const bytes = environment.view(headKey(domainId));
  if (bytes === undefined) return null;
  const { format, revision, imports } = packr.unpack(bytes) as PackedImports;
  assert(format === FORMAT, 'the imports have a known format');
  return {
    revision,
    imports: imports.map(([id, batches, isShown, numbers]) => {
      const days = new Map<number, number>();
      for (let at = 0; at < numbers.length; at += 2) days.set(numbers[at]!, numbers[at + 1]!);
      return { id, batches, isShown, days };
    }),
  };
}

/** Inside a write transaction; without imports nothing is left. */
export function writeImports(
  environment: StateEnvironment,
  domainId: DomainId,
  { revision, imports }: StoredImports,
): void {
  if (imports.length === 0) {
    environment.remove(headKey(domainId));
    return;
  }
  const packed = imports.map(
    ({ id, batches, isShown, days }): PackedImport => [id, batches, isShown, [...days].flat()],
  );
  const all: PackedImports = { format: FORMAT, revision, imports: packed };
  environment.put(headKey(domainId), packr.pack(all));
}

/** The sums of one day and dimension as they are stored. */
export function packSums(sums: readonly StoredSum[]): Uint8Array {
  const countries = sums.map(({ country }) => country);
  const packed: PackedColumns = [
    sums.map(({ value }) => value),
    countries.some((country) => country !== '') ? countries : [],
    sums.map(({ visitors }) => visitors),
    sums.map(({ views }) => views),
    sums.map(({ sessions }) => sessions),
    sums.map(({ bounces }) => bounces),
    sums.map(({ seconds }) => seconds),
  ];
  return packr.pack(packed);
}

/** The sums that `packSums` packed. */
export function unpackSums(packed: Uint8Array): SumColumns {
  const unpacked = packr.unpack(packed) as PackedColumns;
  const [values, countries, visitors, views, sessions, bounces, seconds] = unpacked;
  return { values, countries, visitors, views, sessions, bounces, seconds };
}

/** Where the sums of a batch are. */
export interface SumPlace {
  readonly dimension: SumDimension;
  readonly day: number;
  readonly importId: string;
  readonly batch: number;
}

/** Inside a write transaction. */
export function writeSums(
  environment: StateEnvironment,
  domainId: DomainId,
  { dimension, day, importId, batch }: SumPlace,
  packed: Uint8Array,
): void {
  environment.put([...daysKey(domainId, dimension, day), importId, batch], packed);
}

/** Removes what an import has of some days. Inside a write transaction. */
export function removeSums(
  environment: StateEnvironment,
  domainId: DomainId,
  { importId, fromDay, toDay }: SumDays & { readonly importId: string },
): void {
  for (const dimension of SUM_DIMENSIONS) {
    const [start, end] = [
      daysKey(domainId, dimension, fromDay),
      daysKey(domainId, dimension, toDay + 1),
    ];
    for (const key of environment.keys(start, end)) {
      if (key[4] === importId) environment.remove(key);
    }
  }
}

/** What a domain has of other products, for one question: as of the reader's moment. */
export class ImportedSums {
  /** Tells states of the sums apart. */
  readonly state: string;
  /** Instant of the domain's first own row: from its day on nothing of imports is shown. */
  readonly firstRowMs: number;
  readonly #environment: StateEnvironment;
  readonly #domainId: DomainId;
  readonly #shown: ReadonlySet<string>;

  constructor(
    environment: StateEnvironment,
    domainId: DomainId,
    of: { stored: StoredImports; firstRowMs: number | null; epoch: number },
  ) {
    const { stored, firstRowMs, epoch } = of;
    this.#environment = environment;
    this.#domainId = domainId;
    this.#shown = new Set(stored.imports.filter(({ isShown }) => isShown).map(({ id }) => id));
    this.state = `${domainId} ${epoch} ${stored.revision}`;
    this.firstRowMs = firstRowMs ?? Number.POSITIVE_INFINITY;
  }

  /** The sums by a dimension, batch by batch; a value may come several times. */
  *read(dimension: SumDimension, days: SumDays): Iterable<{ day: number; columns: SumColumns }> {
    for (const { place, packed } of storedSums(
      this.#environment,
      this.#domainId,
      dimension,
      days,
    )) {
      if (this.#shown.has(place.importId)) yield { day: place.day, columns: unpackSums(packed) };
    }
  }
}

/** What is stored of some days, shown or not; the bytes stand until the next is asked for. */
export function* storedSums(
  environment: StateEnvironment,
  domainId: DomainId,
  dimension: SumDimension,
  { fromDay, toDay }: SumDays,
): Iterable<{ readonly place: SumPlace; readonly packed: Uint8Array }> {
  const start = daysKey(domainId, dimension, fromDay);
  const end = daysKey(domainId, dimension, toDay + 1);
  for (const { key, value: packed } of environment.range(start, end)) {
    const [day, importId, batch] = [Number(key[3]), String(key[4]), Number(key[5])];
    yield { place: { dimension, day, importId, batch }, packed };
  }
}

function headKey(domainId: DomainId): StateKey {
  return ['g', domainId];
}

function daysKey(domainId: DomainId, dimension: SumDimension, day: number): StateKey {
  return ['i', domainId, SUM_DIMENSIONS.indexOf(dimension), day];
}
