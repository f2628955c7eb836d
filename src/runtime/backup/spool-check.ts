/**
 * Waits until what nodes have acknowledged is in the stream: hits of a spool are on their node's disk.
 *
 * Control plane, for the backup of a cluster. Nodes tell on the board of leases whether hits wait. What
 * a node told may be older than the question: it counts once its beat has moved for the second time.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../base/clock.ts';
import { errors } from '../../model/errors.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { Board, Member } from '../cluster/lease-plan.ts';

const LOOK_MS = 200;
/** A node whose beat stands still for so long is dead, or cut off: what it told last counts. */
const DEAD_AFTER_MS = 5 * SECOND_MS;
/** Beats from which on it has told what is so since it was first seen. */
const FRESH_BEATS = 2;

/** What was seen of a node. */
interface Seen {
  readonly firstBeat: number;
  beat: number;
  movedMs: number;
}

/**
 * Waits for all nodes of the board.
 *
 * @param read the board as it is now; null: no node has ever been there.
 * @throws OVERLOADED when hits still wait after `withinMs`.
 */
export async function spoolsAreEmpty(
  read: () => Promise<Board | null>,
  withinMs: number,
): Promise<void> {
  const seen = new Map<string, Seen>();
  const endMs = monotonicMs() + withinMs;
  for (;;) {
    const members = Object.entries((await read())?.members ?? {});
    const nowMs = monotonicMs();
    const waiting = members.filter(([id, member]) => isWaitedFor(id, member, seen, nowMs));
    if (waiting.length === 0) return;
    if (nowMs > endMs) {
      const nodes = waiting.map(([id]) => id).join(', ');
      const reason = `hits wait in the spool of a node (${nodes}) and are not in the stream yet; see /readyz of the nodes`;
      throw errors.OVERLOADED({ reason });
    }
    await pause(LOOK_MS);
  }
}

function isWaitedFor(id: string, member: Member, seen: Map<string, Seen>, nowMs: number): boolean {
  const { beat, hasSpooled = false } = member;
  const known = seen.get(id) ?? { firstBeat: beat, beat, movedMs: nowMs };
  seen.set(id, known);
  if (known.beat !== beat) known.movedMs = nowMs;
  known.beat = beat;
  if (hasSpooled) return true;
  return beat < known.firstBeat + FRESH_BEATS && nowMs - known.movedMs < DEAD_AFTER_MS;
}
