/**
 * How much the tests try, and with which seed: nothing else in `test/` reads the environment for it.
 *
 * - `npm test`: an eighth of the random cases, one seed for ever: a red run is the change's doing.
 * - `npm run test:long`: all of them with a new seed, which the run prints first.
 * - FOOTFALL_TEST=attack: the long run with attacks of full size, which take hours.
 *
 * FOOTFALL_TEST_SLOWED=4 lets pages run at a quarter of their speed, as beside much else.
 *
 * FOOTFALL_TEST_SEED repeats a run; FOOTFALL_TEST_RUNS=5 tries five times the full number of cases.
 */

const EXTENT = process.env.FOOTFALL_TEST ?? 'short';

/** Whether what takes minutes is tried too. */
export const IS_LONG = EXTENT === 'long' || EXTENT === 'attack';
/** Whether attacks have their full size. */
export const IS_ATTACK = EXTENT === 'attack';

/** How many times slower than they could the pages of browsers run. */
export const SLOWED = Number(process.env.FOOTFALL_TEST_SLOWED ?? 1);

/** Share of the full number of cases. */
const SHARE = Number(process.env.FOOTFALL_TEST_RUNS ?? (IS_LONG ? 1 : 1 / 8));

/** Everything random in a run follows from it. */
export const SEED = Number(process.env.FOOTFALL_TEST_SEED ?? 42);

/** How many of that many cases this run tries; one at least. */
export function runs(full: number): number {
  return Math.max(1, Math.round(full * SHARE));
}

/** For `fc.assert`: the run's share of so many cases, from the run's seed. */
export function tries(full = 100): { seed: number; numRuns: number } {
  return { seed: SEED, numRuns: runs(full) };
}

/** A seed of its own for each name, so that tests that draw the same kind of case draw others (FNV-1a). */
export function seedOf(name: string): number {
  let hash = 2_166_136_261 ^ SEED;
  for (const code of Buffer.from(name)) hash = Math.imul(hash ^ code, 16_777_619);
  return hash & 0x7fff_ffff;
}
