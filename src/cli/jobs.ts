/**
 * `footfall jobs`: what the service does by itself, when it last did and next will, and what failed.
 *
 * Control plane. Changes nothing, and may be run beside the service.
 */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { JobState } from '../jobs/job.ts';
import { errors } from '../model/errors.ts';
import { SECOND_MS } from '../model/limits.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withSharedFlags, writeTable } from './output.ts';

const RUNNING = 'Times are UTC, as of a few seconds ago.';
const STOPPED = 'No service runs on this data directory: this is how it was when it ended.';
const NOTHING = '-';

/** Adds the command to the program. */
export function registerJobs(program: Command): void {
  withSharedFlags(program.command('jobs'))
    .description('tell what the service does by itself: last run, next run, failures of each job')
    .action(tellJobs);
}

/** @throws DATA_DIR_UNUSABLE. */
async function tellJobs(flags: SharedFlags): Promise<void> {
  const { dataDir } = givenSettings({ dataDir: flags.dataDir });
  // Loaded here: the other commands need none of it.
  const { tryLockDataDir } = await import('../runtime/directory/data-dir-lock.ts');
  const { readJobBoard } = await import('../runtime/telemetry/job-board.ts');
  const { JOBS } = await import('../jobs/job-table.ts');
  if (!existsSync(dataDir)) {
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: 'there is no such directory' });
  }
  const lock = tryLockDataDir(dataDir);
  lock?.release();
  const isRunning = lock === null;
  const states = readJobBoard(dataDir);
  const rows = JOBS.map((job) => {
    const known = states.find(({ name }) => name === job.name);
    return rowOf({ ...NEVER, ...known, ...job }, isRunning);
  });
  if (flags.json === true) {
    const result = { data_dir: dataDir, is_running: isRunning, jobs: rows };
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  const shown = rows.map(({ duty: _, took_ms: __, last_fault_time: ___, ...row }) => ({
    ...row,
    last_run: row.last_run ?? NOTHING,
    next_run: row.next_run ?? NOTHING,
    last_fault: row.last_fault || NOTHING,
  }));
  writeTable(shown, { json: false, name: 'jobs' });
  process.stderr.write(`${isRunning ? RUNNING : STOPPED}\n`);
}

/** A job that no start of this directory has known yet. */
const NEVER = {
  ...{ lastRunMs: null, lastTookMs: 0, runs: 0, failures: 0, lastFault: '', lastFaultMs: null },
  ...{ isHere: false, nextRunMs: 0 },
};

function rowOf(state: Omit<JobState, 'open'>, isRunning: boolean) {
  const { name, duty, periodMs, lease, isHere, lastTookMs, runs, failures, lastFault } = state;
  const isDue = isRunning && isHere && state.nextRunMs > 0;
  return {
    ...{ name, duty, period: `${periodMs / SECOND_MS} s`, lease },
    // Of several nodes this one does it.
    is_here: isRunning && isHere,
    last_run: textOf(state.lastRunMs),
    took_ms: lastTookMs,
    next_run: isDue ? textOf(state.nextRunMs) : null,
    ...{ runs, failures, last_fault: lastFault, last_fault_time: textOf(state.lastFaultMs) },
  };
}

function textOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
