/**
 * What all sources of `macro/imports` are made of: visits, their sums, and files in large pieces.
 *
 * Control plane. The sums are counted by nothing that reads the files.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { DAY_MS } from '../../../src/model/limits.ts';

/** What a source adds up to. */
export interface SourceSums {
  visitors: number;
  sessions: number;
  views: number;
  /** Page views by path. */
  readonly pages: Map<string, number>;
}

/** A source on the disk. */
export interface MadeSource {
  /** Of its files. */
  readonly rows: number;
  /** As a job counts them: of our own export a session with all of its rows is one. */
  readonly counted: number;
  readonly sums: SourceSums;
}

/** What a source is made of. */
export interface SourceExtent {
  /** About as many. */
  readonly rows: number;
  readonly seed: number;
}

/** Days of every source; the last one is long before the native ones. */
export const SOURCE_DAYS = 100;
export const SOURCE_FIRST_MS = Date.UTC(2026, 0, 1);
export const VIEWS_PER_VISIT = 3;
export const PATHS = 50;
const PIECE_LENGTH = 1 << 20;

/** One of the page views of a visit. */
export interface View {
  readonly visit: number;
  /** 0 to 2, in its visit. */
  readonly index: number;
  readonly atMs: number;
  readonly path: string;
}

/** The page views of a visit; it ends before its day does, so that a visitor is one of that day. */
export function viewsOf(visit: number, seed: number): View[] {
  const dayMs = SOURCE_FIRST_MS + (visit % SOURCE_DAYS) * DAY_MS;
  const startMs = dayMs + (noise(visit, seed) % 80_000) * 1_000;
  return Array.from({ length: VIEWS_PER_VISIT }, (_, index) => {
    const path = `/page-${noise(visit * VIEWS_PER_VISIT + index, seed) % PATHS}`;
    return { visit, index, path, atMs: startMs + index * 20_000 };
  });
}

/** Counts a visit of these. */
export function countVisit(sums: SourceSums, views: readonly View[]): void {
  sums.visitors++;
  sums.sessions++;
  sums.views += views.length;
  for (const { path } of views) sums.pages.set(path, (sums.pages.get(path) ?? 0) + 1);
}

/** The sums of a source without rows. */
export function noSums(): SourceSums {
  return { visitors: 0, sessions: 0, views: 0, pages: new Map() };
}

/** A time as most products write it. */
export function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** A number of 24 bits that looks like any other. */
export function noise(number: number, seed: number): number {
  return Math.imul(Math.imul(number + 1, 2_654_435_761) ^ seed, 2_246_822_519) >>> 8;
}

/** Writes a file in large pieces. */
export class Lines {
  readonly #file: number;
  readonly #hash = createHash('sha256');
  #text = '';
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE_LENGTH) this.#flush();
  }

  /** @returns what a manifest says of it. */
  close(): { bytes: number; sha256: string } {
    this.#flush();
    closeSync(this.#file);
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  #flush(): void {
    const piece = Buffer.from(this.#text);
    writeSync(this.#file, piece);
    this.#hash.update(piece);
    this.#bytes += piece.length;
    this.#text = '';
  }
}
