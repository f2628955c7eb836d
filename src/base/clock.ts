/**
 * The only door to the wall clock, so that tests can stand at any moment.
 *
 * Both planes. The data plane reads it once a turn, never per row; `apply` never does.
 */

/** Tells the time: milliseconds since the epoch, UTC. */
export type Clock = () => number;

/** The machine's clock; it may be stepped, so it never measures a duration. */
export const systemClock: Clock = () => Date.now();

/** Milliseconds since the start of the process, never stepped: for durations and deadlines. */
export function monotonicMs(): number {
  return performance.now();
}
