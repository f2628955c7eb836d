/**
 * What goes wrong: one row per kind of fault. When it does says `schedule.ts`.
 *
 * To add a kind, add a row: whom it hits, how long it lasts, how it begins and ends.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../cluster/child.ts';
import type { Cluster, Node } from '../cluster/cluster.ts';
import type { NatsServer } from '../cluster/nats-servers.ts';
import { SOUND } from './link-proxy.ts';

/** Whom a fault hits: it knows which of the two it is about. */
interface Victim {
  readonly node: Node;
  readonly server: NatsServer;
}

/** What a fault does. */
export interface FaultRow {
  /** Processes of one name suffer one fault at a time; links and processes do at once. */
  readonly of: 'node' | 'NATS' | 'link';
  readonly weight: number;
  /** Shortest and longest, milliseconds; now and then `longMs`. */
  readonly lengthMs: readonly [min: number, max: number];
  readonly longMs?: readonly [min: number, max: number];
  /** Hurts and heals; processes are started again but not waited for. */
  readonly run: (cluster: Cluster, fault: Fault, victim: Victim) => Promise<void>;
}

/** One fault of a schedule. */
export interface Fault {
  readonly kind: FaultKind;
  /** The node it hits, or whose link; −1 for a server. */
  readonly node: number;
  /** The NATS server it hits, or to which the link leads; −1: none, or the links to all of them. */
  readonly server: number;
  readonly atMs: number;
  readonly lengthMs: number;
  /** From 0 to 1: its strength, or which variant it is. */
  readonly degree: number;
}

/** Share of the killed nodes that are killed again while they start. */
const KILLED_WHILE_STARTING = 0.25;
const START_MS = 900;

const PAUSE: Pick<FaultRow, 'lengthMs' | 'longMs'> = {
  lengthMs: [100, 2_000],
  // Beyond a lease, so that others take over what the paused node still believes to be its own.
  longMs: [4_200, 7_000],
};

const ROWS = {
  'node-kill': {
    of: 'node',
    weight: 4,
    lengthMs: [0, 1_500],
    async run(_cluster, { lengthMs, degree }, { node: { child } }) {
      await child.kill();
      await pause(lengthMs);
      child.begin();
      if (degree >= KILLED_WHILE_STARTING) return;
      await pause((degree / KILLED_WHILE_STARTING) * START_MS);
      await child.kill();
      child.begin();
    },
  },
  'node-new-disk': {
    of: 'node',
    weight: 1,
    lengthMs: [0, 1_500],
    async run(_cluster, { lengthMs }, { node: { child, dataDir } }) {
      await child.kill();
      for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
      await pause(lengthMs);
      child.begin();
    },
  },
  'node-pause': {
    of: 'node',
    weight: 3,
    ...PAUSE,
    async run(_cluster, { lengthMs }, { node: { child } }) {
      child.signal('SIGSTOP');
      await pause(lengthMs);
      child.signal('SIGCONT');
    },
  },
  'node-restart': {
    of: 'node',
    weight: 2,
    lengthMs: [0, 300],
    async run(_cluster, { lengthMs }, { node: { child } }) {
      await child.stop();
      await pause(lengthMs);
      child.begin();
    },
  },
  'nats-kill': {
    of: 'NATS',
    weight: 2,
    lengthMs: [0, 1_500],
    async run(_cluster, { lengthMs }, { server: { child } }) {
      await child.kill();
      await pause(lengthMs);
      await child.start();
    },
  },
  'nats-pause': {
    of: 'NATS',
    weight: 1,
    ...PAUSE,
    async run(_cluster, { lengthMs }, { server: { child } }) {
      child.signal('SIGSTOP');
      await pause(lengthMs);
      child.signal('SIGCONT');
    },
  },
  'nats-restart': {
    of: 'NATS',
    weight: 1,
    lengthMs: [0, 300],
    async run(_cluster, { lengthMs }, { server: { child } }) {
      await child.stop();
      await pause(lengthMs);
      await child.start();
    },
  },
  'link-delay': {
    of: 'link',
    weight: 2,
    lengthMs: [500, 2_500],
    async run({ links }, { lengthMs, degree, server }, { node: { index } }) {
      const delayMs = 2 + Math.round(degree * 150);
      await links.become({ node: index, server }, { ...SOUND, delayMs, jitterMs: delayMs });
      await pause(lengthMs);
      await links.become({ node: index, server }, SOUND);
    },
  },
  'link-loss': {
    of: 'link',
    weight: 2,
    lengthMs: [500, 2_500],
    async run({ links }, { lengthMs, degree, server }, { node: { index } }) {
      const lossShare = 0.01 + degree * 0.1;
      const state = { ...SOUND, lossShare, stallMs: 200 + degree * 400 };
      await links.become({ node: index, server }, state);
      await pause(lengthMs);
      await links.become({ node: index, server }, SOUND);
    },
  },
  'link-cut': {
    of: 'link',
    weight: 2,
    lengthMs: [0, 1_500],
    async run({ links }, { lengthMs, degree, server }, { node: { index } }) {
      const times = 1 + Math.floor(degree * 4);
      for (let time = 0; time < times; time++) {
        await links.cut({ node: index, server });
        await pause(lengthMs / times);
      }
    },
  },
  'link-partition': {
    of: 'link',
    weight: 3,
    ...PAUSE,
    run: (cluster, fault, { node }) => partition(cluster, fault, node, ['isMute', 'isDeaf']),
  },
  'link-mute': {
    of: 'link',
    weight: 1,
    ...PAUSE,
    run: (cluster, fault, { node }) => partition(cluster, fault, node, ['isMute']),
  },
  'link-deaf': {
    of: 'link',
    weight: 1,
    ...PAUSE,
    run: (cluster, fault, { node }) => partition(cluster, fault, node, ['isDeaf']),
  },
  'node-disk': {
    of: 'node',
    weight: 1,
    lengthMs: [500, 2_500],
    async run({ disks }, { lengthMs }, { node: { dataDir } }) {
      disks.fill(dataDir);
      await pause(lengthMs);
      disks.clear(dataDir);
    },
  },
  'clock-step': {
    of: 'node',
    weight: 2,
    lengthMs: [1_200, 2_500],
    async run({ clocks }, { lengthMs, degree }, { node: { index } }) {
      // Up to ten minutes, either way: well within the gap that ends a session.
      clocks.step(index, Math.round((degree - 0.5) * 1_200));
      await pause(lengthMs);
      clocks.step(index, 0);
      // The program looks at its clock's offset once a second.
      await pause(1_100);
    },
  },
  'nats-disk': {
    of: 'NATS',
    weight: 1,
    lengthMs: [300, 1_500],
    async run({ disks }, { lengthMs }, { server: { child, dir } }) {
      disks.fill(dir);
      await pause(lengthMs);
      disks.clear(dir);
      // JetStream puts itself out of work on a full disk and stays so until an operator restarts it,
      // which it may not do orderly any more.
      await child.kill();
      await child.start();
    },
  },
} as const satisfies Readonly<Record<string, FaultRow>>;

/** A name of the table. */
export type FaultKind = keyof typeof ROWS;

/** What is to be known of each kind before it happens. */
export const FAULT_ROWS: Readonly<Record<FaultKind, FaultRow>> = ROWS;

/** Every kind. */
export const FAULT_KINDS = Object.keys(ROWS) as readonly FaultKind[];

/** Kinds that need disks, or clocks, of their own. */
export const DISK_FAULTS: readonly FaultKind[] = ['node-disk', 'nats-disk'];
export const CLOCK_FAULTS: readonly FaultKind[] = ['clock-step'];
/** Kinds that take with them what was acknowledged and is on one node only. */
export const SPOOL_LOSING_FAULTS: readonly FaultKind[] = ['node-new-disk'];

/** Nothing gets through, in one or both directions; then it comes late, or the connection is gone. */
async function partition(
  { links }: Cluster,
  { lengthMs, degree, server }: Fault,
  { index }: Node,
  directions: readonly ('isMute' | 'isDeaf')[],
): Promise<void> {
  const blocked = Object.fromEntries(directions.map((name) => [name, true]));
  await links.become({ node: index, server }, { ...SOUND, isClosed: true, ...blocked });
  await pause(lengthMs);
  if (degree < 0.5) await links.cut({ node: index, server });
  await links.become({ node: index, server }, SOUND);
}

/** Lets a fault happen, from its begin to its end. */
export function happen(cluster: Cluster, fault: Fault): Promise<void> {
  return FAULT_ROWS[fault.kind].run(cluster, fault, {
    node: cluster.nodes[Math.max(fault.node, 0)] as Node,
    server: cluster.servers[Math.max(fault.server, 0)] as NatsServer,
  });
}
