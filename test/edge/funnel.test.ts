// Goal: funnels are made, changed, listed, removed, read and refused as say.
// Method: real HTTP to an edge over a real registry.
import { describe, expect, test } from 'vitest';
import { funnel as funnelResource } from '../../src/control/resources/funnel.ts';
import { DOMAIN_CHILD_COUNT_MAX } from '../../src/model/limits.ts';
import { fillRecords } from './fill-records.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();

const ID = /^[A-Za-z0-9]{20}$/;
const HALF_HOUR_MS = 1_800_000;
const LANDING = { name: 'Landing', filter: { entry_path: ['/', '/home'] } };
const ORDER = { name: 'Order', filter: { event: 'order', meta_plan: '!free' } };
const STEPS = [LANDING, ORDER];

const funnel = (fields: Record<string, unknown> = {}) => ({
  ...{ domain_id: edge.own.id, name: 'Shop', steps: STEPS },
  ...fields,
});

async function make(fields: Record<string, unknown> = {}) {
  const reply = await edge.send('POST', 'funnel', funnel(fields));
  expect(reply.status).toBe(200);
  return reply.json;
}

const list = async () => (await edge.send('GET', `funnel?id=${edge.own.id}`)).json;

describe('a funnel (A-71)', () => {
  test('is answered 200 with the record, each step with its place and the funnel (A-1, A-26)', async () => {
    const times = { def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' };
    const made = await make();
    const id = expect.stringMatching(ID);
    const step = { id, ...times, funnel_id: made.id };
    expect(made).toEqual({
      ...{ id, ...times, domain_id: edge.own.id, name: 'Shop' },
      steps: [
        { ...step, ...LANDING, step: 1 },
        { ...step, ...ORDER, step: 2 },
      ],
    });
  });

  test('is listed oldest first, and further parameters are ignored', async () => {
    const first = await make();
    edge.nowMs += 1;
    const second = await make({ name: 'Second' });
    const reply = await edge.send('GET', `funnel?id=${edge.own.id}&limit=1&from=x&tz=None`);
    expect(reply.json).toEqual([first, second]);
  });

  test('keeps its id, its creation and the ids of its steps when it changes', async () => {
    const made = await make();
    edge.nowMs += HALF_HOUR_MS;
    const steps = [LANDING, { name: 'Paid', filter: { event: 'paid' } }, ORDER];
    const body = { id: made.id, name: ' Checkout ', steps };
    const { json: changed } = await edge.send('PUT', 'funnel', body);
    const later = '2026-11-20T12:30:00.000Z';
    expect(changed).toMatchObject({
      ...{ id: made.id, domain_id: edge.own.id, name: 'Checkout' },
      ...{ def_time: made.def_time, mod_time: later },
      steps: [
        made.steps[0],
        { id: made.steps[1].id, def_time: made.def_time, mod_time: later, name: 'Paid', step: 2 },
        { ...ORDER, def_time: later, mod_time: later, step: 3 },
      ],
    });
    expect(new Set(changed.steps.map((step: { id: string }) => step.id)).size).toBe(3);
    expect(await list()).toEqual([changed]);
  });

  test('is gone after it is deleted, which answers {}, and cannot be deleted again (A-3)', async () => {
    const made = await make();
    const remove = () => edge.send('DELETE', `funnel?id=${made.id}`);
    expect(await remove()).toMatchObject({ status: 200, json: {} });
    expect(await list()).toEqual([]);
    expect(await remove()).toMatchObject({ status: 404 });
    expect((await edge.send('PUT', 'funnel', { ...funnel(), id: made.id })).status).toBe(404);
  });

  test.each([2, 8])('may have %i steps (A-70)', async (count) => {
    expect((await make({ steps: Array(count).fill(LANDING) })).steps).toHaveLength(count);
  });

  test.each([
    ['every kind of filter', { path: '~a', tag: 'k', tag_k: 'v', referrer: 'null', os: '!Mac' }],
    ['an empty filter', {}],
    ['empty values (F-7)', { path: '', event: [] }],
    ['half a session (F-31)', { visitor_id: '5' }],
  ])('may have a step with %s', async (_, filter) => {
    const { steps } = await make({ steps: [{ name: 'a', filter }, LANDING] });
    expect(steps[0].filter).toEqual(filter);
  });
});

describe('a funnel is refused', () => {
  const step = (filter: unknown) => [LANDING, { name: 'x', filter }];
  test.each([
    ['without steps', undefined],
    ['with a text as steps', 'steps'],
    ['with no step', []],
    ['with one step', [LANDING]],
    ['with nine steps', Array(9).fill(LANDING)],
    ['with a thousand steps', Array(1_000).fill(0)],
    ['with a step that is null', [LANDING, null]],
    ['with a step that is a text', [LANDING, 'x']],
    ['with a step without filter', [LANDING, { name: 'x' }]],
    ['with a list as filter', step([])],
    ['with a number as name of a step', [LANDING, { ...ORDER, name: 5 }]],
    ['with a step name over 200', [LANDING, { ...ORDER, name: 'x'.repeat(201) }]],
    ['with a range in a step', step({ from: '2026-01-01' })],
    ['with paging in a step', step({ limit: '5' })],
    ['with an order in a step', step({ sort: 'path' })],
    ['with an unknown parameter', step({ colour: 'red' })],
    ['with a parameter named like a method', step({ toString: 'x' })],
    ['with a parameter without key', step({ meta_: 'x' })],
    ['with a key over 100', step({ [`meta_${'x'.repeat(101)}`]: 'v' })],
    ['with a number as value', step({ path: 5 })],
    ['with null as value', step({ path: null })],
    ['with a list of numbers as value', step({ path: [5] })],
    ['with 101 values', step({ path: Array(101).fill('/') })],
    ['with a value over 8,192', step({ path: 'x'.repeat(8_193) })],
    ['with a visitor that is no number', step({ visitor_id: 'x', session_id: '1' })],
  ])('%s', async (_, steps) => {
    const reply = await edge.send('POST', 'funnel', funnel({ steps }));
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.json.validation)).toEqual(['steps']);
    expect(await list()).toEqual([]);
  });

  test('with a broken expression, naming the step and the position (F-17)', async () => {
    const steps = step({ pattern: '^/a(b' });
    const reply = await edge.send('POST', 'funnel', funnel({ steps }));
    expect(reply.json.validation['steps']).toMatch(/^step 2 .*'pattern'.* at character 4$/);
  });

  test.each([undefined, '', ' ', 5, 'x'.repeat(201)])('with the name %j', async (name) => {
    const reply = await edge.send('POST', 'funnel', funnel({ name }));
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.json.validation)).toEqual(['name']);
  });

  test('as a change by the same rules, and stays as it was', async () => {
    const made = await make();
    const reply = await edge.send('PUT', 'funnel', { id: made.id, name: 'x', steps: [LANDING] });
    expect(reply.json.validation).toHaveProperty('steps');
    expect((await edge.send('PUT', 'funnel', funnel())).json.validation).toHaveProperty('id');
    expect(await list()).toEqual([made]);
  });

  test('beyond the most that a domain may have', async () => {
    await fillRecords(edge, funnelResource, funnel(), DOMAIN_CHILD_COUNT_MAX - 1);
    await make();
    const reply = await edge.send('POST', 'funnel', funnel());
    expect(reply.json.error[0]).toContain('500 funnels');
  });
});

describe('who may see and change funnels (A-17, A-18, F-36)', () => {
  test.each([
    ['account', 200, 200],
    ['domain', 200, 200],
    ['viewer', 200, 403],
    ['foreign', 404, 404],
    ['key', 403, 403],
  ] as const)('a client of the kind %s reads with %i and writes with %i', async (who, r, w) => {
    const { id } = await make();
    const bearer = edge.bearers[who];
    const send = async (method: string, path: string, body?: unknown) =>
      (await edge.send(method, path, body, bearer)).status;
    expect(await send('GET', `funnel?id=${edge.own.id}`)).toBe(r);
    expect(await send('POST', 'funnel', funnel())).toBe(w);
    expect(await send('PUT', 'funnel', { ...funnel(), id })).toBe(w);
    expect(await send('DELETE', `funnel?id=${id}`)).toBe(w);
  });

  test('a deletion needs an id', async () => {
    expect((await edge.send('DELETE', 'funnel')).json.validation).toHaveProperty('id');
  });

  test('another method is a 405 that names what is allowed', async () => {
    const reply = await edge.send('PATCH', 'funnel');
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST, PUT, DELETE');
  });
});

describe('statistics/funnel (A-72)', () => {
  const RANGE = 'from=2026-11-01&to=2026-11-20';
  const ask = (id: string, more: string, bearer = edge.bearers.account) =>
    edge.send('GET', `statistics/funnel?id=${id}&${RANGE}${more}`, undefined, bearer);

  test('has the definition and zeroes for every step without data', async () => {
    const definition = await make();
    const zeroes = {
      ...{ visitors: 0, relative_visitors: 0, previous_visitors: 0 },
      ...{ relative_previous_visitors: 0, dropped: 0, drop_off: 0 },
    };
    expect((await ask(edge.own.id, `&funnel_id=${definition.id}`)).json).toEqual({
      definition,
      data: [
        { step: 1, ...zeroes },
        { step: 2, ...zeroes },
      ],
    });
  });

  test('of an unknown funnel, or one of another domain, is a 404; without one a 400', async () => {
    const { id } = await make();
    expect((await ask(edge.own.id, '&funnel_id=nobody')).status).toBe(404);
    expect((await ask(edge.own.second, `&funnel_id=${id}`)).status).toBe(404);
    const foreign = await ask(edge.foreign.id, `&funnel_id=${id}`, edge.bearers.foreign);
    expect(foreign.status).toBe(404);
    expect((await ask(edge.own.id, '')).json.validation).toHaveProperty('funnel_id');
  });

  test('and the list are where pirsch-sdk looks for them, too', async () => {
    const made = await make();
    const doubled = await edge.send('GET', `/api/v1//api/v1/funnel?id=${edge.own.id}&${RANGE}`);
    expect(doubled).toMatchObject({ status: 200, json: [made] });
    const path = `/api/v1//api/v1/statistics/funnel?id=${edge.own.id}&${RANGE}&funnel_id=${made.id}`;
    expect((await edge.send('GET', path)).json.definition).toEqual(made);
    // The package leaves funnel_id out: the only funnel is meant, of two none.
    const without = path.slice(0, path.indexOf('&funnel_id'));
    expect((await edge.send('GET', without)).json.definition).toEqual(made);
    await make();
    expect((await edge.send('GET', without)).json.validation).toHaveProperty('funnel_id');
  });
});

test('a filter of nothing but brackets is refused, not walked until the stack ends (A-11)', async () => {
  const made = await make();
  const brackets = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const body = `{"id":"${made.id}","name":"New","steps":[{"name":"/a","filter":${brackets}},{}]}`;
  const reply = await edge.send('PUT', 'funnel', body);
  expect(reply.status).toBe(400);
  expect(reply.json.error[0]).toContain('levels deep');
});

test('steps that are no funnel are refused by name while they are typed (A-71, D-19)', async () => {
  const ask = (steps: string) =>
    edge.send('GET', `statistics/funnel?id=${edge.own.id}&steps=${encodeURIComponent(steps)}`);
  const one = { filter: { path: '/' } };
  const bad = ['x', '{}', '[]', '[1,2]', 'null'].concat(
    [[one], Array(9).fill(one), [one, {}], [one, { filter: { pth: '/' } }]].map((steps) =>
      JSON.stringify(steps),
    ),
    JSON.stringify([one, { filter: { pattern: '(' } }]),
    JSON.stringify([one, { name: null, ...one }]),
  );
  for (const steps of bad) {
    const reply = await ask(steps);
    expect(reply, steps).toMatchObject({
      status: 400,
      json: { validation: { steps: expect.any(String) } },
    });
  }
});
