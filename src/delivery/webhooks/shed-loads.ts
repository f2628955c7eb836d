/**
 * What goes untold: beyond the bound of a node, of webhooks that stay inactive, of deleted ones (O-2).
 *
 * Control plane. The receiver that is furthest behind is the one with the most entries, or bytes, that
 * wait: its oldest go first, until the others have room.
 */
import type { ShardId } from '../../model/ids.ts';
import {
  OUTBOX_BYTES_MAX,
  OUTBOX_ENTRY_COUNT_MAX,
  OUTBOX_SHED_COUNT_MAX,
} from '../../model/limits.ts';
import type { OutboxCall, OutboxHead, ShedReason } from '../../model/outbox.ts';
import type { Lane } from './lane.ts';

/** What it needs. */
export interface ShedLoadsParts {
  ask(shard: ShardId, call: OutboxCall): Promise<unknown>;
  onShed(what: { webhookId: string; count: number; reason: ShedReason }): void;
}

/** Takes away what is too much. */
export class ShedLoads {
  readonly #parts: ShedLoadsParts;
  #isLooking = false;

  constructor(parts: ShedLoadsParts) {
    this.#parts = parts;
  }

  /**
   * Looks whether there is too much.
   *
   * @param beforeMs what was noted before it goes from webhooks that were inactive by then; or null.
   */
  async look(lanes: readonly Lane[], beforeMs: number | null): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      if (beforeMs !== null) await this.#expire(lanes, beforeMs);
      await this.#bound(lanes);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Everything of a webhook that is gone. */
  async removeAll(lane: Lane): Promise<void> {
    const beforeMs = Number.MAX_SAFE_INTEGER;
    const asked = { reason: 'deleted', count: OUTBOX_SHED_COUNT_MAX, beforeMs } as const;
    while ((await this.#take(lane, asked)) === OUTBOX_SHED_COUNT_MAX);
  }

  async #expire(lanes: readonly Lane[], beforeMs: number): Promise<void> {
    for (const lane of lanes) {
      const { inactiveMs, entries } = lane.head;
      if (!lane.isResting || entries === 0 || inactiveMs === 0 || inactiveMs > beforeMs) continue;
      await this.#take(lane, { reason: 'inactive', count: OUTBOX_SHED_COUNT_MAX, beforeMs });
    }
  }

  async #bound(lanes: readonly Lane[]): Promise<void> {
    const sum = (of: (head: OutboxHead) => number) =>
      lanes.reduce((total, { head }) => total + of(head), 0);
    const over = sum(({ entries }) => entries) - OUTBOX_ENTRY_COUNT_MAX;
    const overBytes = sum(({ bytes }) => bytes) - OUTBOX_BYTES_MAX;
    if (over <= 0 && overBytes <= 0) return;
    const sizeOf = ({ head }: Lane) => (over > 0 ? head.entries : head.bytes);
    const furthest = lanes.reduce((most, lane) => (sizeOf(lane) > sizeOf(most) ? lane : most));
    const { entries, bytes } = furthest.head;
    const count = over > 0 ? over : Math.ceil((overBytes * entries) / bytes);
    const beforeMs = Number.MAX_SAFE_INTEGER;
    await this.#take(furthest, { reason: 'full', count, beforeMs });
  }

  async #take(
    lane: Lane,
    asked: { reason: ShedReason; count: number; beforeMs: number },
  ): Promise<number> {
    const call = { kind: 'outbox-shed', webhookId: lane.id, ...asked } as const;
    const count = (await this.#parts.ask(lane.shard, call)) as number;
    const { head } = lane;
    const share = head.entries === 0 ? 0 : Math.min(1, count / head.entries);
    // About: the next news has it exactly.
    const bytes = Math.round(head.bytes * (1 - share));
    lane.head = { ...head, entries: Math.max(0, head.entries - count), bytes };
    if (count > 0) this.#parts.onShed({ webhookId: lane.id, count, reason: asked.reason });
    return count;
  }
}
