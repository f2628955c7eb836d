// Goal: open streams hold no stop up, and cost nothing but themselves while nothing happens (O-51).
// Method: a service of its own with hundreds of streams, its processor time, then SIGTERM.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processCpuMs } from '../../../bench/harness/process-cpu.ts';
import { EventClient } from '../../support/clients/event-client.ts';
import { openSite, type TestSite } from '../../support/domains.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { addressIn, agentNamed } from '../../support/traffic/known.ts';

const STREAMS = 300;
/** Of one core; 1,000 streams may cost 5 %, and a busy machine measures some more. */
const CPU_SHARE_MAX = 0.05;

let service: RunningService;
let site: TestSite;

beforeAll(async () => {
  service = await startService({ env: { FOOTFALL_LOG_LEVEL: 'warn' } });
  site = await openSite(service, { count: 20 });
});
afterAll(() => service.dispose());

const urlOf = (index: number) =>
  `${service.baseUrl}/api/v1/statistics/live?id=${site.domains[index % 20]?.id}`;

test('hundreds of streams rest while nothing happens, and end with the service (O-51)', async () => {
  const { bearer } = site.reader;
  const streams: EventClient[] = [];
  for (let index = 0; index < STREAMS; index++) {
    streams.push(await EventClient.open(urlOf(index), bearer));
  }
  for (const stream of streams) await stream.next('active');
  const [beforeMs, startMs] = [processCpuMs(service.pid), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const share = (processCpuMs(service.pid) - beforeMs) / (performance.now() - startMs);
  process.stdout.write(`${STREAMS} streams at rest: ${(share * 100).toFixed(2)} % of a core\n`);
  expect(share).toBeLessThan(CPU_SHARE_MAX);
  const domain = site.domains[0];
  const hit = {
    url: 'https://example.org/x',
    ip: addressIn('de', 0),
    user_agent: agentNamed('chrome').userAgent,
  };
  await site.writerOf(domain as never).collect('hit', hit);
  await (streams[0] as EventClient).next('hit');
  const stopMs = performance.now();
  await Promise.all([service.stop(), ...streams.map(({ ended }) => ended)]);
  expect(performance.now() - stopMs).toBeLessThan(10_000);
});
