/**
 * The edge's work on a request once its bytes are there: parse, check, enrich, write down.
 *
 * Beside it the same with `JSON.parse` for the reader of hits, and each of the two alone; and the
 * same hits sent by programs, which are dropped and counted (P-31).
 */

import { collectEndpoints } from '../../src/api/collect/collect.ts';
import type { Call, Endpoint } from '../../src/api/endpoint.ts';
import type { Ports } from '../../src/api/ports.ts';
import { assert } from '../../src/base/assert.ts';
import { HitWriter } from '../../src/bus/log/hit-writer.ts';
import type { Domain } from '../../src/control/resources/domain.ts';
import { readHits } from '../../src/edge/body/hit-reader.ts';
import { parseJson } from '../../src/edge/body/json-text.ts';
import { siteWith } from '../../src/ingest/page/site.ts';
import { visitAddress } from '../../src/load/hits/placeholders.ts';
import type { Credential } from '../../src/model/credential.ts';
import { asShardId, BEGINNING } from '../../src/model/ids.ts';
import { openPipeline, START_MS } from '../harness/data/workload.ts';
import { batchBodies, POOL_HOSTNAME, pooledHits, singleBodies } from '../harness/load/pool.ts';
import { benchmark } from '../harness/suite.ts';

const BATCH_HITS = 99;
/** In turn, so that no neighbours are alike. */
const PROGRAMS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
];
const DOMAIN = { id: 'bench', hostname: POOL_HOSTNAME } as unknown as Domain;
const SITE = siteWith(DOMAIN.id, POOL_HOSTNAME);
const CREDENTIAL = { domainId: DOMAIN.id, kind: 'key' } as unknown as Credential;

benchmark('api/collect: from the bytes of requests to a record', ({ seed, size }) => {
  const visits = size({ smoke: BATCH_HITS, full: BATCH_HITS * 20 });
  const hits = pooledHits({ seed, visits });
  const bytesOf = (bodies: readonly string[]) =>
    bodies.map((body) =>
      Buffer.from(body.replaceAll(/visit-(\d+)/g, (_, visit) => visitAddress(Number(visit)))),
    );
  const batchOf = { size: BATCH_HITS, timeMs: START_MS };
  const singles = bytesOf(singleBodies(hits));
  const batches = bytesOf(batchBodies(hits, batchOf));
  const bots = hits.map((hit, index) => ({
    ...hit,
    user_agent: PROGRAMS[index % PROGRAMS.length] as string,
  }));
  const botSingles = bytesOf(singleBodies(bots));
  const botBatches = bytesOf(batchBodies(bots, batchOf));
  const readAll = (bodies: readonly Buffer[], read: Read) => {
    let count = 0;
    for (const body of bodies) if (read(body) !== undefined) count++;
    return count;
  };
  const single = endpointAt('/api/v1/hit');
  const batch = endpointAt('/api/v1/hit/batch');
  const { length: elements } = hits;
  return {
    'single hits': { elements, run: () => collectAll(single, singles, readHits) },
    'single hits, JSON.parse': { elements, run: () => collectAll(single, singles, parseJson) },
    'single hits, only read': { elements, run: () => readAll(singles, readHits) },
    'single hits, only JSON.parse': { elements, run: () => readAll(singles, parseJson) },
    'single hits, all of programs': {
      elements,
      run: () => collectAll(single, botSingles, readHits),
    },
    'batches, all of programs': { elements, run: () => collectAll(batch, botBatches, readHits) },
    batches: { elements, run: () => collectAll(batch, batches, readHits) },
    'batches, JSON.parse': { elements, run: () => collectAll(batch, batches, parseJson) },
    'batches, only read': { elements, run: () => readAll(batches, readHits) },
    'batches, only JSON.parse': { elements, run: () => readAll(batches, parseJson) },
  };
});

type Read = (bytes: Buffer) => unknown;

const pipeline = openPipeline();

/** @returns how many requests wait for their record. */
function collectAll(endpoint: Endpoint, bodies: readonly Buffer[], read: Read): number {
  let waiting = 0;
  // Gathers and never appends: the event loop does not turn while this runs.
  const appender = {
    append: (_: unknown, done: (error: Error | null) => void) => done(null),
    durableSequence: () => BEGINNING,
    hasten: () => undefined,
    backlogBytes: () => 0,
  };
  const ports = {
    access: { domain: () => DOMAIN, siteOf: () => SITE },
    hits: new HitWriter(appender, () => asShardId(0)),
    pipeline,
  } as unknown as Ports;
  for (const bytes of bodies) {
    const call: Call = {
      receivedMs: START_MS,
      query: '',
      host: '',
      hasSession: false,
      pathPart: '',
      idempotencyKey: null,
      file: null,
      credential: CREDENTIAL,
      visitor: null,
      isHead: false,
      body: read(bytes),
      whenStored: () => () => undefined,
      onLeft: () => undefined,
      countAs: () => () => undefined,
    };
    if (answerOf(endpoint.handle(call, ports)) === null) waiting++;
  }
  return waiting;
}

/** What a handler answers, its slices in one go. */
function answerOf(answer: ReturnType<Endpoint['handle']>): unknown {
  if (answer === null || typeof answer !== 'object' || !('next' in answer)) return answer;
  let slice = answer.next();
  while (slice.done !== true) slice = answer.next();
  return slice.value;
}

function endpointAt(path: string): Endpoint {
  const endpoint = collectEndpoints.find((candidate) => candidate.path === path);
  assert(endpoint !== undefined, 'the endpoint is there');
  return endpoint;
}
