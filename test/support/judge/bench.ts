/**
 * One interface to "a domain that takes hits and answers statistics", with two things behind it:
 * the oracle (in memory) and the running service (over HTTP). The worked examples run on both, which
 * validates the oracle before it is used to judge the service.
 */
import type { ApiClient, BatchAnswer } from '../clients/client.ts';
import { queryString } from '../clients/query-string.ts';
import type { TestSite } from '../domains.ts';
import type { RawParameters } from '../oracle/answers/question.ts';
import { answer } from '../oracle/answers/statistics.ts';
import { type CollectionAnswer, collect } from '../oracle/collect/collect.ts';
import { type Deletion, erase } from '../oracle/collect/erase.ts';
import type { ImportAction } from '../oracle/collect/imports.ts';
import { type Conversions, emptyWorld } from '../oracle/world.ts';
import { NO_CONVERSIONS } from '../traffic/conversions.ts';
import { endpointOf, type Item, modelHitOf, runsOfOneKind, wireOf } from '../traffic/notation.ts';

export interface Bench {
  /** Sends items in their order, as batches of one kind each. @returns the answer of each batch. */
  send(items: readonly Item[], idempotencyKey?: string): Promise<CollectionAnswer[]>;
  /** Deletes statistics; that it is over may be noticed later. */
  erase(deletion: Deletion): Promise<void>;
  /** Takes sums of another product; absent where nothing does. */
  importSums?(action: ImportAction): Promise<void>;
  /** Defines goals and a funnel, which `goals` and `funnel` then tell of. */
  define(conversions: Conversions): Promise<void>;
  /** A statistic with exactly these parameters besides `id`. */
  ask(name: string, parameters: RawParameters): Promise<unknown>;
  /** Reasons of dropped items so far, null where they cannot be seen. */
  dropped(): string[] | null;
}

const HOSTNAME = 'example.org';

/** The oracle as a domain of its own. */
export function oracleBench(hostname = HOSTNAME): Bench {
  const world = emptyWorld();
  let conversions: Conversions = NO_CONVERSIONS;
  return {
    define: async (wanted) => {
      conversions = wanted;
    },
    send: async (items, idempotencyKey = '') =>
      runsOfOneKind(items).map((run) =>
        collect(
          world,
          run.map((item) => modelHitOf(item, hostname)),
          idempotencyKey,
        ),
      ),
    erase: async (deletion) => erase(world, deletion, 'UTC'),
    ask: async (name, parameters) =>
      answer(world, name, parameters, {
        ...{ nowMs: Date.now(), timezone: 'UTC', groupByTitle: false, conversions },
      }),
    dropped: () => world.dropped,
  };
}

export interface HttpBenchOptions {
  domainId: string;
  hostname: string;
  writer: ApiClient;
  reader: ApiClient;
}

/** The answer of a batch as the oracle gives it: the texts of the errors are the service's own. */
export function placesOf({ accepted, rejected }: BatchAnswer): CollectionAnswer {
  return { accepted, rejected: rejected.map(({ index }) => index) };
}

/** A domain of the running service, through the batch endpoints. */
export function httpBench(options: HttpBenchOptions): Bench {
  const { domainId, hostname, writer, reader } = options;
  let funnelId = '';
  return {
    define: async ({ goals, steps }) => {
      const domain = { domain_id: domainId };
      for (const goal of goals) await reader.create('goal', { ...domain, ...goal });
      const made = await reader.create('funnel', { ...domain, name: 'funnel', steps });
      funnelId = made.id;
    },
    send: async (items, idempotencyKey = '') => {
      const answers: CollectionAnswer[] = [];
      for (const run of runsOfOneKind(items)) {
        const endpoint = `${endpointOf(run[0] as Item)}/batch`;
        const body = run.map((item) => wireOf(item, hostname));
        const got = await writer.collect(endpoint, body, idempotencyKey);
        answers.push(placesOf(got as BatchAnswer));
      }
      return answers;
    },
    erase: async (deletion) => {
      const parameters = queryString({ id: domainId, ...deletion });
      const answer = await reader.request('DELETE', `/api/v1/statistics${parameters}`);
      if (answer.status !== 200) throw new Error(`the deletion was answered ${answer.status}`);
    },
    ask: async (name, parameters) => {
      const which = name === 'funnel' ? { funnel_id: funnelId } : {};
      return reader.statistics(name, { id: domainId, ...which, ...parameters });
    },
    dropped: () => null,
  };
}

/** The next domain of a site, as a bench. */
export async function siteBench(site: TestSite): Promise<Bench> {
  const domain = await site.next();
  const { id: domainId, hostname } = domain;
  const { reader } = site;
  return httpBench({ domainId, hostname, writer: site.writerOf(domain), reader });
}
