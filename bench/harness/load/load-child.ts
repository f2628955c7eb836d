/**
 * The load of the benchmarks, in a process of its own: the streams of `footfall bench` (`src/load`), by
 * a plan in a file. Control plane.
 *
 * Argument: a JSON file with a `ChildPlan`. Prints one line of JSON.
 */
import { readFileSync } from 'node:fs';
import { systemClock } from '../../../src/base/clock.ts';
import { endpointOf } from '../../../src/load/send/connection.ts';
import { Requests, requestBytes } from '../../../src/load/send/requests.ts';
import { Stream } from '../../../src/load/send/stream.ts';
import type { ChildPlan } from './load.ts';

const OPEN_MS_MAX = 10_000;
/** Longer than that after a request was sent, and it counts as failed. */
const PATIENCE_MS = 30_000;

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ChildPlan;
const { warmUpSeconds = 0 } = plan;
const url = new URL(plan.url);
const bytes = plan.requests.map((request) => requestBytes(request, url.host));
const stream = new Stream({
  ...{ endpoint: endpointOf(url), requests: new Requests(bytes, plan, systemClock) },
  ...{ rate: plan.rate, connections: plan.connections, seconds: plan.seconds },
  ...{ warmUpSeconds, patienceMs: PATIENCE_MS },
});
await stream.open(OPEN_MS_MAX);
const { total, latencies, sentLate, seconds, ownCpuShare, notSent, firstRefusal } =
  await stream.run(() => undefined);
if (firstRefusal !== null) process.stderr.write(`${firstRefusal}\n`);
const { p50, p99 } = latencies.percentiles;
process.stdout.write(
  `${JSON.stringify({
    requests: total.accepted,
    seconds: seconds + warmUpSeconds,
    latencyMsP50: p50,
    latencyMsP99: p99,
    sendDelayMsP99: sentLate.p99,
    ownCpuShare,
    failures: total.refused + total.unanswered + notSent,
  })}\n`,
);
