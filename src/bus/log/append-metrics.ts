/**
 * What is counted of the way from an edge to the log: hits by kind and outcome, what waits, and the
 * appends.
 *
 * Data plane. Hits are counted by kind as they come and by outcome once per append.
 */

import { monotonicMs } from '../../base/clock.ts';
import type { HitGroup } from '../../model/hit.ts';
import { metrics } from '../../model/metrics.ts';

const KIND_COUNT = 3;
/** By kind: as what it is counted. A session that comes back is no hit, its rows are; −1: as nothing. */
const COUNTED_AS: readonly number[] = [0, 1, 2, -1, 0, 1, -1];
const ACKNOWLEDGED = 0;
const REFUSED = 1;

/** Counts for one edge, which has one append in flight at a time. */
export class AppendMetrics {
  /** Of the hits that wait, by kind; of those in flight. */
  #waiting = new Uint32Array(KIND_COUNT);
  #inFlight = new Uint32Array(KIND_COUNT);
  #startMs = 0;

  /** A group waits for the next append, with so many hits and bytes in all. */
  waits({ hits }: HitGroup, pendingHits: number, pendingBytes: number): void {
    const waiting = this.#waiting;
    for (let index = 0; index < hits.length; index++) {
      const kind = COUNTED_AS[hits[index]!.kind]!;
      if (kind >= 0) waiting[kind]! += 1;
    }
    metrics.pendingHits.set(pendingHits);
    metrics.pendingBytes.set(pendingBytes);
  }

  /** Everything that waited is handed over. */
  handedOver(bytes: number): void {
    const settled = this.#inFlight;
    this.#inFlight = this.#waiting;
    this.#waiting = settled.fill(0);
    this.#startMs = monotonicMs();
    metrics.appendBytes.record(bytes);
    metrics.pendingHits.set(0);
    metrics.pendingBytes.set(0);
  }

  /** What was handed over is durable, or none of it counts. */
  settled(isStored: boolean): void {
    if (isStored) metrics.appendSeconds.recordMs(monotonicMs() - this.#startMs);
    const outcome = isStored ? ACKNOWLEDGED : REFUSED;
    for (let kind = 0; kind < KIND_COUNT; kind++) {
      metrics.hits.add(this.#inFlight[kind]!, kind, outcome);
    }
  }

  /** Groups are not taken. */
  refused(groups: readonly HitGroup[]): void {
    for (const { hits } of groups) {
      for (const { kind } of hits) {
        const counted = COUNTED_AS[kind]!;
        if (counted >= 0) metrics.hits.add(1, counted, REFUSED);
      }
    }
  }
}
