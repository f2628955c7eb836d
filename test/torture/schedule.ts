/**
 * What a round brings besides its load, drawn from its seed: faults, and changes of sites' lanes.
 *
 * Each has a stream of its own, so that more of one does not move the other.
 */
import { FAULT_ROWS, type Fault, type FaultKind } from './faults.ts';
import type { Stream } from './random.ts';

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

/** One change of a site's lanes, as an operator commands it. */
export interface LaneChange {
  /** Index of the site. */
  readonly site: number;
  /** 1 joins it again. */
  readonly lanes: number;
  /** The node beside which the command is run. */
  readonly node: number;
  readonly atMs: number;
  /** The command asks for an instant so long after it; 0: at once. */
  readonly aheadMs: number;
}

/** How many changes a round has. */
const CHANGE_COUNTS = [
  [2, 0],
  [4, 1],
  [4, 2],
  [2, 3],
] as const;
/** Share of the changes that join a site. */
const JOINED = 0.3;
/** Share of the other ones that are asked for ahead, and how far: nodes then begin at one instant. */
const AHEAD = 0.2;
const AHEAD_MS: readonly [number, number] = [1_500, 4_000];

/** What is there to be changed. */
export interface LanePlan {
  /** How many lanes each site has. */
  lanes: readonly number[];
  lanesMax: number;
  nodes: number;
  loadMs: number;
}

/** A round's changes in order of time; a site that is changed twice may have two in one breath. */
export function planLaneChanges(random: Stream, plan: LanePlan): LaneChange[] {
  const { lanesMax, nodes, loadMs } = plan;
  if (lanesMax === 1) return [];
  const sites = plan.lanes.length;
  const changes = Array.from({ length: random.weighted(CHANGE_COUNTS) }, () => {
    const lanes = random.chance(JOINED) ? 1 : random.whole(2, lanesMax);
    const isAhead = random.chance(AHEAD) && lanes > 1;
    return {
      ...{ lanes, site: random.whole(0, sites - 1), node: random.whole(0, nodes - 1) },
      atMs: momentOf(random, loadMs),
      aheadMs: isAhead ? random.whole(...AHEAD_MS) : 0,
    };
  });
  return changesFrom(plan, changes);
}

/** In order of time; who has as many already gets another number. */
function changesFrom({ lanes, lanesMax }: LanePlan, drawn: readonly LaneChange[]): LaneChange[] {
  const had = [...lanes];
  return drawn
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((change) => {
      const isSame = had[change.site] === change.lanes;
      const wanted = isSame ? (change.lanes % lanesMax) + 1 : change.lanes;
      had[change.site] = wanted;
      return { ...change, lanes: wanted, aheadMs: wanted === 1 ? 0 : change.aheadMs };
    });
}

/** One change for people: `site 2 to 4 lanes after 512 ms`. */
export function printLaneChange({ site, lanes, atMs, aheadMs }: LaneChange): string {
  const ahead = aheadMs === 0 ? '' : ` and ${aheadMs} ms more`;
  return `site ${site} to ${lanes} ${lanes === 1 ? 'lane' : 'lanes'} after ${atMs} ms${ahead}`;
}
