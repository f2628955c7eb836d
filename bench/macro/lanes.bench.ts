/**
 * What the split of a domain brings and costs: processor time per hit of the base thread, of each
 * lane's thread and of all together, for one busy domain that was never split and in lanes.
 *
 * Control plane. Real lane threads; log and edge are left out. What one domain can take is decided by
 * its busiest thread, so the hits that a core's worth of that thread applies are the figure to compare.
 * All actors live through the whole run and get the same records in turn.
 */
import { collectGarbage } from '../../src/base/heap.ts';
import type { Hit } from '../../src/model/hit.ts';
import { DAY_MS } from '../../src/model/limits.ts';
import type { Figure } from '../harness/figures.ts';
import { LanedActor, type LanedAnswer, type Records, recordsOf } from '../harness/laned-actor.ts';
import { type MacroContext, macro } from '../harness/macro.ts';
import { hasProcessFigures, residentBytes } from '../harness/process-cpu.ts';
import { spreadOf } from '../harness/samples.ts';
import { temporaryDataDir } from '../harness/service.ts';
import { Visits } from '../harness/visits.ts';

const SIZE = {
  smoke: { windowHits: 500, rounds: 1, dayViews: 2_000 },
  normal: { windowHits: 50_000, rounds: 3, dayViews: 200_000 },
  full: { windowHits: 50_000, rounds: 10, dayViews: 1_000_000 },
} as const;
const LANES = [1, 2, 4] as const;
const HITS_PER_RECORD = [100, 36] as const;
/** Shares of a window that follow a split, one after the other. */
const AFTER_SPLIT = [0.01, 0.09, 0.9] as const;
const DAY = Math.floor(Date.UTC(2026, 5, 30) / DAY_MS);
const MILLION = 1_000_000;
const MB = 1_048_576;

/** By round. */
type Series = { busiest: number[]; base: number[]; lane: number[]; whole: number[] };

macro('macro/lanes', async (context) => {
  if (!hasProcessFigures) return [];
  const size = SIZE[context.isSmoke ? 'smoke' : context.isFull ? 'full' : 'normal'];
  const figures: Figure[] = [];
  for (const perRecord of HITS_PER_RECORD) {
    figures.push(...(await compareLanes(context, { perRecord, ...size })));
  }
  figures.push(...(await splitLargeDay(context, size)));
  return figures;
});

/** The visits of one day, made into so many hits. */
function hitsOf(seed: number, hits: number): Hit[] {
  // Events come on top of page views, and the day of the week has its weight: there are enough.
  const viewsPerDay = Math.ceil(hits * 1.1);
  const visits = new Visits({ seed, viewsPerDay, firstDay: DAY, hostname: 'example.org' });
  return visits.day(DAY).slice(0, hits);
}

async function compareLanes(
  { seed, tell }: MacroContext,
  size: { perRecord: number; windowHits: number; rounds: number },
): Promise<Figure[]> {
  const { perRecord, windowHits, rounds } = size;
  const hits = hitsOf(seed, windowHits * (rounds + 1));
  const windows: Records[] = [];
  for (let at = 0; at < hits.length; at += windowHits) {
    windows.push(recordsOf(hits.slice(at, at + windowHits), perRecord));
  }
  hits.length = 0;
  collectGarbage();
  const sides = LANES.map((lanes) => {
    const series: Series = { busiest: [], base: [], lane: [], whole: [] };
    return { lanes, actor: new LanedActor(temporaryDataDir()), series };
  });
  for (const { lanes, actor } of sides) if (lanes > 1) await actor.split([1, lanes]);
  for (const [round, records] of windows.entries()) {
    // Nobody is always first.
    const turn = round % sides.length;
    for (const { actor, series } of [...sides.slice(turn), ...sides.slice(0, turn)]) {
      const answer = await actor.feed(records);
      if (round > 0) note(series, answer, records.hits);
    }
  }
  for (const { actor } of sides) await actor.close();
  const unsplit = sides[0]!.series;
  const group = `One busy domain in lanes, ${perRecord} hits a record (the actor and its lanes)`;
  return sides.flatMap(({ lanes, series }) => {
    const { busiest } = series;
    tell(
      `  ${perRecord} a record, lanes ${lanes}: busiest ${spreadOf(busiest).median.toFixed(2)} µs`,
    );
    return linesOf(group, lanes, series, unsplit);
  });
}

function note({ busiest, base, lane, whole }: Series, answer: LanedAnswer, hits: number): void {
  const { baseUs, lanesUs, wholeUs } = answer;
  busiest.push(Math.max(baseUs, ...lanesUs) / hits);
  base.push(baseUs / hits);
  if (lanesUs.length > 0) lane.push(Math.max(...lanesUs) / hits);
  whole.push(wholeUs / hits);
}

function linesOf(group: string, lanes: number, own: Series, unsplit: Series): Figure[] {
  const name = lanes === 1 ? 'never split' : `${lanes} lanes`;
  const line = (what: string, unit: string, now: number[], before: number[]): Figure => {
    const figure = { group, name: `${name}: ${what}`, unit, value: spreadOf(now) };
    if (lanes === 1) return figure;
    const ratio = spreadOf(now.map((value, round) => value / before[round]!));
    return { ...figure, baseline: spreadOf(before), ratio };
  };
  const rates = (costs: number[]) => costs.map((microseconds) => MILLION / microseconds);
  const perHit = 'µs per hit';
  return [
    line(
      'hits that a core of the busiest thread takes',
      'hits/s',
      rates(own.busiest),
      rates(unsplit.busiest),
    ),
    line('CPU of the base thread', perHit, own.base, unsplit.base),
    ...(lanes === 1 ? [] : [line('CPU of the busiest lane', perHit, own.lane, unsplit.base)]),
    line('CPU of all threads', perHit, own.whole, unsplit.whole),
  ];
}

/** A large day is split over four lanes: how long the actor stands still, and what the first hits cost. */
async function splitLargeDay(
  { seed }: MacroContext,
  { dayViews, windowHits }: { dayViews: number; windowHits: number },
): Promise<Figure[]> {
  const lanes = LANES.at(-1) as number;
  const hits = hitsOf(seed, dayViews + windowHits);
  const filling = hits.splice(0, dayViews);
  const last = filling.splice(-windowHits);
  const actor = new LanedActor(temporaryDataDir());
  await actor.feed(recordsOf(filling, HITS_PER_RECORD[0]));
  const before = threadsUs(await actor.feed(recordsOf(last, HITS_PER_RECORD[0]))) / last.length;
  const residentBefore = residentBytes(process.pid);
  const change = await actor.split([1, lanes]);
  const group = `A day of ${dayViews.toLocaleString('en-US')} hits is split over ${lanes} lanes`;
  const figure = (name: string, unit: string, value: number): Figure => {
    return { group, name, unit, value: spreadOf([value]) };
  };
  const figures = [
    figure('the actor stands still', 'ms', change.tookMs),
    figure('CPU of the change', 'ms', threadsUs(change) / 1_000),
  ];
  for (const share of AFTER_SPLIT) {
    const some = hits.splice(0, Math.ceil(windowHits * share));
    const cost = threadsUs(await actor.feed(recordsOf(some, HITS_PER_RECORD[0]))) / some.length;
    figures.push({
      ...figure(`CPU of the next ${some.length.toLocaleString('en-US')} hits`, 'µs per hit', cost),
      ...{ baseline: spreadOf([before]), ratio: spreadOf([cost / before]) },
    });
  }
  const grown = (residentBytes(process.pid) - residentBefore) / MB;
  figures.push(figure('resident memory that came with a lane', 'MB', grown / (lanes - 1)));
  await actor.close();
  return figures;
}

/** Of base and lanes; compiler and collector, which new threads keep busy, are left out. */
function threadsUs({ baseUs, lanesUs }: LanedAnswer): number {
  return lanesUs.reduce((sum, us) => sum + us, baseUs);
}
