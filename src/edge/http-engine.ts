/**
 * Finds out that uWebSockets.js can be loaded, before anything is started or made.
 *
 * Control plane. It is native code, one build per version of Node; that for Node 20 runs on any Linux,
 * those for 22 and 24 want glibc 2.38.
 */

import { errors } from '../model/errors.ts';

/** @throws HTTP_ENGINE_UNUSABLE when this Node on this system cannot load it. */
export async function checkHttpEngine(
  load: () => Promise<unknown> = () => import('uWebSockets.js'),
): Promise<void> {
  try {
    await load();
  } catch (cause) {
    const lines = String((cause as Error).message).split('\n');
    // Its own message names platforms first, and what the system said last.
    const reason = lines.findLast((line) => line.trim() !== '') ?? 'no reason given';
    throw errors.HTTP_ENGINE_UNUSABLE({ node: process.versions.node, reason }, cause);
  }
}
