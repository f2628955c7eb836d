/**
 * The operator: changes the lanes of sites by the command line, and does not give up while the
 * cluster is in trouble.
 */
import { pause } from './child.ts';
import type { Cluster } from './cluster.ts';
import type { Ledger } from './ledger.ts';
import type { LaneChange } from './schedule.ts';
import type { Site } from './sites.ts';

/** Between two attempts. */
const REST_MS = 400;
const PATIENCE_MS = 90_000;
/** What a command says that asks for what is there already, or comes too soon after another. */
const POINTLESS = /must be another number|nothing to merge|is about to change|must not be over yet/;

/** What a change needs. */
export interface LaneWork {
  readonly cluster: Cluster;
  readonly ledger: Ledger;
  readonly sites: readonly Site[];
}

/** Carries a change out, from now. @throws Error when the command does not get through in time. */
export async function changeLanes(work: LaneWork, change: LaneChange): Promise<void> {
  const { cluster, ledger, sites } = work;
  const site = sites[change.site] as Site;
  const { counts } = ledger;
  const startMs = performance.now();
  for (;;) {
    try {
      await cluster.footfall(change.node, ...wordsOf(change, site.made.id));
      counts[change.lanes === 1 ? 'joined' : 'split']++;
      site.lanes = change.lanes;
      return;
    } catch (error) {
      // After an attempt of which nobody knows how it ended, too: then it has been carried out.
      if (POINTLESS.test(String(error))) {
        counts.lanesKept++;
        return;
      }
      counts.laneRetries++;
      if (performance.now() - startMs > PATIENCE_MS) throw error;
    }
    await pause(REST_MS);
  }
}

function wordsOf({ lanes, aheadMs }: LaneChange, id: string): string[] {
  if (lanes === 1) return ['domain', 'merge', '--id', id, '--now'];
  const at = aheadMs === 0 ? [] : ['--at', new Date(Date.now() + aheadMs).toISOString()];
  return ['domain', 'split', '--id', id, '--lanes', String(lanes), ...at];
}
