/**
 * Does the turns of jobs, and keeps how they went.
 *
 * Control plane. Turns of one job never overlap; jobs do not wait for each other. Periods are
 * counted by the monotonic clock: a wall clock that is set neither holds a job up nor hurries it.
 * What is due by the wall clock a job reads from the registry.
 */
import { monotonicMs } from '../base/clock.ts';
import { setSharedInterval } from '../base/shared-interval.ts';
import { NO_LEASE, type ShardId, shardIds } from '../model/ids.ts';
import { SECOND_MS } from '../model/limits.ts';
import { jobNumber } from '../model/metric-labels.ts';
import { metrics } from '../model/metrics.ts';
import type { Job, JobContext, JobState, JobTurn } from './job.ts';

/** What it needs beside the table. */
export interface JobRunnerOptions {
  /** Whether this node has any lease that the row asks for (`mayRun`). */
  readonly mayRun: (job: Job) => boolean;
  /** What is known of jobs from the time before this process. */
  readonly before: readonly JobState[];
  readonly onFault: (job: string, error: unknown) => void;
}

/** A job that runs. */
interface Running {
  readonly job: Job;
  readonly turn: JobTurn;
  state: JobState;
  readonly end: () => void;
  under: Promise<void> | null;
}

/** The jobs of one node, from now until `stop`. */
export class JobRunner {
  readonly #context: JobContext;
  readonly #options: JobRunnerOptions;
  readonly #running: readonly Running[];

  /** Every job has its first turn at once. */
  constructor(jobs: readonly Job[], context: JobContext, options: JobRunnerOptions) {
    this.#context = context;
    this.#options = options;
    const nowMs = context.nowMs();
    this.#running = jobs.map((job) => {
      const running: Running = {
        ...{ job, turn: job.open(context), state: this.#firstState(job, nowMs) },
        ...{ under: null, end: setSharedInterval(() => this.#take(running), job.periodMs) },
      };
      return running;
    });
    for (const running of this.#running) this.#take(running);
  }

  /** In the order of the table. */
  states(): readonly JobState[] {
    return this.#running.map(({ state }) => state);
  }

  /** Begins no further turn, and waits for those under way. */
  async stop(): Promise<void> {
    for (const { end } of this.#running) end();
    await Promise.all(this.#running.map(({ under }) => under));
  }

  #take(running: Running): void {
    const { job, turn, under } = running;
    const { registry, nowMs } = this.#context;
    const isHere = this.#options.mayRun(job);
    const startMs = nowMs();
    running.state = { ...running.state, isHere, nextRunMs: startMs + job.periodMs };
    if (!isHere || under !== null) return;
    registry.keepUp();
    const fromMs = monotonicMs();
    const end = (failed: Partial<JobState>) => {
      const lastTookMs = Math.round(monotonicMs() - fromMs);
      const number = jobNumber(job.name);
      const isDone = failed.lastFaultMs === undefined;
      metrics.jobTurns.add(1, number, isDone ? 0 : 1);
      metrics.jobTookSeconds.set(lastTookMs / SECOND_MS, number);
      if (isDone) metrics.jobSuccessSeconds.set(nowMs() / SECOND_MS, number);
      const runs = running.state.runs + 1;
      running.state = { ...running.state, ...failed, runs, lastRunMs: startMs, lastTookMs };
    };
    running.under = turn()
      .then(
        () => end({}),
        (error: unknown) => {
          const failures = running.state.failures + 1;
          end({ failures, lastFault: textOf(error), lastFaultMs: nowMs() });
          this.#options.onFault(job.name, error);
        },
      )
      .finally(() => {
        running.under = null;
      });
  }

  #firstState({ name, duty, periodMs, lease }: Job, nowMs: number): JobState {
    const known = this.#options.before.find((one) => one.name === name);
    return {
      ...{ lastRunMs: null, lastTookMs: 0, runs: 0, failures: 0, lastFault: '', lastFaultMs: null },
      ...known,
      ...{ name, duty, periodMs, lease, isHere: false, nextRunMs: nowMs },
    };
  }
}

/** Whether a node has what a job needs. @param epochOf of the leases that it holds; 0: none. */
export function mayRun(
  { lease }: Job,
  { shards, epochOf }: { readonly shards: number; readonly epochOf: (shard: ShardId) => number },
): boolean {
  if (lease === 'none') return true;
  const held = shardIds(shards);
  if (lease === 'first shard') return epochOf(held[0] as ShardId) !== NO_LEASE;
  return held.some((shard) => epochOf(shard) !== NO_LEASE);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
