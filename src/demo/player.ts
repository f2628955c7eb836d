/**
 * Sends the simulated traffic through the public API and enters every answer in the ledger.
 *
 * Control plane. Within a visit a request is sent only after the one before it was acknowledged, as
 * a browser would: so an event never overtakes the page view that it belongs to.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMs, systemClock } from '../base/clock.ts';
import { SECOND_MS } from '../model/limits.ts';
import type { ApiClient } from './client.ts';
import type { Ledger } from './ledger.ts';
import {
  type Arrival,
  PAST_BATCH_SPAN_MS,
  type PastStep,
  presentHurry,
  type Traffic,
} from './simulator/traffic.ts';
import type { Step, StepKind } from './simulator/visitor.ts';

/** Visitors underway at once; beyond it nobody new arrives until the service has caught up. */
const VISITS_MAX = 20_000;
/** How often new visitors arrive. */
const ARRIVAL_MS = 50;
/** Items of one batch of the past; the limit of the API is far above. */
const PAST_BATCH_ITEMS = 2_000;

const KINDS: readonly StepKind[] = ['hit', 'event', 'session'];

/** Plays traffic against one service. */
export class Player {
  readonly #client: ApiClient;
  readonly #ledger: Ledger;
  readonly #accessKeys: ReadonlyMap<string, string>;
  readonly #sending = new Set<Promise<boolean>>();
  #visitsUnderway = 0;
  #batchCount = 0;

  /** @param options.accessKeys hostname of a site → its access key. */
  constructor(options: {
    client: ApiClient;
    ledger: Ledger;
    accessKeys: ReadonlyMap<string, string>;
  }) {
    this.#client = options.client;
    this.#ledger = options.ledger;
    this.#accessKeys = options.accessKeys;
  }

  /** Sends what happened on a site in the past, in batches, in order of time. */
  async sendPast(hostname: string, steps: readonly PastStep[]): Promise<void> {
    for (const batch of pastBatches(steps)) {
      for (const kind of KINDS) {
        const items = batch.filter(({ step }) => step.kind === kind);
        if (items.length > 0) await this.#sendBatch(hostname, kind, items);
      }
    }
  }

  /** Lets visitors arrive until the signal, then waits for the answers that are still out. */
  async playPresent(traffic: Traffic, signal: AbortSignal): Promise<void> {
    const beginMs = monotonicMs();
    let lastMs = beginMs;
    while (!signal.aborted) {
      const nowMs = monotonicMs();
      const arrivals = traffic.arrivals(nowMs - beginMs, Math.min(nowMs - lastMs, SECOND_MS));
      lastMs = nowMs;
      for (const arrival of arrivals) void this.#play(arrival, traffic, signal);
      await sleep(ARRIVAL_MS);
    }
    await Promise.all(this.#sending);
  }

  async #play(arrival: Arrival, traffic: Traffic, signal: AbortSignal): Promise<void> {
    const { site, visit } = arrival;
    const startMs = monotonicMs();
    let goesOn = this.#visitsUnderway < VISITS_MAX;
    this.#visitsUnderway++;
    for (let index = 0; goesOn && index < visit.steps.length; index++) {
      const step = visit.steps[index] as Step;
      await sleep(startMs + step.atMs / presentHurry - monotonicMs());
      if (signal.aborted) break;
      const sending = this.#sendStep(site.hostname, step, visit.visitor.isBot);
      this.#sending.add(sending);
      goesOn = await sending;
      this.#sending.delete(sending);
    }
    this.#visitsUnderway--;
    traffic.leave(arrival);
  }

  async #sendStep(hostname: string, step: Step, isBot: boolean): Promise<boolean> {
    const hits = { kind: step.kind, isBot, count: 1 };
    try {
      const { status, latencyMs } = await this.#client.send({
        path: `/api/v1/${step.kind}`,
        token: this.#tokenOf(hostname),
        body: JSON.stringify(step.body),
      });
      this.#ledger.answered(hostname, { ...hits, status });
      this.#ledger.timed(latencyMs);
      return status === 200;
    } catch {
      // Nobody knows whether it was stored: the ledger allows for both.
      this.#ledger.answered(hostname, { ...hits, status: 0 });
      return false;
    }
  }

  async #sendBatch(hostname: string, kind: StepKind, items: readonly PastStep[]): Promise<void> {
    const body = items.map(({ step, timeMs }) => ({
      ...step.body,
      time: new Date(timeMs).toISOString(),
    }));
    const { status } = await this.#client.send({
      path: `/api/v1/${kind}/batch`,
      token: this.#tokenOf(hostname),
      body: JSON.stringify(body),
      idempotencyKey: `demo-${systemClock()}-${this.#batchCount++}`,
    });
    const bots = items.filter(({ isBot }) => isBot).length;
    this.#ledger.answered(hostname, { kind, isBot: true, count: bots, status });
    this.#ledger.answered(hostname, { kind, isBot: false, count: items.length - bots, status });
  }

  #tokenOf(hostname: string): string {
    return this.#accessKeys.get(hostname) ?? '';
  }
}

/** Cuts the past where a batch is full or spans too much time. */
function* pastBatches(steps: readonly PastStep[]): Iterable<readonly PastStep[]> {
  let first = 0;
  for (let next = 1; next <= steps.length; next++) {
    const start = steps[first] as PastStep;
    const isLast = next === steps.length;
    const isFull = next - first === PAST_BATCH_ITEMS;
    const isLong = !isLast && (steps[next] as PastStep).timeMs - start.timeMs >= PAST_BATCH_SPAN_MS;
    if (!isLast && !isFull && !isLong) continue;
    yield steps.slice(first, next);
    first = next;
  }
}

/**
 * Waits. Hundreds of visitors read at once, so there is no listener on a signal for each: who wakes
 * up after the end goes home, and nobody asleep keeps the process alive.
 */
async function sleep(ms: number): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { ref: false });
}
