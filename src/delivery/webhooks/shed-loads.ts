/**
 * What goes untold: beyond the bound of a node, of webhooks that stay inactive, of deleted ones (O-2).
 *
 * Control plane. The receiver that is furthest behind is the one with the most entries, or bytes, that
 * wait: its oldest go first, until the others have room.
 */
import type { ShardId } from '../../model/ids.ts';
import { metrics } from '../../model/metrics.ts';
import type { OutboxCall, OutboxHead, ShedReason } from '../../model/outbox.ts';
import {
  OUTBOX_BYTES_MAX,
  OUTBOX_ENTRY_COUNT_MAX,
  OUTBOX_SHED_COUNT_MAX,
} from '../../model/outgoing-limits.ts';
import type { Lane } from './lane.ts';

/** What may wait on a node. */
export interface OutboxBounds {
  readonly entries: number;
  readonly bytes: number;
}

/** What it needs. */
export interface ShedLoadsParts {
  readonly bounds?: OutboxBounds;
  ask(shard: ShardId, call: OutboxCall): Promise<unknown>;
  onShed(what: { webhookId: string; count: number; reason: ShedReason }): void;
}

/** Takes away what is too much. */
export class ShedLoads {
  readonly #parts: ShedLoadsParts;
  readonly #bounds: OutboxBounds;
  #isLooking = false;

  constructor(parts: ShedLoadsParts) {
    this.#parts = parts;
    const limits = { entries: OUTBOX_ENTRY_COUNT_MAX, bytes: OUTBOX_BYTES_MAX };
    this.#bounds = parts.bounds ?? limits;
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
    if (!this.#isOver(lanes)) return;
    // What memory has is as old as the last news.
    await this.#refresh(lanes);
    const beforeMs = Number.MAX_SAFE_INTEGER;
    while (this.#isOver(lanes)) {
      const over = sumOf(lanes, 'entries') - this.#bounds.entries;
      const by = over > 0 ? 'entries' : 'bytes';
      const furthest = lanes.reduce((most, lane) => (lane.head[by] > most.head[by] ? lane : most));
      const { entries, bytes } = furthest.head;
      const overBytes = sumOf(lanes, 'bytes') - this.#bounds.bytes;
      const most = over > 0 ? over : Math.ceil((overBytes * entries) / bytes);
      const count = Math.min(most, OUTBOX_SHED_COUNT_MAX);
      if ((await this.#take(furthest, { reason: 'full', count, beforeMs })) === 0) return;
    }
  }

  #isOver(lanes: readonly Lane[]): boolean {
    const { entries, bytes } = this.#bounds;
    return sumOf(lanes, 'entries') > entries || sumOf(lanes, 'bytes') > bytes;
  }

  async #refresh(lanes: readonly Lane[]): Promise<void> {
    for (const shard of new Set(lanes.map((lane) => lane.shard))) {
      const heads = (await this.#parts.ask(shard, { kind: 'outbox-heads' })) as OutboxHead[];
      const byId = new Map(heads.map((head) => [head.webhookId, head]));
      for (const lane of lanes) {
        const head = lane.shard === shard ? byId.get(lane.id) : undefined;
        if (head === undefined) continue;
        lane.head = { ...lane.head, entries: head.entries, bytes: head.bytes };
      }
    }
  }

  async #take(
    lane: Lane,
    asked: { reason: ShedReason; count: number; beforeMs: number },
  ): Promise<number> {
    const call = { kind: 'outbox-shed', webhookId: lane.id, ...asked } as const;
    const count = (await this.#parts.ask(lane.shard, call)) as number;
    await this.#refresh([lane]);
    metrics.webhookShed.add(count);
    if (count > 0) this.#parts.onShed({ webhookId: lane.id, count, reason: asked.reason });
    return count;
  }
}

function sumOf(lanes: readonly Lane[], what: 'entries' | 'bytes'): number {
  return lanes.reduce((sum, { head }) => sum + head[what], 0);
}
