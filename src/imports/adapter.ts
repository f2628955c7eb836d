/**
 * What reads the export files of another product: one adapter a format.
 *
 * An adapter turns files into batches of single hits or of daily sums, in the order of the files, the
 * same each time they are read: a job that goes on after a kill counts rows. It knows nothing of jobs,
 * of the log and of the domain; it throws an {@link ImportFault} at the first damaged row.
 */

import type { Readable } from 'node:stream';
import type { Hit } from '../model/hit.ts';
import type { SumDimension } from '../model/imported-sum.ts';

/** Where in the source a row stands: what an error names. */
export interface Place {
  /** Name of the file; of a part of an archive its name inside. */
  readonly file: string;
  /** From 1; of a table that has a line of names, the first row stands on line 2. */
  readonly line: number;
}

/** A single hit of the source. What is undefined is unknown. */
export interface ImportedHit {
  readonly kind: 'view' | 'event';
  /** Instant, milliseconds since the epoch, UTC. */
  readonly at: number;
  /** The source's id of the visitor, or whatever tells visitors apart; it is kept as a keyed hash only. */
  readonly visitor: string;
  readonly hostname?: string | undefined;
  readonly path: string;
  readonly title?: string | undefined;
  /** URL or hostname as the source has it. */
  readonly referrer?: string | undefined;
  /** ISO 639-1, or an `Accept-Language` that begins with it. */
  readonly language?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  readonly region?: string | undefined;
  readonly city?: string | undefined;
  readonly browser?: string | undefined;
  readonly browserVersion?: string | undefined;
  readonly os?: string | undefined;
  readonly osVersion?: string | undefined;
  readonly device?: 'desktop' | 'mobile' | 'tablet' | undefined;
  /** CSS pixels. */
  readonly screenWidth?: number | undefined;
  /** Where the source has it, browser, system and device are read from it; it is never kept. */
  readonly userAgent?: string | undefined;
  /** IP address of the visitor, where the source has it: the place is looked up; it is never kept. */
  readonly address?: string | undefined;
  readonly utmSource?: string | undefined;
  readonly utmMedium?: string | undefined;
  readonly utmCampaign?: string | undefined;
  readonly utmContent?: string | undefined;
  readonly utmTerm?: string | undefined;
  /** Of events. */
  readonly eventName?: string | undefined;
  /** Seconds. */
  readonly eventDuration?: number | undefined;
  readonly eventMeta?: Readonly<Record<string, string>> | undefined;
  /** Of views. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly place: Place;
}

/** A sum of the source: one day, one value of one dimension. */
export interface ImportedSum {
  /** YYYY-MM-DD in the source's zone. */
  readonly date: string;
  readonly dimension: SumDimension;
  readonly value: string;
  /** Of a region or a city: ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  readonly visitors: number;
  readonly views: number;
  readonly sessions: number;
  readonly bounces: number;
  /** Summed duration of the sessions. */
  readonly seconds?: number | undefined;
  /** Of several tables by one dimension that stand beside each other, which one; else it is left out. */
  readonly table?: string | undefined;
  readonly place: Place;
}

/**
 * A session of an export of our own with all of its rows (P-10). Nothing is decided about it anew: its
 * hits go into one group of the log, as they are and in this order (`model/stored-rows.ts`).
 */
export interface ImportedSession {
  readonly kind: 'session';
  /** Its start, milliseconds since the epoch, UTC. */
  readonly at: number;
  /** The session, then its views and events. */
  readonly hits: readonly Hit[];
  readonly place: Place;
}

/** What an adapter gives: single hits, daily sums, or sessions and behind them sums (P-10). */
export type ImportedRow = ImportedHit | ImportedSum | ImportedSession;

/** A file of the source: an upload, a local file, a part of an archive or of a folder. */
export interface SourceFile {
  /** With `/` between folders. */
  readonly name: string;
  readonly bytes: number;
  /** Where it lies as it is, for formats that are read from their end; of a packed one nothing. */
  readonly path?: string;
  open(): Promise<Readable>;
}

/** What an adapter sees of a file to say whether it is one of its own. */
export interface SourceSample {
  readonly name: string;
  /** The first bytes, up to 4 KiB, as text. */
  readonly head: string;
}

/** What is asked of a source. */
export interface ReadOptions {
  /** Of the domain: an IANA name. What a source has without a zone is of this one. */
  readonly timezone: string;
  /** Days, both included: rows outside may be left out by the adapter, and are by the job. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** One format of another product. */
export interface Adapter {
  /** As the command and the API name it: lower case, `-` between words. */
  readonly name: string;
  /** As people call the product. */
  readonly title: string;
  readonly gives: 'hits' | 'sums' | 'sessions';
  /** Files of it may hold addresses or user agents of visitors (P-22). */
  readonly isPersonal: boolean;
  /** Whether these are files of this format; files that say nothing to it are no hindrance. */
  recognises(files: readonly SourceSample[]): boolean;
  /** The rows in batches of about a thousand. */
  read(files: readonly SourceFile[], options: ReadOptions): AsyncIterable<readonly ImportedRow[]>;
}

/** An import that would fail the next time as well: what is to be told of it. */
export class ImportRefusal extends Error {}

/** A source that cannot be imported as it is: which file, which line, and what was expected there. */
export class ImportFault extends ImportRefusal {
  readonly place: Place;

  constructor(place: Place, expected: string, found?: string) {
    const instead = found === undefined ? '' : `, found ${JSON.stringify(found.slice(0, 200))}`;
    super(`${place.file}, line ${place.line}: expected ${expected}${instead}`);
    this.name = 'ImportFault';
    this.place = place;
  }
}
