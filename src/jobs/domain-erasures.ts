/**
 * Erases the statistics of deleted domains (M-11): whatever the registry says is still to be erased.
 *
 * Control plane. One node does it, that which owns the first shard. The record that deletes a
 * domain says that its statistics are to be erased, so nothing is forgotten however processes end;
 * the entry goes when the deletion is durable in the log, from where on nothing can stop it.
 *
 *     DELETE domain ─▶ entry seen ── 5 to 10 s ──▶ submitErasure ── durable ──▶ entry removed
 *                          └── nodes that have not seen the deletion yet still take hits ──┘
 *
 * It waits, since other nodes take hits until they see the deletion, and an erasure takes only what
 * stands before it in the log. The wait is counted by this process from when it saw the entry: the
 * clocks of two nodes may differ. Erasing twice, where the lease moves in between, does no harm.
 */
import { monotonicMs } from '../base/clock.ts';
import { randomBelow } from '../base/random.ts';
import { deleted } from '../control/descriptor/draft.ts';
import { erasure } from '../control/resources/erasure.ts';
import type { Erasure } from '../model/erasure.ts';
import { asDomainId } from '../model/ids.ts';
import {
  ERASURE_COUNT_PER_TURN,
  ERASURE_WAIT_MS_MAX,
  ERASURE_WAIT_MS_MIN,
} from '../model/limits.ts';
import type { JobContext, JobTurn } from './job.ts';

type Parts = Pick<JobContext, 'registry' | 'submitErasure' | 'nowMs'>;

/** The job of the erasures. */
export function domainErasures(parts: Parts): JobTurn {
  const erasures = new DomainErasures(parts);
  return () => erasures.take();
}

/** What is to be erased, and when it was first seen. */
class DomainErasures {
  readonly #parts: Parts;
  /** When each entry is due, by this process's own clock. */
  readonly #dueMs = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Carries out what is due. Rejects with the first fault; the rest is erased all the same. */
  async take(): Promise<void> {
    const due = this.#due(monotonicMs());
    if (due.length > 0) await this.#carryOut(due);
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
    const { registry, nowMs } = this.#parts;
    const outcomes = await Promise.all(ids.map((id) => this.#erase(id)));
    const erased = ids.filter((_, index) => outcomes[index] === null);
    await registry.change({ nowMs: nowMs(), by: { kind: 'node', id: '' } }, (view) =>
      // Another node may have been first.
      erased.filter((id) => view.has(erasure.name, id)).map((id) => deleted(erasure, id)),
    );
    for (const id of erased) this.#dueMs.delete(id);
    const fault = outcomes.find((outcome) => outcome !== null);
    if (fault !== undefined) throw fault;
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
