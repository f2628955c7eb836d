/**
 * One interface to "a domain that takes hits and answers statistics", with two things behind it:
 * the oracle (in memory) and the running service (over HTTP). The worked examples run on both, which
 * validates the oracle before it is used to judge the service.
 */
import type { ApiClient, BatchAnswer } from './client.ts';
import { NO_CONVERSIONS } from './conversions.ts';
import { endpointOf, type Item, modelHitOf, runsOfOneKind, wireOf } from './notation.ts';
import { type CollectionAnswer, collect } from './oracle/collect.ts';
import { type Deletion, erase } from './oracle/erase.ts';
import type { RawParameters } from './oracle/question.ts';
import { answer } from './oracle/statistics.ts';
import { type Conversions, emptyWorld } from './oracle/world.ts';
import { queryString } from './query-string.ts';

export interface Bench {
  /** Sends items in their order, as batches of one kind each. @returns the answer of each batch. */
  send(items: readonly Item[], idempotencyKey?: string): Promise<CollectionAnswer[]>;
  /** Deletes statistics; that it is over may be noticed later. */
  erase(deletion: Deletion): Promise<void>;
  /** Defines goals and a funnel, which `goals` and `funnel` then tell of. */
  define(conversions: Conversions): Promise<void>;
  /** A statistic with exactly these parameters besides `id`. */
  ask(name: string, parameters: RawParameters): Promise<unknown>;
  /** Whether `ask` can answer that statistic already. */
  answers(name: string): boolean;
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
    answers: () => true,
    dropped: () => world.dropped,
  };
}

export interface HttpBenchOptions {
  domainId: string;
  hostname: string;
  writer: ApiClient;
  reader: ApiClient;
  /** Statistics that the service does not have yet. */
  missing: ReadonlySet<string>;
}

/** The answer of a batch as the oracle gives it: the texts of the errors are the service's own. */
export function placesOf({ accepted, rejected }: BatchAnswer): CollectionAnswer {
  return { accepted, rejected: rejected.map(({ index }) => index) };
}

/** A domain of the running service, through the batch endpoints. */
export function httpBench(options: HttpBenchOptions): Bench {
  const { domainId, hostname, writer, reader, missing } = options;
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
    answers: (name) => !missing.has(name),
    dropped: () => null,
  };
}
