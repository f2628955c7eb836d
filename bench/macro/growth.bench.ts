/**
 * What a hit costs as its day grows from ten thousand hits to ten million, as the hits spread over one
 * domain to ten thousand, and as sessions get longer. No stage of the path may grow with any of them.
 *
 * Control plane. Through the actor in this process (`measured-actor.ts`): edge and log see neither
 * the day nor, but for a look-up, the domain. The cost at a size is that of the last hits that fill
 * the day up to it, not the mean of the day, which would hide what the last ones cost.
 */

import { type MacroContext, macro } from '../harness/macro.ts';
import { MeasuredActor } from '../harness/measured-actor.ts';
import type { Figure } from '../harness/report/figures.ts';
import { type Spread, spreadOf } from '../harness/report/samples.ts';
import { temporaryDataDir } from '../harness/service.ts';

const SIZE = {
  smoke: { days: [100, 1_000], domains: [1, 10], windowHits: 500, atOnce: 10 },
  normal: {
    days: [10_000, 100_000, 1_000_000],
    domains: [1, 1_000],
    windowHits: 300_000,
    atOnce: 1_000,
  },
  full: {
    days: [10_000, 100_000, 1_000_000, 10_000_000],
    domains: [1, 100, 10_000],
    windowHits: 1_000_000,
    atOnce: 2_000,
  },
} as const;
/** Page views a session; the first is what the others are compared with, the last is judged. */
const SESSION_VIEWS = [4, 1, 3, 20, 100, 200, 87] as const;
/** The last sizes that the requirements are about. */
const WHOLE = { growth: 10_000_000, domains: 10_000, sessions: 87 } as const;
/** How many times the first size the last one may cost. */
const RATIO_MAX = { growth: 1.3, domains: 2, sessions: 1.15 } as const;
/** A save a second of ten thousand hits, in a small day as in a large one. */
const DAY_HITS_PER_SECOND = 10_000;
/** So that quiet domains are saved ten seconds after their first hit, as the schedule wants. */
const DOMAIN_HITS_PER_SECOND = 100_000;
const ROUNDS_MAX = 3;
/** Of the largest day a share of this is measured, of small ones so many days as make it up. */
const DAY_WINDOW_SHARE = 20;

type Costs = { size: number; microseconds: number[] };

macro('macro/growth', async (context) => {
  const { isSmoke, isFull } = context;
  const size = SIZE[isSmoke ? 'smoke' : isFull ? 'full' : 'normal'];
  const rounds = Math.min(context.rounds, ROUNDS_MAX);
  const days = await growDay(context, size.days, rounds);
  const domains = await spreadDomains(context, size, rounds);
  const sessions = await lengthenSessions(context, size, rounds);
  return [
    ...lines('growth', { grows: 'a day grows', what: 'hits in the day' }, days),
    ...lines('domains', { grows: 'domains grow', what: 'domains' }, domains),
    ...lines(
      'sessions',
      { grows: `sessions grow, ${size.atOnce} at once`, what: 'views a session' },
      sessions,
    ),
  ];
});

/** Small days again and again, then one day that grows; the first small days warm up. */
async function growDay(
  { seed, tell }: MacroContext,
  sizes: readonly number[],
  rounds: number,
): Promise<Costs[]> {
  const actor = new MeasuredActor(temporaryDataDir(), seed);
  const [smallest = 0, ...larger] = sizes;
  const window = Math.max(smallest, (sizes.at(-1) ?? 0) / DAY_WINDOW_SHARE);
  const hitsPerSecond = Math.min(DAY_HITS_PER_SECOND, smallest);
  const daysPerRound = Math.ceil(Math.min(window, smallest * 20) / smallest);
  let made = 0;
  const smallDays = async () => {
    let sum = 0;
    for (let day = 0; day < daysPerRound; day++) {
      const domains = [`small-${made++}`];
      sum += await actor.apply({ hits: smallest, domains, hitsPerSecond });
    }
    return sum / daysPerRound;
  };
  await smallDays();
  const small: number[] = [];
  for (let round = 0; round < rounds; round++) small.push(await smallDays());
  const all: Costs[] = [{ size: smallest, microseconds: small }];
  let done = 0;
  for (const size of larger) {
    const part = Math.min(window, size / 2) / rounds;
    const hits = Math.max(smallest, Math.floor(part / hitsPerSecond) * hitsPerSecond);
    const domains = ['large'];
    await actor.apply({ hits: size - done - hits * rounds, domains, hitsPerSecond });
    const microseconds: number[] = [];
    for (let round = 0; round < rounds; round++) {
      microseconds.push(await actor.apply({ hits, domains, hitsPerSecond }));
    }
    done = size;
    all.push({ size, microseconds });
    tell(`  ${size} hits in the day: ${spreadOf(microseconds).median.toFixed(2)} µs per hit`);
  }
  await actor.close();
  return all;
}

/** The same number of hits for one domain and for many, after as many that opened them all. */
async function spreadDomains(
  { seed, tell }: MacroContext,
  { domains: counts, windowHits }: { domains: readonly number[]; windowHits: number },
  rounds: number,
): Promise<Costs[]> {
  const all: Costs[] = [];
  for (const size of counts) {
    const actor = new MeasuredActor(temporaryDataDir(), seed);
    const domains = Array.from({ length: size }, (_, index) => `domain-${index}`);
    const plan = { hits: windowHits, domains, hitsPerSecond: DOMAIN_HITS_PER_SECOND };
    await actor.apply(plan);
    const microseconds: number[] = [];
    for (let round = 0; round < rounds; round++) microseconds.push(await actor.apply(plan));
    await actor.close();
    all.push({ size, microseconds });
    tell(`  ${size} domains: ${spreadOf(microseconds).median.toFixed(2)} µs per hit`);
  }
  return all;
}

/** The same number of hits of one domain in ever longer sessions, whose views take turns. */
async function lengthenSessions(
  { seed, tell }: MacroContext,
  { windowHits, atOnce }: { windowHits: number; atOnce: number },
  rounds: number,
): Promise<Costs[]> {
  const all: Costs[] = [];
  for (const size of SESSION_VIEWS) {
    const actor = new MeasuredActor(temporaryDataDir(), seed);
    const perTurn = size * atOnce;
    const plan = {
      // Whole sessions.
      hits: Math.ceil(windowHits / perTurn) * perTurn,
      domains: ['sessions'],
      hitsPerSecond: DAY_HITS_PER_SECOND,
      sessions: { views: size, atOnce },
    };
    await actor.apply(plan);
    const microseconds: number[] = [];
    for (let round = 0; round < rounds; round++) microseconds.push(await actor.apply(plan));
    await actor.close();
    all.push({ size, microseconds });
    tell(`  ${size} views a session: ${spreadOf(microseconds).median.toFixed(2)} µs per hit`);
  }
  return all;
}

function lines(
  requirement: keyof typeof RATIO_MAX,
  { grows, what }: { grows: string; what: string },
  costs: readonly Costs[],
): Figure[] {
  const group = `Cost per hit as ${grows} (the actor, all threads)`;
  const base = costs[0]?.microseconds ?? [];
  return costs.map(({ size, microseconds }, index) => {
    const name = `${size.toLocaleString('en-US')} ${what}`;
    const figure: Figure = { group, name, unit: 'µs', value: spreadOf(microseconds) };
    if (index === 0) return figure;
    const ratio: Spread = spreadOf(microseconds.map((cost, round) => cost / base[round]!));
    const compared: Figure = { ...figure, baseline: spreadOf(base), ratio };
    if (index < costs.length - 1) return compared;
    const target = { of: 'ratio', atMost: RATIO_MAX[requirement] } as const;
    return size === WHOLE[requirement]
      ? { ...compared, target, requirement }
      : { ...compared, target };
  });
}
