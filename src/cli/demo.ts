/**
 * The command `footfall demo`: the service with simulated visitors and a live view.
 *
 * Control plane. Everything that happens is in `demo/`; here are the options, Ctrl-C and the exit
 * status: 0 when the statistics say what was acknowledged, else 1.
 */
import { join } from 'node:path';
import type { Command } from 'commander';
import { ServiceChild } from '../demo/child.ts';
import { runDemo } from '../demo/run.ts';
import { packageRoot } from '../settings/package-root.ts';
import { whole } from './arguments.ts';

const SECONDS_MAX = 86_400;
const SEED_MAX = 0xffff_ffff;
const PEAK_PER_SECOND_MAX = 20_000;
const DAYS_MAX = 365;
const VISITS_PER_DAY_MAX = 1_000_000;

/** Adds the command `demo` to the program. */
export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('run the service with simulated visitors and a live view, on temporary data')
    .option('--seconds <n>', 'end after this many seconds', whole(1, SECONDS_MAX))
    .option('--seed <n>', 'another seed, other visitors', whole(0, SEED_MAX), 42)
    .option('--rate <n>', 'requests a second at peak', whole(1, PEAK_PER_SECOND_MAX), 400)
    .option('--days <n>', 'days of past to begin with', whole(0, DAYS_MAX), 7)
    .option('--visits <n>', 'visits of a past day', whole(0, VISITS_PER_DAY_MAX), 3_000)
    .action(async (given: DemoFlags) => {
      process.exitCode = await demo(given);
    });
}

interface DemoFlags {
  seconds?: number;
  seed: number;
  rate: number;
  days: number;
  visits: number;
}

async function demo(given: DemoFlags): Promise<number> {
  const service = new ServiceChild(join(packageRoot(), 'dist/src/main.js'));
  const end = new AbortController();
  const interrupt = () => {
    if (end.signal.aborted) process.exit(1);
    end.abort();
  };
  const stopAtOnce = () => service.stopAtOnce();
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  process.on('exit', stopAtOnce);
  try {
    const isExact = await runDemo(
      service,
      {
        seconds: given.seconds ?? Number.POSITIVE_INFINITY,
        seed: given.seed,
        peakPerSecond: given.rate,
        days: given.days,
        visitsPerDay: given.visits,
      },
      { out: process.stdout, signal: end.signal },
    );
    return isExact ? 0 : 1;
  } finally {
    await service.stop();
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    process.off('exit', stopAtOnce);
  }
}
