/**
 * `footfall export` of millions of page views, format by format, and of their sessions alone, which have
 * the most columns: rows a second of processor time, and what the process holds at most.
 *
 * Control plane. The command is run as an operator runs it, so its start is in the figures.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DAY_MS } from '../../src/model/limits.ts';
import { fillDirectory } from '../harness/data/filled-directory.ts';
import { macro } from '../harness/macro.ts';
import type { Figure } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';

const VIEWS = { smoke: 2_000, normal: 1_000_000, full: 5_000_000 } as const;
const DAYS = 45;
const EXPORTS = [
  { format: 'parquet', what: 'all' },
  { format: 'parquet', what: 'sessions' },
  { format: 'csv', what: 'all' },
  { format: 'ndjson', what: 'all' },
] as const;
type Wish = (typeof EXPORTS)[number];
const PARQUET_ROWS_MIN = 500_000;
const ROUNDS_MAX = 3;
const PROGRAM = new URL('../../src/main.js', import.meta.url).pathname;

/** Told by the process itself at its end: processor time, and the most that was resident. */
const METER =
  'data:text/javascript,process.on("exit",()=>{const u=process.resourceUsage();' +
  'process.stderr.write(JSON.stringify({us:u.userCPUTime+u.systemCPUTime,kb:u.maxRSS}))})';

const run = promisify(execFile);

/** One export. */
interface Exported {
  readonly rows: number;
  readonly seconds: number;
  readonly residentMb: number;
  readonly bytes: number;
}

macro('macro/exports', async ({ seed, isSmoke, isFull, rounds, tell }) => {
  const own = mkdtempSync(join(tmpdir(), 'footfall-exports-'));
  try {
    const dataDir = join(own, 'data');
    const { domainId } = await fillDirectory(dataDir, {
      ...{ seed, views: VIEWS[isSmoke ? 'smoke' : isFull ? 'full' : 'normal'], days: DAYS },
      ...{ lastDay: Math.floor(Date.now() / DAY_MS) - 1, isWide: false },
    });
    const figures: Figure[] = [];
    for (const wish of EXPORTS) {
      const samples: Exported[] = [];
      for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++) {
        samples.push(await exported({ dataDir, id: domainId, out: join(own, `${round}`) }, wish));
      }
      tell(
        `  ${wish.format}, ${wish.what}: ${samples.map(({ seconds }) => seconds.toFixed(2)).join(', ')} s`,
      );
      figures.push(...report(wish, samples));
    }
    return figures;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
});

async function exported(
  { dataDir, id, out }: { dataDir: string; id: string; out: string },
  { format, what }: Wish,
): Promise<Exported> {
  const place = ['--data-dir', dataDir, '--id', id, '--out', out];
  const flags = ['export', ...place, '--format', format, '--what', what];
  const { stdout, stderr } = await run(process.execPath, [
    ...['--import', METER, PROGRAM, ...flags, '--json'],
  ]);
  rmSync(out, { recursive: true });
  const { rows, bytes } = JSON.parse(stdout) as { rows: number; bytes: number };
  const { us, kb } = JSON.parse(stderr.slice(stderr.lastIndexOf('{'))) as {
    us: number;
    kb: number;
  };
  return { rows, bytes, seconds: us / 1e6, residentMb: kb / 1_024 };
}

function report({ format, what }: Wish, samples: readonly Exported[]): Figure[] {
  const group = `Export of ${((samples[0]?.rows ?? 0) / 1e6).toFixed(1)} million rows, ${what}, ${format}`;
  const speed: Figure = {
    ...{ group, name: 'rows a second of one core', unit: '1/s' },
    value: spreadOf(samples.map(({ rows, seconds }) => rows / seconds)),
  };
  const line = (name: string, unit: string, values: number[]): Figure => ({
    ...{ group, name, unit, value: spreadOf(values) },
  });
  return [
    format === 'parquet' ? { ...speed, target: { of: 'value', atLeast: PARQUET_ROWS_MIN } } : speed,
    line(
      'resident at most, the command with all',
      'MB',
      samples.map(({ residentMb }) => residentMb),
    ),
    line(
      'bytes a row',
      'bytes',
      samples.map(({ rows, bytes }) => bytes / rows),
    ),
  ];
}
