/**
 * Tells webhooks what is written down for them, at least once, in order and at a measured pace (O-1 to
 * O-3, O-11).
 *
 * Control plane, on a thread of its own. It asks the actors that own shards for what is due and reports
 * what came of it; nothing is in memory only. Whoever owns a shard after this node finds what is left.
 */
import { setSharedInterval } from '../../base/shared-interval.ts';
import type { Webhook } from '../../control/resources/webhook.ts';
import { OperatingError } from '../../model/errors.ts';
import { type Epoch, NO_LEASE, type ShardId } from '../../model/ids.ts';
import { MINUTE_MS, SECOND_MS } from '../../model/limits.ts';
import { metrics } from '../../model/metrics.ts';
import type {
  AttemptOutcome,
  DueEntries,
  OutboxCall,
  OutboxEntry,
  OutboxHead,
} from '../../model/outbox.ts';
import {
  WEBHOOK_FAILURE_COUNT_MAX,
  WEBHOOK_INACTIVE_KEPT_MS,
} from '../../model/outgoing-limits.ts';
import { waitMs } from './back-off.ts';
import { Lane } from './lane.ts';
import { Settlements } from './settlements.ts';
import { type OutboxBounds, ShedLoads } from './shed-loads.ts';
import { Turns } from './turns.ts';

const TICK_MS = 100;
/** While no webhook has had anything to be told: the only thing to do is the sweep. */
const REST_TICK_MS = SECOND_MS;
/** Unwritten outcomes beyond which no attempt begins. */
const UNSETTLED_COUNT_MAX = 10_000;

/** What it needs of its thread. */
export interface WebhookSenderParts {
  /** Asks the owner of a shard on this node; rejects with SHARD_MOVED when it is not there. */
  ask(shard: ShardId, call: OutboxCall): Promise<unknown>;
  /** Under which lease this node holds a shard now. */
  epochOf(shard: ShardId): Epoch;
  /** A webhook as it is now; null: as far as this node knows there is none. */
  find(webhookId: string): Webhook | null;
  /** Whether there is none, whatever other nodes have made meanwhile. */
  isGone(webhookId: string): Promise<boolean>;
  /** Sets it inactive and tells its owner. @param fault what came of the last attempt. */
  deactivate(webhook: Webhook, fault: string): Promise<void>;
  send(webhook: Webhook, entry: { id: string; body: string }): Promise<AttemptOutcome>;
  nowMs(): number;
  /** From 0 to 1. */
  random(): number;
  /** What was not told, and why. */
  onShed(what: { webhookId: string; count: number; reason: string }): void;
  onFault(error: unknown): void;
  /** How often it is looked what is due, and who was saved; default: 100 ms. */
  readonly tickMs?: number;
  /** What may wait (O-2); default: the limits of a node. */
  readonly bounds?: OutboxBounds;
}

/** Sends for the shards of one node. */
export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that would begin an attempt if there were a connection; the first has waited longest. */
  readonly #waiting = new Set<Lane>();
  readonly #turns = new Turns();
  /** Shards of which it is not known what waits, and when that was found: looked at when they are held. */
  readonly #unknown = new Map<ShardId, number>();
  readonly #settlements: Settlements;
  readonly #sheds: ShedLoads;
  #endTicks: () => void = () => {};
  #tickMs = 0;
  readonly #attempts = new Set<Promise<void>>();
  #sweptMs: number;
  #isStopping = false;

  constructor(parts: WebhookSenderParts) {
    this.#parts = parts;
    this.#settlements = new Settlements({
      ask: (shard, call) => parts.ask(shard, call),
      onWritten: (lanes) => {
        for (const lane of lanes) this.#pump(lane);
      },
      onMoved: (shard) => this.#drop(shard),
      onFault: parts.onFault,
    });
    this.#sheds = new ShedLoads(parts);
    this.#sweptMs = parts.nowMs();
    this.#setPace();
  }

  /** A shard has, or may have, something that was not there before. */
  onNews(shard: ShardId): void {
    this.#unknown.delete(shard);
    this.#look(shard)
      .catch((error: unknown) => {
        this.#onFault(shard, error);
        this.#unknown.set(shard, this.#parts.nowMs());
      })
      .finally(() => this.#setPace());
  }

  /** Begins nothing more, waits for what is under way, and writes down what came of it. */
  async stop(graceMs: number, endAttempts: () => void): Promise<void> {
    this.#isStopping = true;
    this.#endTicks();
    const timer = setTimeout(endAttempts, graceMs);
    await Promise.all(this.#attempts);
    clearTimeout(timer);
    await this.#settlements.flush();
    this.#settlements.close();
  }

  async #look(shard: ShardId): Promise<void> {
    const epoch = this.#parts.epochOf(shard);
    if (this.#isStopping) return;
    if (epoch === NO_LEASE) {
      this.#unknown.set(shard, 0);
      return;
    }
    const heads = (await this.#parts.ask(shard, { kind: 'outbox-heads' })) as OutboxHead[];
    for (const head of heads) {
      const known = this.#lanes.get(head.webhookId);
      const isOurs = known?.epoch === epoch && known.shard === shard;
      const lane = isOurs ? known : new Lane(shard, epoch, head);
      this.#lanes.set(head.webhookId, lane);
      lane.head = head;
      lane.hasMore ||= head.entries > 0;
      this.#follow(lane);
      this.#pump(lane);
    }
  }

  /** Ticks as often as there is something to look at. */
  #setPace(): void {
    const isAtRest = this.#lanes.size === 0 && this.#unknown.size === 0;
    const tickMs = isAtRest ? REST_TICK_MS : (this.#parts.tickMs ?? TICK_MS);
    if (tickMs === this.#tickMs || this.#isStopping) return;
    this.#endTicks();
    this.#endTicks = setSharedInterval(() => this.#tick(), tickMs);
    this.#tickMs = tickMs;
  }

  #tick(): void {
    const nowMs = this.#parts.nowMs();
    for (const [shard, foundMs] of this.#unknown) {
      const isTime = Math.abs(nowMs - foundMs) >= SECOND_MS;
      if (isTime && this.#parts.epochOf(shard) !== NO_LEASE) this.onNews(shard);
    }
    for (const lane of this.#lanes.values()) {
      const epoch = this.#parts.epochOf(lane.shard);
      // A lease that has run out may be renewed, and nobody was the owner meanwhile.
      if (epoch === NO_LEASE) continue;
      if (epoch !== lane.epoch) {
        this.#forget(lane);
        this.#unknown.set(lane.shard, 0);
        continue;
      }
      this.#follow(lane);
      if (lane.nextDueMs !== null && lane.nextDueMs <= nowMs) {
        lane.nextDueMs = null;
        lane.hasMore = true;
      }
      this.#pump(lane);
    }
    // A clock that was set back is no reason to wait.
    const isSweep = Math.abs(nowMs - this.#sweptMs) >= MINUTE_MS;
    if (isSweep) {
      this.#sweptMs = nowMs;
      // What is remembered of the outbox is made true again, whatever was missed.
      for (const shard of new Set([...this.#lanes.values()].map((lane) => lane.shard))) {
        this.onNews(shard);
      }
      this.#removeGone().catch(this.#parts.onFault);
    }
    this.#measure();
    this.#shed(isSweep ? nowMs - WEBHOOK_INACTIVE_KEPT_MS : null);
    this.#setPace();
  }

  /** Acts on what somebody has done to the webhook since the last look. */
  #follow(lane: Lane): void {
    const webhook = this.#parts.find(lane.id);
    if (webhook === lane.webhook && (webhook !== null || lane.isResting)) return;
    const isFirst = lane.webhook === null;
    lane.webhook = webhook;
    if (webhook === null) {
      lane.rest();
      return;
    }
    const { inactiveMs } = lane.head;
    if (!webhook.active) {
      lane.rest();
      if (inactiveMs === 0) this.#noteRest(lane, this.#parts.nowMs());
    } else if (!isFirst || inactiveMs !== 0) {
      // Saving it activates it and clears the count.
      const wasResting = lane.isResting || inactiveMs !== 0;
      lane.failures = 0;
      if (wasResting) this.#noteRest(lane, 0);
      lane.resume();
    } else if (lane.isResting) lane.resume();
  }

  #noteRest(lane: Lane, inactiveMs: number): void {
    lane.head = { ...lane.head, inactiveMs };
    const call = { kind: 'outbox-rest', webhookId: lane.id, inactiveMs, failures: 0 } as const;
    this.#parts.ask(lane.shard, call).catch((error) => this.#onFault(lane.shard, error));
  }

  /**
   * Of webhooks that are deleted nothing is kept. It is not urgent, and another node may have taken an
   * event for a webhook that this one has not heard of: so it is looked at once a minute.
   */
  async #removeGone(): Promise<void> {
    for (const lane of this.#lanes.values()) {
      if (lane.webhook !== null || !this.#isOurs(lane)) continue;
      if (!(await this.#parts.isGone(lane.id))) continue;
      await this.#sheds.removeAll(lane);
      this.#forget(lane);
    }
  }

  /** it is inactive, or goes on if that cannot be written down. */
  async #deactivate(lane: Lane, webhook: Webhook, fault: string): Promise<void> {
    lane.rest();
    try {
      await this.#parts.deactivate(webhook, fault);
    } catch (error) {
      lane.resume();
      throw error;
    }
  }

  #pump(lane: Lane): void {
    if (this.#isStopping || !this.#isOurs(lane)) return;
    while (lane.hasTurn && this.#hasRoomFor(lane)) this.#begin(lane);
    if (lane.hasTurn) this.#waiting.add(lane);
    const fetch = lane.beginFetch();
    if (fetch === null) return;
    const { after, count } = fetch;
    const call: OutboxCall = {
      ...{ kind: 'outbox-due' as const, webhookId: lane.id, after },
      ...{ nowMs: this.#parts.nowMs(), count },
    };
    this.#parts.ask(lane.shard, call).then(
      (due) => {
        // What is fetched again and again is waiting to be settled: the next tick looks anew.
        if (lane.took(fetch, due as DueEntries)) this.#pump(lane);
      },
      (error: unknown) => {
        lane.fetchFailed();
        this.#onFault(lane.shard, error);
      },
    );
  }

  /** Under the lease under which it was found. */
  #isOurs(lane: Lane): boolean {
    return this.#parts.epochOf(lane.shard) === lane.epoch;
  }

  #hasRoomFor(lane: Lane): boolean {
    return this.#settlements.count < UNSETTLED_COUNT_MAX && this.#turns.hasRoomFor(lane);
  }

  #begin(lane: Lane): void {
    const end = this.#turns.take(lane);
    const attempt = this.#attempt(lane, lane.begin())
      .catch(this.#parts.onFault)
      .finally(() => {
        end();
        this.#attempts.delete(attempt);
        this.#pump(lane);
        this.#nextTurns();
      });
    this.#attempts.add(attempt);
  }

  /** One each, so that everybody who waits has a turn before anybody has two. */
  #nextTurns(): void {
    for (const lane of this.#waiting) {
      if (this.#isStopping || !this.#turns.hasRoom) return;
      if (lane.hasTurn && !this.#hasRoomFor(lane)) continue;
      this.#waiting.delete(lane);
      if (lane.hasTurn && this.#isOurs(lane)) this.#begin(lane);
    }
  }

  async #attempt(lane: Lane, entry: OutboxEntry): Promise<void> {
    const webhook = lane.webhook as Webhook;
    const outcome = await this.#parts.send(webhook, entry);
    const isTaken = outcome.error === '';
    metrics.webhookAttempts.add(1, isTaken ? 0 : 1);
    // Ended by ourselves, it says nothing of the receiver: the next start sends it.
    if (this.#isStopping && outcome.status === null) {
      lane.givenBack();
      return;
    }
    const failures = lane.ended(isTaken);
    const wait = isTaken ? null : waitMs(entry.attempts + 1, this.#parts.random());
    const againMs = wait === null ? null : this.#parts.nowMs() + wait;
    this.#settlements.add(lane, { entry, outcome, againMs, failures });
    if (failures > WEBHOOK_FAILURE_COUNT_MAX && !lane.isResting) {
      await this.#deactivate(lane, webhook, outcome.error);
    }
  }

  #measure(): void {
    let entries = 0;
    let bytes = 0;
    for (const { head } of this.#lanes.values()) {
      entries += head.entries;
      bytes += head.bytes;
    }
    metrics.outboxEntries.set(entries);
    metrics.outboxBytes.set(bytes);
  }

  #shed(beforeMs: number | null): void {
    const lanes = [...this.#lanes.values()].filter((lane) => this.#isOurs(lane));
    this.#sheds.look(lanes, beforeMs).catch(this.#parts.onFault);
  }

  #drop(shard: ShardId): void {
    for (const lane of this.#lanes.values()) if (lane.shard === shard) this.#forget(lane);
    this.#unknown.set(shard, this.#parts.nowMs());
  }

  #forget(lane: Lane): void {
    lane.rest();
    this.#waiting.delete(lane);
    if (this.#lanes.get(lane.id) === lane) this.#lanes.delete(lane.id);
  }

  #onFault(shard: ShardId, error: unknown): void {
    if (error instanceof OperatingError && error.code === 'SHARD_MOVED') this.#drop(shard);
    else this.#parts.onFault(error);
  }
}
