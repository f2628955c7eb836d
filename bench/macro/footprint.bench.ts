/**
 * What is kept: bytes on disk per page view, log and registry included; bytes in memory of an open
 * day per page view, with its indexes and without its texts; and how fast a day is open again.
 *
 * Control plane. Three page views per session and as many texts as `harness/data/visits.ts` makes; on
 * disk counts what the files take there.
 */

import { assert } from '../../src/base/assert.ts';
import { asDomainId, asShardId } from '../../src/model/ids.ts';
import { DAY_MS } from '../../src/model/limits.ts';
import { loadSegment } from '../../src/segment/disk/persistence.ts';
import { readHeader } from '../../src/segment/disk/segment-header.ts';
import { OpenSegment } from '../../src/segment/open/open-segment.ts';
import { shardStatePath } from '../../src/store/state-directories.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';
import { type FilledDirectory, fillDirectory } from '../harness/data/filled-directory.ts';
import { macro } from '../harness/macro.ts';
import { folderBytes } from '../harness/report/disk.ts';
import type { Figure, Target } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { temporaryDataDir } from '../harness/service.ts';

const SIZE = {
  smoke: { views: 3_000, days: 3 },
  // Days of the size that ten million page views in ninety days have.
  full: { views: 1_000_000, days: 9 },
} as const;
const LAST_DAY = Date.UTC(2026, 5, 30) / DAY_MS;
const DISK_BYTES_PER_VIEW_MAX = 26;
const SESSION_BYTES_MAX = 120;
const VIEW_BYTES_MAX = 24;

macro('macro/footprint', async ({ seed, isSmoke, tell }) => {
  const size = isSmoke ? SIZE.smoke : SIZE.full;
  tell(`  filling a data directory with ${size.views} page views of ${size.days} days`);
  const dataDir = temporaryDataDir();
  const filled = await fillDirectory(dataDir, { seed, lastDay: LAST_DAY, ...size });
  const state = shardStatePath(dataDir, asShardId(filled.shard));
  const environment = new StateEnvironment(state);
  try {
    // Everything: state, log and registry.
    const disk = folderBytes(dataDir);
    return figuresOf(environment, filled, { disk, views: size.views, days: size.days });
  } finally {
    await environment.close();
  }
});

function figuresOf(
  environment: StateEnvironment,
  { domainId }: FilledDirectory,
  total: { disk: number; views: number; days: number },
): Figure[] {
  const header = readHeader(environment, asDomainId(domainId), LAST_DAY);
  assert(header !== null, 'the last day was saved');
  const startMs = performance.now();
  const stored = loadSegment(environment, asDomainId(domainId), LAST_DAY, header);
  const open = new OpenSegment(asDomainId(domainId), LAST_DAY, stored);
  const openMs = performance.now() - startMs;
  const { segment } = open;
  const views = segment.views.rowCount;
  const sessionsPerView = segment.sessions.rowCount / views;
  const budget = Math.round(SESSION_BYTES_MAX * sessionsPerView + VIEW_BYTES_MAX);
  // Tables and indexes.
  const kept = segment.bytes - segment.dictionary.bytes + open.indexBytes;
  const group = `What is kept of ${total.views} page views in ${total.days} days`;
  const figure = (name: string, unit: string, value: number, target?: Target): Figure => ({
    group,
    name,
    unit,
    value: spreadOf([value]),
    ...(target === undefined ? {} : { target }),
  });
  const bytes = 'bytes per page view';
  return [
    {
      ...figure('data directory', bytes, total.disk / total.views, {
        ...{ of: 'value', atMost: DISK_BYTES_PER_VIEW_MAX },
      }),
      requirement: 'disk-small',
    },
    {
      ...figure('an open day in memory', bytes, kept / views, {
        ...{ of: 'ratio', atMost: 1 },
      }),
      ...{ baseline: spreadOf([budget]), ratio: spreadOf([kept / views / budget]) },
      requirement: 'memory',
    },
    figure('its sessions', 'bytes per session', segment.sessions.bytes / segment.sessions.rowCount),
    figure('its views', bytes, segment.views.bytes / views),
    figure('its indexes', bytes, open.indexBytes / views),
    figure('texts of an open day in memory', bytes, segment.dictionary.bytes / views),
    figure('a day is open again', 'µs per thousand page views', (openMs * 1e6) / views),
  ];
}
