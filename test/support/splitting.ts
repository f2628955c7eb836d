/** Changes the lanes of a site as an operator does, at moments that a test does not choose. */
import type { RunningService } from './service.ts';

const LANES_MAX = 4;

/** By site: lanes that it was given last. */
const lanesOf = new Map<string, number>();

/** Gives one of the sites another number of lanes, and it some time with them. */
export async function changeLanes(
  random: () => number,
  running: RunningService,
  ids: readonly string[],
): Promise<void> {
  const id = ids[Math.floor(random() * ids.length)] as string;
  const had = lanesOf.get(id) ?? 1;
  const others = Array.from({ length: LANES_MAX }, (_, at) => at + 1).filter((n) => n !== had);
  const lanes = others[Math.floor(random() * others.length)] as number;
  await running.command(['domain', 'split', '--id', id, '--lanes', String(lanes)]);
  lanesOf.set(id, lanes);
  await new Promise((resolve) => setTimeout(resolve, random() * 1_500));
}
