/**
 * Goal: goals and funnels are there after any end of the process, and every edge knows them at once.
 * Method: a service with two edges, killed and stopped between writing and reading.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';

const RANGE = { from: '2024-05-06', to: '2024-05-06' };
const STEPS = [
  { name: 'Start', filter: { path: '/' } },
  { name: 'Order', filter: { event: ['order', 'buy'] } },
];

let running: RunningService;
let domain: DomainCredentials;
let client: ApiClient;

beforeAll(async () => {
  running = await startService({ env: { FOOTFALL_EDGES: '2' } });
  const owner = await running.createAccount();
  domain = await running.createDomain({ email: owner.email, hostname: 'example.org' });
  client = await ApiClient.whenKnown(running.baseUrl, domain.client_id, domain.client_secret);
});

afterAll(() => running.dispose());

type FunnelAnswer = { definition: unknown; data: object[] };

const list = async (what: string): Promise<unknown> =>
  (await client.request('GET', `/api/v1/${what}?id=${domain.id}`)).body;

const view = (path: string) => ({
  ...{ url: `https://example.org${path}`, ip: '81.2.69.142', time: '2024-05-06T10:00:00Z' },
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
});

async function endAndStart(how: string): Promise<void> {
  if (how === 'SIGKILL') await running.kill();
  else await running.stop();
  await running.start();
}

test.each(['SIGKILL', 'SIGTERM'])(
  'a goal and a funnel, also a changed one, survive %s and count the same (A-71, S-63)',
  async (how) => {
    await client.collect('hit/batch', [view('/')]);
    await client.collect('event/batch', [{ ...view('/'), event_name: 'order' }]);
    const base = { domain_id: domain.id, name: how };
    await client.create('goal', { ...base, path_pattern: '/**', visitors: 3 });
    const made = await client.create('funnel', { ...base, steps: STEPS });
    const change = { id: made.id, name: `${how} later`, steps: [...STEPS, STEPS[0]] };
    const { body: changed } = await client.request('PUT', '/api/v1/funnel', { body: change });
    const removed = await client.create('funnel', { ...base, steps: STEPS });
    await client.request('DELETE', `/api/v1/funnel?id=${removed.id}`);

    const question = { id: domain.id, ...RANGE };
    const state = async () => ({
      goals: await list('goal'),
      funnels: await list('funnel'),
      goalFigures: await client.statistics('goals', question),
      funnelFigures: await client.statistics('funnel', { ...question, funnel_id: made.id }),
    });
    // While it is typed it counts as it does once it is saved (D-19).
    const steps = JSON.stringify(change.steps);
    const typed = (await client.statistics('funnel', { ...question, steps })) as FunnelAnswer;
    const before = await state();
    expect(before.funnelFigures).toMatchObject({ data: typed.data });
    expect(typed.definition).toMatchObject({ id: '', steps: change.steps });
    await endAndStart(how);
    expect(await state()).toEqual(before);
    expect(before.funnels).toContainEqual(changed);
    expect(before.funnels).not.toContainEqual(removed);
    expect(before.funnelFigures).toMatchObject({
      data: [{ visitors: 1 }, { visitors: 1 }, { visitors: 1 }],
    });
  },
);

test('what one edge has made the other one shows at once', async () => {
  // Each connection is dealt to one of the edges; a fresh one per request meets both.
  const alone = { headers: { connection: 'close' } };
  for (let round = 0; round < 20; round++) {
    const body = { domain_id: domain.id, name: `round ${round}`, event_name: 'order' };
    const made = await client.request('POST', '/api/v1/goal', { body, ...alone });
    const { body: goals } = await client.request('GET', `/api/v1/goal?id=${domain.id}`, alone);
    expect(goals).toContainEqual(made.body);
  }
});
