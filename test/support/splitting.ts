/** Changes the lanes of a site as an operator does, at moments that a test does not choose. */
import type { RunningService } from './service.ts';

const LANES_MAX = 4;

/** Splits or merges one of the sites; what is refused stays as it is. */
export async function changeLanes(
  random: () => number,
  running: RunningService,
  ids: readonly string[],
): Promise<void> {
  const id = ids[Math.floor(random() * ids.length)] as string;
  const lanes = 1 + Math.floor(random() * LANES_MAX);
  const wanted = ['domain', 'split', '--id', id, '--lanes', String(lanes)];
  try {
    await running.command(wanted);
  } catch (error) {
    // As many lanes as it has; or the service is about to begin a change.
    if (!/lanes|pieces|split/.test(String(error))) throw error;
  }
  await new Promise((resolve) => setTimeout(resolve, random() * 1_500));
}
