/**
 * What a job is: a row of the table (`job-table.ts`), done again and again by `job-runner.ts`.
 *
 * Control plane.
 */
import type { Registry } from '../control/registry/registry.ts';
import type { ExportPlan } from '../exports/export-segments.ts';
import type { Manifest } from '../exports/manifest.ts';
import type { ImportLog, ReadStage } from '../imports/job/import-run.ts';
import type { Erasure } from '../model/erasure.ts';
import type { DomainId } from '../model/ids.ts';
import type { JobName } from '../model/job-names.ts';
import type { CrowdLook } from '../model/pulse.ts';
import type { LastHit } from '../model/usage.ts';
import type { SiteNumbers } from './site-numbers.ts';

/**
 * Who does it, where several nodes share a registry: the node that owns the first shard; for each domain
 * the node that owns its shard; or all of them, for themselves.
 *
 * A lease of a shard is granted by the cluster's board and counted by the monotonic clock of its node,
 * so it does not matter how far clocks differ. It keeps nodes from doing the same work. That nothing is
 * done twice even where one ends in the middle is for the function to see to: it decides by what stands
 * in the registry, in the change that writes down that it is done.
 */
export type JobLease = 'first shard' | 'shard of each domain' | 'none';

/** What jobs work on. */
export interface JobContext {
  readonly registry: Registry;
  readonly numbers: SiteNumbers;
  /** Whether this node owns the shard of a domain at this moment. */
  readonly owns: (domainId: DomainId) => boolean;
  /** Which of these domains may have so many visitors; of shards that this node owns. */
  readonly crowds: (looks: readonly CrowdLook[]) => Promise<readonly DomainId[]>;
  /** When hits of domains were last stored; rejects when somebody cannot say now. */
  readonly lastHits: (domainIds: readonly DomainId[]) => Promise<ReadonlyMap<DomainId, LastHit>>;
  /**
   * For how long, in milliseconds, this node has known of all others, and no hits have waited in the
   * spool of any: then `lastHits` knows of all that were taken. Infinite where there is no cluster.
   */
  readonly settledMs: () => number;
  /** Which of these domains have rows from before an instant, or anything imported (P-21). */
  readonly haveBefore: (firsts: ReadonlyMap<DomainId, number>) => Promise<ReadonlySet<DomainId>>;
  /** Days that the installation keeps (P-21); 0: all. */
  readonly retentionDays: number;
  /** As `HitsPort` of the endpoints has it. */
  readonly submitErasure: (erasure: Erasure, done: (error: Error | null) => void) => void;
  readonly imports: ImportParts;
  readonly exports: ExportParts;
  /** The wall clock: milliseconds since the epoch. */
  readonly nowMs: () => number;
}

/** What imports need beside. */
export interface ImportParts {
  /** Where uploads are. */
  readonly dataDir: string;
  /** Reads a source, where nothing that it does to the reader matters to anybody else. */
  readonly read: ReadStage;
  /** Whether visitors of an import are told apart by a key that goes with it (P-22). */
  readonly hasOwnKeys: boolean;
  readonly log: ImportLog;
  /** Bytes of the log that are not counted yet. */
  readonly backlogBytes: () => number;
  /** When the first row of a domain is, of everything acknowledged so far; null without rows. */
  readonly firstRowMs: (domainId: DomainId) => Promise<number | null>;
  /** Whether the service stops: what takes long ends where it can go on. */
  readonly isStopping: () => boolean;
}

/** What exports need beside. */
export interface ExportParts {
  /** Where their files go. */
  readonly dataDir: string;
  /** What the files of this data directory are known by among those of other nodes. */
  readonly place: string;
  /**
   * Writes the files of an export, of everything acknowledged so far.
   *
   * @param directory is not there.
   * @returns null: it was stopped, and nothing is left of it. Rejects with what keeps it from being
   *   written.
   */
  readonly write: (
    plan: ExportPlan,
    directory: string,
    watch: WriteWatch,
  ) => Promise<Manifest | null>;
  /** Whether the service stops: what is written is begun anew by the next start. */
  readonly isStopping: () => boolean;
}

/** Asked and told while files are written. */
export interface WriteWatch {
  readonly isStopped: () => boolean;
  /** Rows that are written so far. */
  readonly onRows: (rows: number) => Promise<void>;
}

/**
 * One turn of a job. Rejects when it failed: it is told in the log, and the next turn tries again.
 */
export type JobTurn = () => Promise<void>;

/** A row of the table. */
export interface Job {
  readonly name: JobName;
  /** What it is for, in a line. */
  readonly duty: string;
  /** From the begin of a turn to that of the next; one that takes longer leaves turns out. */
  readonly periodMs: number;
  readonly lease: JobLease;
  /** Prepares it. @returns what does a turn; it keeps what it needs between two of them. */
  open(context: JobContext): JobTurn;
}

/** How a job has gone so far: what `footfall jobs` shows. Times are of the wall clock. */
export interface JobState {
  readonly name: string;
  readonly duty: string;
  readonly periodMs: number;
  readonly lease: JobLease;
  /** False: another node has the lease. */
  readonly isHere: boolean;
  /** When its last turn here began; null: there was none. */
  readonly lastRunMs: number | null;
  readonly lastTookMs: number;
  readonly nextRunMs: number;
  readonly runs: number;
  readonly failures: number;
  /** What the last failure was; '' without one. */
  readonly lastFault: string;
  readonly lastFaultMs: number | null;
}
