/** Memory of its own that the service has over a run: its peak, and whether it goes on growing. */
import { readFileSync } from 'node:fs';

/**
 * What a service may still gain when half of a run is behind it; a leak per request gains more. Young
 * generations grow to a share of what the service may take: most of it is theirs.
 */
const GROWTH_SHARE = 0.1;
/** Below that a run is over before heaps have found their sizes: at 1 GiB it takes some 300,000. */
const REQUESTS_TO_JUDGE = 400_000;

/** Looks at a process. */
export class MemoryWatch {
  /** Megabytes, in order. */
  readonly #looks: number[] = [];

  /** Looks once, as the kernel counts. @param pid 0: there is none at the moment. */
  look(pid: number): void {
    if (pid === 0) return;
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      // Not what is mapped of files: the registry and its history are on disk.
      const kilobytes = Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0);
      if (kilobytes > 0) this.#looks.push(Math.round(kilobytes / 1_024));
    } catch {
      // It has just ended, which is told elsewhere.
    }
  }

  get peakMegabytes(): number {
    return this.#looks.reduce((most, one) => Math.max(most, one), 0);
  }

  /** The median of each quarter of the run. */
  get quarters(): number[] {
    const looks = this.#looks;
    return [0, 1, 2, 3].map((quarter) => {
      const start = Math.floor((looks.length * quarter) / 4);
      const part = looks.slice(start, Math.floor((looks.length * (quarter + 1)) / 4));
      return part.toSorted((left, right) => left - right)[part.length >> 1] ?? 0;
    });
  }

  /** @returns what is wrong, one line; '' when nothing is. */
  fault(megabytesMax: number, requests: number): string {
    const growthMax = megabytesMax * GROWTH_SHARE;
    if (this.peakMegabytes > megabytesMax) return `it took ${this.peakMegabytes} MB`;
    const [, second = 0, , last = 0] = this.quarters;
    if (requests < REQUESTS_TO_JUDGE || last - second <= growthMax) return '';
    return `it grew from ${second} MB in the second quarter to ${last} MB in the last`;
  }
}
