/**
 * Events of ever new visitors, in batches, and webhooks that are told of them.
 *
 * Control plane.
 */
import { processCpuMs } from '../process-cpu.ts';
import { type BenchDomain, type BenchService, settle } from '../service.ts';
import { NewVisitors } from './new-visitors.ts';

const BATCH = 100;
/** Checkpoints, and notes, are over by then. */
const SETTLE_MS = 2_000;
const APPLIED_MS_MAX = 300_000;
const DAY_MS = 86_400_000;

/** Events for the domains of one service. */
export class EventLoad {
  readonly service: BenchService;
  readonly #visitors: NewVisitors;
  #sent = 0;

  constructor(service: BenchService, seed: number) {
    this.service = service;
    this.#visitors = new NewVisitors(seed);
  }

  /**
   * Sends events to domains, a batch to each in turn.
   *
   * @returns processor time of the service, what follows the events within two seconds included.
   */
  async send(domains: readonly BenchDomain[], count: number): Promise<number> {
    const beforeMs = processCpuMs(this.service.pid);
    for (let done = 0; done < count; done += BATCH) {
      const { hostname, accessKey: token } = domains[(done / BATCH) % domains.length]!;
      const body = Array.from({ length: Math.min(BATCH, count - done) }, () =>
        this.#next(hostname),
      );
      await this.service.ask('/event/batch', { token, body: JSON.stringify(body) });
    }
    await settle(SETTLE_MS);
    return processCpuMs(this.service.pid) - beforeMs;
  }

  /** An answer has all that was acknowledged, and a checkpoint follows within a second. */
  async applied({ id }: BenchDomain): Promise<void> {
    const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
    const path = `/statistics/total?id=${id}&from=${day(-DAY_MS)}&to=${day(DAY_MS)}`;
    const startMs = performance.now();
    for (;;) {
      try {
        await this.service.ask(path);
        break;
      } catch (error) {
        // The actor is behind: it is asked again.
        if (performance.now() - startMs > APPLIED_MS_MAX) throw error;
        await settle(1_000);
      }
    }
    await settle(SETTLE_MS);
  }

  #next(hostname: string) {
    return {
      ...this.#visitors.next(hostname, (at) => `/page-${at % 500}`),
      ...{ time: new Date().toISOString(), event_name: 'sold' },
      event_meta: { order: String(this.#sent++), currency: 'EUR' },
    };
  }
}

/** A webhook of a domain. Every edge knows it within a second. */
export async function makeWebhook(
  service: BenchService,
  { id }: BenchDomain,
  event: string,
  endpoint: string,
): Promise<void> {
  const wanted = { domain_id: id, description: '', event, endpoint };
  await service.ask('/webhook', { body: JSON.stringify(wanted) });
}
