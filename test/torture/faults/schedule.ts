/** The faults that a round brings besides its load, drawn from its seed. */

import type { Stream } from '../random.ts';
import { FAULT_ROWS, type Fault, type FaultKind } from './faults.ts';

/** How many faults a round has. */
const COUNTS = [
  [4, 1],
  [4, 2],
  [2, 3],
] as const;
/** Share of the faults that last long, where their kind knows that. */
const LONG = 0.15;
/** Before the first fault and after the last one's begin, so that the load is there. */
const MARGIN_MS = 200;

/** What is there to be hurt. */
export interface FaultPlan {
  kinds: readonly FaultKind[];
  nodes: number;
  servers: number;
  loadMs: number;
}

/** A round's faults in order of time. */
export function planFaults(random: Stream, plan: FaultPlan): Fault[] {
  const { kinds, nodes, servers, loadMs } = plan;
  if (kinds.length === 0) return [];
  const weighted = kinds.map((kind) => [FAULT_ROWS[kind].weight, kind] as const);
  const faults: Fault[] = [];
  const count = random.weighted(COUNTS);
  for (let index = 0; index < count; index++) {
    const kind = random.weighted(weighted);
    const { of, lengthMs: usualMs, longMs } = FAULT_ROWS[kind];
    const victim = random.whole(0, nodes - 1);
    const [min, max] = random.chance(LONG) && longMs !== undefined ? longMs : usualMs;
    const lengthMs = random.whole(min, max);
    const atMs = momentOf(random, loadMs);
    const degree = random.next();
    const node = of === 'NATS' ? -1 : victim;
    const server = serverOf(of, { victim, servers, degree });
    const fault = { kind, node, server, atMs, lengthMs, degree };
    if (!faults.some((other) => isSameVictim(other, fault))) faults.push(fault);
  }
  return faults.sort((a, b) => a.atMs - b.atMs);
}

/** Of several servers a link leads to one or, as often, to all; drawn from what is drawn anyway. */
function serverOf(
  of: (typeof FAULT_ROWS)[FaultKind]['of'],
  { victim, servers, degree }: { victim: number; servers: number; degree: number },
): number {
  if (of === 'NATS') return victim % servers;
  if (of === 'node' || servers === 1) return -1;
  const drawn = Math.floor(degree * 1_000) % (2 * servers);
  return drawn < servers ? drawn : -1;
}

function momentOf(random: Stream, loadMs: number): number {
  return random.whole(MARGIN_MS, Math.max(MARGIN_MS, loadMs - MARGIN_MS));
}

/**
 * A process that is stopped cannot end orderly, so one fault a round is enough for each; of the NATS
 * servers one may be away, not two.
 */
function isSameVictim(one: Fault, other: Fault): boolean {
  return FAULT_ROWS[one.kind].of === FAULT_ROWS[other.kind].of && one.node === other.node;
}

/** One fault for people: `node-kill of node 1 after 812 ms for 300 ms`. */
export function printFault({ kind, node, server, atMs, lengthMs }: Fault): string {
  const victims = [node < 0 ? '' : `node ${node}`, server < 0 ? '' : `NATS ${server}`];
  const victim = victims.filter((name) => name !== '').join(' to ');
  return `${kind} of ${victim} after ${atMs} ms for ${lengthMs} ms`;
}
