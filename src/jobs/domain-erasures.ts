/**
 * Erases the statistics of deleted domains (M-11): whatever the registry says is still to be erased.
 *
 * Control plane. One per node, on its first edge. The record that deletes a domain says that its
 * statistics are to be erased, so nothing is forgotten however processes end; the entry goes when the
 * deletion is durable in the log, from where on nothing can stop it.
 *
 *     DELETE domain ─▶ entry seen ── 5 to 10 s ──▶ submitErasure ── durable ──▶ entry removed
 *                          └── nodes that have not seen the deletion yet still take hits ──┘
 *
 * It waits, since other nodes take hits until they see the deletion, and an erasure takes only what
 * stands before it in the log. The wait is counted by this process from when it saw the entry: the
 * clocks of two nodes may differ. Of several nodes one is mostly first, since each waits for a time of
 * its own; erasing twice does no harm.
 */
import { monotonicMs } from '../base/clock.ts';
import { randomBelow } from '../base/random.ts';
import { deleted } from '../control/descriptor/draft.ts';
import type { Registry } from '../control/registry/registry.ts';
import { erasure } from '../control/resources/erasure.ts';
import type { Erasure } from '../model/erasure.ts';
import { asDomainId } from '../model/ids.ts';
import {
  ERASURE_COUNT_PER_TURN,
  ERASURE_WAIT_MS_MAX,
  ERASURE_WAIT_MS_MIN,
  SECOND_MS,
} from '../model/limits.ts';

/** What it needs of its thread. */
export interface DomainErasuresParts {
  readonly registry: Registry;
  /** As `HitsPort` of the endpoints has it. */
  readonly submitErasure: (erasure: Erasure, done: (error: Error | null) => void) => void;
  /** The wall clock, for the record that removes entries. */
  readonly nowMs: () => number;
  /** Told when a turn fails; the next one tries again. */
  readonly onFault: (error: unknown) => void;
}

/** Looks at the registry every second until it is stopped. */
export class DomainErasures {
  readonly #parts: DomainErasuresParts;
  /** When each entry is due, by this process's own clock. */
  readonly #dueMs = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #turn: Promise<void> | null = null;

  constructor(parts: DomainErasuresParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#take(), SECOND_MS);
    this.#timer.unref();
  }

  /** Ends it; what is still to be erased is for the next start, or for another node. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#turn;
  }

  #take(): void {
    if (this.#turn !== null) return;
    const due = this.#due(monotonicMs());
    if (due.length === 0) return;
    this.#turn = this.#carryOut(due)
      .catch(this.#parts.onFault)
      .finally(() => {
        this.#turn = null;
      });
  }

  #due(atMs: number): string[] {
    const { view } = this.#parts.registry;
    const due: string[] = [];
    if (view.count(erasure) === 0) {
      this.#dueMs.clear();
      return due;
    }
    for (const { id } of view.all(erasure)) {
      const known = this.#dueMs.get(id);
      if (known === undefined) this.#dueMs.set(id, atMs + waitMs());
      else if (known <= atMs && due.length < ERASURE_COUNT_PER_TURN) due.push(id);
    }
    return due;
  }

  async #carryOut(ids: readonly string[]): Promise<void> {
    const { registry, nowMs, onFault } = this.#parts;
    const outcomes = await Promise.all(ids.map((id) => this.#erase(id)));
    const fault = outcomes.find((outcome) => outcome !== null);
    if (fault !== undefined) onFault(fault);
    const erased = ids.filter((_, index) => outcomes[index] === null);
    await registry.change({ nowMs: nowMs(), by: { kind: 'node', id: '' } }, (view) =>
      // Another node may have been first.
      erased.filter((id) => view.has(erasure.name, id)).map((id) => deleted(erasure, id)),
    );
    for (const id of erased) this.#dueMs.delete(id);
  }

  /** @returns null once it is durable. */
  #erase(id: string): Promise<Error | null> {
    const everything: Erasure = {
      ...{ domainId: asDomainId(id), kind: '' },
      ...{ startMs: 0, endMs: Number.MAX_SAFE_INTEGER },
    };
    return new Promise((resolve) => {
      this.#parts.submitErasure(everything, resolve);
    });
  }
}

function waitMs(): number {
  return ERASURE_WAIT_MS_MIN + randomBelow(ERASURE_WAIT_MS_MAX - ERASURE_WAIT_MS_MIN);
}
