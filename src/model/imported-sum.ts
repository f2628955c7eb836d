/**
 * Statistics that another product counted: sums by day and value, as the log and the state have them
 * (S-98). Plain data.
 *
 * An import adds its sums in batches, and shows them at once when all are there: until then nobody sees
 * any of them. Batches are numbered, so that one that comes twice counts once.
 *
 *     add 1 ─ add 2 ─ … ─ add n ─▶ show: what other imports have of these days goes
 *                             └──▶ take back: as if there had been none
 */

import type { DomainId } from './ids.ts';
import {
  AGENT_FIELD_LENGTH_MAX,
  DAY_MS,
  LANGUAGE_LENGTH_MAX,
  PATH_LENGTH_MAX,
  PLACE_NAME_LENGTH_MAX,
  REFERRER_LENGTH_MAX,
  SUM_BATCH_BYTES_MAX,
  SUM_BATCH_COUNT_MAX,
  UTM_LENGTH_MAX,
} from './limits.ts';

/**
 * What a sum is counted by; `total` is the day as a whole, with the value ''. Positions are numbers on
 * disk: they are permanent, and a new one is added at the end.
 */
export const SUM_DIMENSIONS = [
  'total',
  'page',
  'entry',
  'exit',
  'referrer',
  'language',
  'country',
  'region',
  'city',
  'browser',
  'os',
  'device',
  'utm_source',
  'utm_medium',
  'utm_campaign',
] as const;

/** The most that one sum may have of anything. */
export const SUM_COUNT_MAX = 2 ** 40;

export type SumDimension = (typeof SUM_DIMENSIONS)[number];

/** What is summed (S-98), and the seconds that sessions lasted. */
export interface SumCounts {
  readonly visitors: number;
  readonly views: number;
  readonly sessions: number;
  readonly bounces: number;
  readonly seconds: number;
}

/** One day, one value of one dimension. */
export interface StoredSum extends SumCounts {
  /** Of a calendar: days since 1970-01-01. A source's day has no zone that matters here. */
  readonly day: number;
  readonly dimension: SumDimension;
  /** Cut as the same text of a hit is (I-7). */
  readonly value: string;
  /** Of a region or a city; else ''. */
  readonly country: string;
}

/** A sum as a source has it. */
export type SourceSum = Omit<StoredSum, 'day' | 'country' | 'seconds'> & {
  readonly date: string;
  readonly country?: string | undefined;
  readonly seconds?: number | undefined;
};

/** Days since 1970-01-01, both included. */
export interface SumDays {
  readonly fromDay: number;
  readonly toDay: number;
}

/** What the log says of an import. */
export type ImportRecord = {
  readonly domainId: DomainId;
  /** Letters, digits, `-` and `_`, at most 64. */
  readonly importId: string;
} & (
  | {
      readonly kind: 'add';
      /** From 1 on; one that is not above the last that was applied is passed over. */
      readonly batch: number;
      /** Of one of `batchesOfSums`. */
      readonly sums: readonly StoredSum[];
    }
  /** What it added is shown; what other imports have of these days is gone. */
  | ({ readonly kind: 'show' } & SumDays)
  | { readonly kind: 'take-back' }
);

/** What a domain has of an import. */
export interface ImportSummary {
  readonly importId: string;
  readonly isShown: boolean;
  /** Sums, and their first and last day; 0 and null where all were deleted. */
  readonly sums: number;
  readonly days: SumDays | null;
}

/** What is asked about the imports of a domain; answered by a list of `ImportSummary`. */
export interface ImportsQuestion {
  readonly kind: 'imports';
  readonly domainIds: readonly [DomainId];
}

/** Code points that are kept of a value. */
const VALUE_LENGTHS: Readonly<Record<SumDimension, number>> = {
  total: 0,
  page: PATH_LENGTH_MAX,
  entry: PATH_LENGTH_MAX,
  exit: PATH_LENGTH_MAX,
  referrer: REFERRER_LENGTH_MAX,
  language: LANGUAGE_LENGTH_MAX,
  country: LANGUAGE_LENGTH_MAX,
  region: PLACE_NAME_LENGTH_MAX,
  city: PLACE_NAME_LENGTH_MAX,
  browser: AGENT_FIELD_LENGTH_MAX,
  os: AGENT_FIELD_LENGTH_MAX,
  device: AGENT_FIELD_LENGTH_MAX,
  utm_source: UTM_LENGTH_MAX,
  utm_medium: UTM_LENGTH_MAX,
  utm_campaign: UTM_LENGTH_MAX,
};

/** A code, or what begins with one: `en-GB`. */
const CODE = /^([a-z]{2})(?:$|[-_])/;
/** Numbers and what JSON puts around a sum; and a unit of text when all of it has to be escaped. */
const BYTES_PER_SUM = 96;
const BYTES_PER_UNIT = 6;

/** A source's sum as it is stored: texts cut, codes in lower case, counts whole and not negative. */
export function storedSum(sum: SourceSum): StoredSum {
  const { dimension } = sum;
  const isCode = dimension === 'language' || dimension === 'country';
  const value = isCode ? codeIn(sum.value) : cut(sum.value, dimension);
  const isPlace = dimension === 'region' || dimension === 'city';
  return {
    day: Math.floor(Date.parse(`${sum.date}T00:00:00Z`) / DAY_MS),
    dimension,
    value,
    // S-52: an unknown place is one place.
    country: isPlace && value !== '' ? codeIn(sum.country ?? '') : '',
    visitors: count(sum.visitors),
    views: count(sum.views),
    sessions: count(sum.sessions),
    bounces: count(sum.bounces),
    seconds: count(sum.seconds ?? 0),
  };
}

/** Sums in portions that one record takes each, always the same ones for the same sums. */
export function batchesOfSums(sums: readonly StoredSum[]): StoredSum[][] {
  const batches: StoredSum[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const sum of sums) {
    const more = bytesOfSum(sum);
    if (bytes + more > SUM_BATCH_BYTES_MAX || batches.at(-1)?.length === SUM_BATCH_COUNT_MAX) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(sum);
    bytes += more;
  }
  return batches;
}

/** No fewer bytes than a sum takes in a record. */
export function bytesOfSum({ value }: StoredSum): number {
  return BYTES_PER_SUM + value.length * BYTES_PER_UNIT;
}

function count(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(Math.round(value), 0), SUM_COUNT_MAX) : 0;
}

function codeIn(text: string): string {
  return CODE.exec(text.toLowerCase())?.[1] ?? '';
}

function cut(value: string, dimension: SumDimension): string {
  const lengthMax = VALUE_LENGTHS[dimension];
  if (value.length <= lengthMax) return value;
  return Array.from(value).slice(0, lengthMax).join('');
}
