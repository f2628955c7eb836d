/**
 * A run of the load program: signs in, looks whether the target takes hits, loads it at one rate or at
 * rising ones, asks statistics beside that, and holds what was acknowledged against what was counted.
 *
 * Control plane.
 */
import { availableParallelism, cpus } from 'node:os';
import { systemClock } from '../base/clock.ts';
import { packageVersion } from '../settings/package-root.ts';
import { FootfallSite } from './footfall-site.ts';
import { LimitSearch } from './limit-search.ts';
import {
  checkOf,
  type LoadReport,
  OWN_CPU_SHARE_MAX,
  type QueryLine,
  type Step,
  stepOf,
} from './load-report.ts';
import { prepare } from './prepared.ts';
import { probe } from './probe.ts';
import { endpointOf } from './send/connection.ts';
import { Requests, requestBytes } from './send/requests.ts';
import { type Fates, type Second, Stream, type StreamResult } from './send/stream.ts';
import type { LoadWish } from './wish.ts';

/** A site of nobody, for targets that do not say whose hits they take. */
const HOSTNAME = 'load.example';
const OPEN_MS_MAX = 10_000;
/** Told how it goes. */
export interface LoadWatch {
  /** A line for people. */
  tell(line: string): void;
  onSecond(second: Second, of: { rate: number; batch: number }): void;
}

/** One run. */
export class LoadRun {
  readonly #wish: LoadWish;
  readonly #watch: LoadWatch;
  /** Of everything that was sent, the probe and all warm-ups included, in hits. */
  readonly #fates: Fates = { sent: 0, accepted: 0, refused: 0, unanswered: 0 };
  readonly #streams = new Set<Stream>();
  readonly #steps: Step[] = [];
  readonly #queries = new Map<string, StreamResult[]>();
  #wasStopped = false;

  constructor(wish: LoadWish, watch: LoadWatch) {
    this.#wish = wish;
    this.#watch = watch;
  }

  /** Ends it early: what was measured so far is reported. */
  stop(): void {
    this.#wasStopped = true;
    for (const stream of this.#streams) stream.stop();
  }

  /** @throws BENCH_REFUSED when the target is not there or takes no hits. */
  async run(): Promise<LoadReport> {
    const { target, batch } = this.#wish;
    const service = await this.#signIn();
    const hostname = service?.hostname ?? (target.hostname || HOSTNAME);
    const key = target.key === '' && service !== null ? service.token : target.key;
    const requests = prepare(this.#wish, hostname, { site: target.site || hostname, key });
    const before = (await service?.counted()) ?? null;
    await probe(target, requests);
    this.#fates.accepted += batch;
    if (this.#wish.limitMs === null) await this.#step(requests, this.#wish.rate, service);
    else await this.#findLimit(requests, service);
    if (service !== null) this.#watch.tell('asking what was counted');
    const after = (await service?.counted()) ?? null;
    return {
      version: packageVersion(),
      date: new Date(systemClock()).toISOString(),
      target: { product: target.product.name, url: target.url.origin, hostname },
      load: {
        ...{ mix: this.#wish.mix, seed: this.#wish.seed, batch },
        connections: this.#wish.connections,
        warmUpSeconds: this.#wish.warmUpSeconds,
        limitMs: this.#wish.limitMs,
      },
      machine: {
        node: process.version,
        cpu: cpus()[0]?.model ?? 'unknown',
        cores: availableParallelism(),
      },
      steps: this.#steps,
      queries: this.#queryLines(),
      check: before === null || after === null ? null : checkOf(this.#fates, before, after),
      wasStopped: this.#wasStopped,
    };
  }

  async #signIn(): Promise<FootfallSite | null> {
    const { product, clientId, clientSecret, url, hostname } = this.#wish.target;
    if (product.name !== 'footfall' || clientId === '') return null;
    return await FootfallSite.open({ url, clientId, clientSecret, hostname });
  }

  /** Steps at rates that rise until the limit breaks, and then narrow the place down. */
  async #findLimit(requests: Requests, service: FootfallSite | null): Promise<void> {
    const search = new LimitSearch();
    let rate: number | null = this.#wish.rate;
    while (rate !== null) {
      const step = await this.#step(requests, rate, service);
      if (this.#wasStopped) return;
      if (step.isWithin === true && step.ownCpuShare > OWN_CPU_SHARE_MAX) {
        this.#watch.tell('the load program is at its own limit: give it a core of its own');
        return;
      }
      rate = search.after(rate, step.isWithin === true);
    }
  }

  async #step(requests: Requests, rate: number, service: FootfallSite | null): Promise<Step> {
    const { target, batch, connections, seconds, warmUpSeconds, patienceMs, limitMs } = this.#wish;
    const { isRefused } = target.product;
    const shared = { endpoint: endpointOf(target.url), seconds, warmUpSeconds, patienceMs };
    const hits = new Stream({
      ...{ ...shared, requests, connections, rate: rate / batch },
      ...(isRefused === undefined ? {} : { isRefused }),
    });
    const questions = service === null ? [] : this.#questionStreams(service, shared);
    const streams = [hits, ...questions.map(({ stream }) => stream)];
    for (const stream of streams) this.#streams.add(stream);
    this.#watch.tell(
      `${Math.round(rate)} hits/s for ${seconds} s, after ${warmUpSeconds} s of warm-up`,
    );
    await Promise.all(streams.map((stream) => stream.open(OPEN_MS_MAX)));
    if (this.#wasStopped) this.stop();
    const [result] = await Promise.all([
      hits.run((second) => this.#watch.onSecond(second, { rate, batch })),
      ...questions.map(async ({ name, stream }) => {
        const asked = await stream.run(() => undefined);
        this.#queries.set(name, [...(this.#queries.get(name) ?? []), asked]);
      }),
    ]);
    for (const stream of streams) this.#streams.delete(stream);
    for (const [fate, count] of Object.entries(result.total) as [keyof Fates, number][]) {
      this.#fates[fate] += count * batch;
    }
    const step = stepOf(result, { rate, batch, limitMs });
    this.#steps.push(step);
    return step;
  }

  /** A stream a statistic, so that each has its own latencies. */
  #questionStreams(
    service: FootfallSite,
    shared: Pick<
      ConstructorParameters<typeof Stream>[0],
      'endpoint' | 'seconds' | 'warmUpSeconds' | 'patienceMs'
    >,
  ): { name: string; stream: Stream }[] {
    const { queries, target } = this.#wish;
    if (queries === null) return [];
    return queries.names.map((name) => {
      const bytes = requestBytes(service.question(name), target.url.host);
      const requests = new Requests([bytes], { visitBase: 0, freshBase: 0 }, systemClock);
      const rate = queries.rate / queries.names.length;
      return { name, stream: new Stream({ ...shared, requests, connections: 2, rate }) };
    });
  }

  #queryLines(): QueryLine[] {
    return [...this.#queries].map(([name, results]) => {
      const [first, ...others] = results;
      for (const { latencies } of others) first!.latencies.add(latencies);
      const failed = results.reduce(
        (sum, { measured, notSent }) => sum + measured.refused + measured.unanswered + notSent,
        0,
      );
      return { name, latency: first!.latencies.percentiles, failed };
    });
  }
}
