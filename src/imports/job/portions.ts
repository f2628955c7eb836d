/** What is staged, in portions that one record of the log takes: the same ones each time. */
import type { Hit } from '../../model/hit.ts';
import { IMPORTED_HITS_PER_RECORD } from '../../model/import-limits.ts';
import { bytesOfSum, type StoredSum } from '../../model/imported-sum.ts';
import { SUM_BATCH_BYTES_MAX, SUM_BATCH_COUNT_MAX } from '../../model/limits.ts';
import { type PackedHit, unpackHit } from './native-hits.ts';

/** What the stage gives back. */
export type StagedRows = Iterable<{ readonly key: string | number; readonly row: unknown }>;

/** The hits of a row of the source: one, or those of a session. */
export type StagedHits = readonly PackedHit[];

/** One portion; numbers begin with 1. */
interface Portion {
  readonly number: number;
  /** Rows of the source that it is made of. */
  readonly rows: number;
}

/** Hits in order of time; what belongs to one row stays together. */
export function* portionsOfHits(rows: StagedRows): Generator<Portion & { hits: Hit[] }> {
  let number = 1;
  let hits: Hit[] = [];
  let count = 0;
  for (const { row } of rows) {
    for (const packed of row as StagedHits) hits.push(unpackHit(packed));
    count++;
    if (hits.length < IMPORTED_HITS_PER_RECORD) continue;
    yield { number, hits, rows: count };
    number++;
    hits = [];
    count = 0;
  }
  if (hits.length > 0) yield { number, hits, rows: count };
}

/** Sums in order; those of one day and value are one. */
export function* portionsOfSums(rows: StagedRows): Generator<Portion & { sums: StoredSum[] }> {
  let number = 1;
  let sums: StoredSum[] = [];
  let bytes = 0;
  let count = 0;
  for (const { sum, rows: of } of addedUp(rows)) {
    const more = bytesOfSum(sum);
    if (bytes + more > SUM_BATCH_BYTES_MAX || sums.length === SUM_BATCH_COUNT_MAX) {
      yield { number, sums, rows: count };
      number++;
      sums = [];
      bytes = 0;
      count = 0;
    }
    sums.push(sum);
    bytes += more;
    count += of;
  }
  if (sums.length > 0) yield { number, sums, rows: count };
}

function* addedUp(rows: StagedRows): Generator<{ sum: StoredSum; rows: number }> {
  let key: string | number = '';
  let sum: StoredSum | null = null;
  let count = 0;
  for (const next of rows) {
    const other = next.row as StoredSum;
    if (sum !== null && next.key === key) {
      sum = added(sum, other);
      count++;
      continue;
    }
    if (sum !== null) yield { sum, rows: count };
    key = next.key;
    sum = other;
    count = 1;
  }
  if (sum !== null) yield { sum, rows: count };
}

function added(left: StoredSum, right: StoredSum): StoredSum {
  return {
    ...left,
    visitors: left.visitors + right.visitors,
    views: left.views + right.views,
    sessions: left.sessions + right.sessions,
    bounces: left.bounces + right.bounces,
    seconds: left.seconds + right.seconds,
  };
}
