/**
 * The load where wrk is not installed: autocannon, in this process of its own. Control plane.
 *
 * Argument: a JSON file with the plan of `load.ts` and `visitBase`. Prints one line of JSON.
 */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { LoadPlan } from './load.ts';
import { visitAddress } from './pool.ts';

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LoadPlan & {
  visitBase: number;
};

/** The texts around the placeholders, so that a body is put together without searching. */
const templates = plan.bodies.map((body) => {
  const parts = body.split(/visit-(\d{9})/);
  return {
    texts: parts.filter((_, index) => index % 2 === 0),
    visits: parts.filter((_, index) => index % 2 === 1).map(Number),
  };
});
const visitCount = 1 + Math.max(...templates.flatMap(({ visits }) => visits));

let turn = 0;
let visitBase = plan.visitBase;

function nextBody(): string {
  if (turn === templates.length) {
    turn = 0;
    visitBase += visitCount;
  }
  const { texts, visits } = templates[turn++] as (typeof templates)[number];
  let body = texts[0] ?? '';
  visits.forEach((visit, index) => {
    body += visitAddress(visitBase + visit) + texts[index + 1];
  });
  return body;
}

const result = await autocannon({
  url: plan.url,
  method: 'POST',
  connections: plan.connections,
  duration: plan.seconds,
  timeout: 15,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${plan.token}` },
  requests: [{ setupRequest: (request) => ({ ...request, body: nextBody() }) }],
});

process.stdout.write(
  `${JSON.stringify({
    requests: result['2xx'],
    seconds: result.duration,
    latencyMsP50: result.latency.p50,
    latencyMsP99: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  })}\n`,
);
