/**
 * The load where wrk is not installed: autocannon, in this process of its own. Control plane.
 *
 * Argument: a JSON file with the plan of `load.ts` and `visitBase`. Prints one line of JSON.
 */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { Bodies } from './bodies.ts';
import type { LoadPlan } from './load.ts';
import type { WholeRequest } from './page-requests.ts';

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LoadPlan & {
  visitBase: number;
};

const bodies = new Bodies(plan.bodies, { visitBase: plan.visitBase });

const result = await autocannon({
  url: plan.url,
  method: 'POST',
  connections: plan.connections,
  duration: plan.seconds,
  timeout: 15,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${plan.token}` },
  requests: [
    {
      setupRequest: (request) =>
        plan.areWhole === true
          ? { ...request, ...(JSON.parse(bodies.next()) as WholeRequest) }
          : { ...request, body: bodies.next() },
    },
  ],
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
