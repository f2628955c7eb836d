/**
 * Brings what the registry says of a domain's lanes into the log, where it takes effect.
 *
 * Control plane. One per node, in its first edge thread. The registry has no place in the order of hits,
 * a record of the log has: so when the time of a change has come it is appended to the domain's shard,
 * and tried again until it is durable. Every process announces every change once, because nobody knows
 * whether another one did; a record that tells nothing new is passed over by whoever applies it.
 */
import type { Log } from '../base/log.ts';
import { lanesAt } from '../control/splits.ts';
import type { Domain } from '../model/entities.ts';
import { SECOND_MS } from '../model/limits.ts';
import type { Split } from '../model/split.ts';

/** Pause before a change that is not due, or not durable, is looked at again. */
const LOOK_MS = SECOND_MS;

/** What an announcer needs from outside. */
export interface AnnouncerPorts {
  readonly registry: {
    readonly sequence: number;
    readonly view: { domains(): Iterable<Domain> };
  };
  /** `HitWriter`. */
  readonly hits: { submitSplit(split: Split, done: (error: Error | null) => void): void };
  readonly nowMs: () => number;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** A node's announcer. While nothing is to come it does nothing, and it keeps no process alive. */
export class SplitAnnouncer {
  readonly #ports: AnnouncerPorts;
  /** Domains with a split, as of `#sequence`. */
  #domains: readonly Domain[] = [];
  #sequence = -1;
  /** Generations of a domain that are in the log by this process's hand. */
  readonly #announced = new Map<string, number>();
  readonly #onTheirWay = new Set<string>();
  /** Domains of which it was said that they have to wait. */
  readonly #complained = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(ports: AnnouncerPorts) {
    this.#ports = ports;
  }

  /** Announces what is due; to be called at the start and when the registry has changed. */
  look(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#collect();
    const nowMs = this.#ports.nowMs();
    let isMoreToCome = false;
    for (const { id, split } of this.#domains) {
      const lanes = lanesAt(split, nowMs);
      const isDue = lanes.length > (this.#announced.get(id) ?? 1);
      if (isDue && !this.#onTheirWay.has(id)) this.#announce({ domainId: id, lanes });
      if (isDue || lanes !== split?.lanes) isMoreToCome = true;
    }
    if (isMoreToCome) this.#timer = setTimeout(() => this.look(), LOOK_MS).unref();
  }

  /** Announces nothing any more; what is on its way may still arrive. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #collect(): void {
    const { registry } = this.#ports;
    if (registry.sequence === this.#sequence) return;
    this.#sequence = registry.sequence;
    this.#domains = [...registry.view.domains()].filter(({ split }) => split !== undefined);
  }

  #announce(split: Split): void {
    const { domainId } = split;
    const lanes = split.lanes.at(-1);
    this.#onTheirWay.add(domainId);
    this.#ports.hits.submitSplit(split, (error) => {
      this.#onTheirWay.delete(domainId);
      if (error === null) {
        this.#announced.set(domainId, split.lanes.length);
        this.#complained.delete(domainId);
        this.#ports.log.info({ domainId, lanes }, 'the lanes of a site are in the log');
      } else if (!this.#complained.has(domainId)) {
        this.#complained.add(domainId);
        const text = 'the lanes of a site could not be brought into the log yet; it is tried again';
        this.#ports.log.warn({ domainId, lanes, err: error }, text);
      }
    });
  }
}
