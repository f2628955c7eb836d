/**
 * Positions of a shard on disk: that of its base, and one for every lane that it has.
 *
 *     ['p']         every record up to it is in the state, as far as it is the base's
 *     ['p', lane]   the same of a lane (1 and up); absent where nobody needs the lane
 *
 * A shard as a whole is where the last of them is: replay and snapshots begin there.
 */

import { Packr } from 'msgpackr';
import type { LaneReader } from '../segment/hidden-rows.ts';
import type { StateEnvironment, StateKey } from '../store/state-environment.ts';

const packr = new Packr({ useRecords: false });

/** Positions by lane, the base's under 0; empty before the first save. */
export function positionsOf(reader: LaneReader): Map<number, number> {
  const positions = new Map<number, number>();
  for (const { key, value } of reader.range(['p'], ['q'])) {
    positions.set(Number(key[1] ?? 0), packr.unpack(value) as number);
  }
  return positions;
}

/** Position of the shard as a whole; 0 before the first save. */
export function leastPosition(reader: LaneReader): number {
  const positions = positionsOf(reader);
  // A base without a save has everything before it.
  return positions.has(0) ? Math.min(...positions.values()) : 0;
}

/**
 * Gives lanes that have none a position: what comes behind it is theirs.
 *
 * @param lanes number of lanes, the base among them.
 * @returns the positions of all of them.
 */
export function givePositions(
  environment: StateEnvironment,
  lanes: number,
  sequence: number,
): Map<number, number> {
  environment.refresh();
  const positions = positionsOf(environment);
  const without: number[] = [];
  for (let lane = 1; lane < lanes; lane++) if (!positions.has(lane)) without.push(lane);
  if (without.length === 0) return positions;
  environment.write(() => {
    for (const lane of without) environment.put(laneKey(lane), packr.pack(sequence));
  });
  for (const lane of without) positions.set(lane, sequence);
  return positions;
}

/** Takes the position of a lane away: nobody needs the lane. */
export function takePosition(environment: StateEnvironment, lane: number): void {
  environment.write(() => environment.remove(laneKey(lane)));
}

function laneKey(lane: number): StateKey {
  return ['p', lane];
}
