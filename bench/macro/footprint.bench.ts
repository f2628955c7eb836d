/**
 * Bytes per page view and per session: in memory of a day that is open, on disk while it is and at
 * rest, everything in the directory included.
 *
 * Control plane. Through the actor in this process. Memory is what the garbage collector cannot give
 * back, heap and buffers, before and after; dictionaries count against the budget although the
 * requirement leaves them out. At rest is the directory of `filled-directory.ts`, with the realistic
 * cardinalities of `visits.ts`.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DAY_MS } from '../../src/model/limits.ts';
import { folderBytes } from '../harness/disk.ts';
import type { Figure } from '../harness/figures.ts';
import { fillDirectory } from '../harness/filled-directory.ts';
import { macro } from '../harness/macro.ts';
import { MeasuredActor } from '../harness/measured-actor.ts';
import { VISIT_VIEWS } from '../harness/pool.ts';
import { spreadOf } from '../harness/samples.ts';
import { temporaryDataDir } from '../harness/service.ts';

const SIZE = {
  smoke: { openViews: 3_000, views: 3_000, days: 2 },
  normal: { openViews: 600_000, views: 600_000, days: 6 },
  full: { openViews: 3_000_000, views: 2_000_000, days: 18 },
} as const;
const HITS_PER_SECOND = 10_000;
const SESSION_BYTES_MAX = 120;
const VIEW_BYTES_MAX = 24;
const DISK_BYTES_MAX = 20;

macro('macro/footprint', async ({ seed, isSmoke, isFull, tell }) => {
  const size = SIZE[isSmoke ? 'smoke' : isFull ? 'full' : 'normal'];
  const openDir = temporaryDataDir();
  const actor = new MeasuredActor(openDir, seed);
  const before = keptBytes();
  const plan = { hits: size.openViews, domains: ['open'], hitsPerSecond: HITS_PER_SECOND };
  await actor.apply(plan);
  const memory = keptBytes() - before;
  const openDisk = folderBytes(openDir);
  await actor.close();
  tell(`  open day: ${(memory / size.openViews).toFixed(1)} bytes of memory per view`);
  const restDir = temporaryDataDir();
  const lastDay = Math.floor(Date.now() / DAY_MS) - 1;
  await fillDirectory(restDir, { views: size.views, days: size.days, seed, lastDay });
  const restDisk = folderBytes(restDir);
  tell(`  at rest: ${(restDisk / size.views).toFixed(1)} bytes on disk per view`);
  const views = size.openViews.toLocaleString('en-US');
  const open = `An open day of ${views} page views, three a session`;
  const budget = size.openViews * (VIEW_BYTES_MAX + SESSION_BYTES_MAX / VISIT_VIEWS);
  const rest = `At rest, ${size.days} days of ${(size.views / size.days).toFixed(0)} page views`;
  return [
    {
      ...line(open, 'memory per page view', memory / size.openViews),
      baseline: spreadOf([budget / size.openViews]),
      ratio: spreadOf([memory / budget]),
      ...{ target: { of: 'ratio', atMost: 1 }, requirement: 'memory' },
    },
    line(open, 'memory per session', (memory / size.openViews) * VISIT_VIEWS),
    line(open, 'disk per page view', openDisk / size.openViews),
    line(open, 'disk per session', (openDisk / size.openViews) * VISIT_VIEWS),
    {
      ...line(rest, 'disk per page view', restDisk / size.views),
      ...{ target: { of: 'value', atMost: DISK_BYTES_MAX }, requirement: 'disk' },
    },
    line(rest, 'disk per session', (restDisk / size.views) * VISIT_VIEWS),
  ];
});

function line(group: string, name: string, bytes: number): Figure {
  return { group, name, unit: 'bytes', value: spreadOf([bytes]) };
}

/** Heap and buffers that are still in use, after the garbage has gone. */
function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
