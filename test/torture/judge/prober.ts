/**
 * Asks for totals while everything goes wrong: whatever is answered must hold what was
 * acknowledged.
 *
 * A total that is asked for after an acknowledgement has its hits, on whichever node; and
 * never more than what was sent. So a node that answers from a state that is not its own any more
 * is caught in the act. Where nodes have spools only the latter holds: what waits is in no total yet.
 */
import { pause } from '../cluster/child.ts';
import type { Node } from '../cluster/cluster.ts';
import type { Load } from '../load/load-client.ts';
import type { Site } from '../load/sites.ts';
import type { Stream } from '../random.ts';
import { rangeOf } from './questions.ts';
import type { Reader } from './reader.ts';

/** A node that does not answer is given up after this long. */
const PATIENCE_MS = 1_000;
const REST_MS = 100;

/** Probes every site until told to stop. */
export async function probe(
  load: Load,
  reader: Reader,
  random: Stream,
  isOver: () => boolean,
): Promise<void> {
  const loops = load.sites.map(async (_, index) => {
    while (!isOver()) {
      await probeOnce(load, reader, random.pick(load.nodes), index);
      await pause(REST_MS);
    }
  });
  await Promise.all(loops);
}

async function probeOnce(load: Load, reader: Reader, node: Node, index: number): Promise<void> {
  const { ledger, round } = load;
  const site = load.sites[index] as Site;
  const world = site.world(round);
  const least = load.isTiedToNode ? 0 : world.pageViews.length;
  const parameters = { id: site.made.id, ...rangeOf(site, round) };
  const answer = await reader.ask(node, 'total', parameters, PATIENCE_MS);
  if (answer.status !== 200) return;
  ledger.statistics.add(index);
  ledger.counts.probed++;
  const { views } = JSON.parse(answer.text) as { views: number };
  const most = world.pageViews.length + (site.open.get(round) ?? 0);
  if (views >= least && views <= most) return;
  ledger.differs(
    `${node.child.name} in the middle of faults: ${site.name} has ${views} views, ` +
      `acknowledged were ${least}, sent at most ${most}`,
  );
}
