// Goal: conversion goals are made, listed and refused as say.
// Method: real HTTP to an edge over a real registry.
import { describe, expect, test } from 'vitest';
import { Records } from '../../src/control/records.ts';
import { goal as goalResource } from '../../src/control/resources/goal.ts';
import { DOMAIN_CHILD_COUNT_MAX } from '../../src/model/limits.ts';
import { fillRecords } from './fill-records.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();

const goal = (fields: Record<string, unknown> = {}) => ({
  ...{ domain_id: edge.own.id, name: 'Read the blog', path_pattern: '/blog/*' },
  ...fields,
});

const UNSET = {
  ...{ event_name: null, event_meta_key: null, event_meta_value: null, custom_metric_key: null },
  ...{ custom_metric_type: null, visitor_goal: null, cr_goal: null },
  ...{ custom_metric_total_goal: null, custom_metric_avg_goal: null },
  ...{ delete_reached: false, email_reached: false },
};

describe('a new goal', () => {
  test('is answered with every field of the contract, and listed', async () => {
    const made = await edge.send('POST', 'goal', goal());
    expect(made.status).toBe(200);
    expect(made.json).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      def_time: '2026-11-20T12:00:00.000Z',
      mod_time: '2026-11-20T12:00:00.000Z',
      domain_id: edge.own.id,
      name: 'Read the blog',
      path_pattern: '/blog/*',
      pattern: '(?i)^/blog/[^/]*$',
      ...UNSET,
    });
    const list = await edge.send('GET', `goal?id=${edge.own.id}`);
    expect(list).toMatchObject({ status: 200, json: [made.json] });
    expect(
      (await edge.send('GET', `goal?id=${edge.own.second}`, undefined, edge.bearers.account)).json,
    ).toEqual([]);
  });

  test('keeps its event, metric, targets and flags; targets of 0 are null (A-52)', async () => {
    const { json } = await edge.send(
      'POST',
      'goal',
      goal({
        ...{ path_pattern: '', event_name: ' order ', event_meta_key: 'plan' },
        ...{ event_meta_value: 'pro', custom_metric_key: 'price', custom_metric_type: 'float' },
        ...{ visitors: 10, cr: 2.5, custom_metric_total_goal: 0, custom_metric_avg_goal: 9.5 },
        ...{ delete_reached: true, email_reached: true },
      }),
    );
    expect(json).toMatchObject({
      ...{ path_pattern: null, pattern: null, event_name: 'order', event_meta_key: 'plan' },
      ...{ event_meta_value: 'pro', custom_metric_key: 'price', custom_metric_type: 'float' },
      ...{ visitor_goal: 10, cr_goal: 2.5, custom_metric_total_goal: null },
      ...{ custom_metric_avg_goal: 9.5, delete_reached: true, email_reached: true },
    });
  });

  test('takes null and blank for unset fields', async () => {
    const nothing = Object.fromEntries(
      ['event_name', 'event_meta_key', 'custom_metric_key', 'visitors', 'cr', 'delete_reached'].map(
        (name) => [name, null],
      ),
    );
    const { json } = await edge.send('POST', 'goal', goal({ ...nothing, custom_metric_type: '' }));
    expect(json).toMatchObject(UNSET);
  });

  test.each([
    ['/', '(?i)^/$'],
    ['/blog/**', '(?i)^/blog/.*$'],
    ['/**', '(?i)^/.*$'],
    ['/a.b/(c)/*', '(?i)^/a\\.b/\\(c\\)/[^/]*$'],
    ['/a+b?c|d[e]{f}$g', '(?i)^/a\\+b\\?c\\|d\\[e\\]\\{f\\}\\$g$'],
    ['/\\*', '(?i)^/\\\\[^/]*$'],
    ['^/raw/\\d+', '^/raw/\\d+'],
    ['(?i)raw$', '(?i)raw$'],
  ])('with the path pattern %s has the pattern %s (A-50, A-51)', async (sent, pattern) => {
    const { json } = await edge.send('POST', 'goal', goal({ path_pattern: sent }));
    expect(json).toMatchObject({ path_pattern: sent, pattern });
  });

  test('is seen at once by another thread', async () => {
    const { registry } = edge;
    const goalsNow = () => new Records(registry).list(goalResource, 'domainId', edge.own.id);
    const before = goalsNow();
    await edge.send('POST', 'goal', goal());
    expect(before).toEqual([]);
    expect(goalsNow()).toHaveLength(1);
  });
});

describe('a goal is refused', () => {
  test.each([
    ['without a path and an event (A-52)', { path_pattern: '' }, ['path_pattern', 'event_name']],
    ['without a name', { name: undefined }, ['name']],
    ['with a blank name', { name: ' ' }, ['name']],
    ['with a name over 200', { name: 'x'.repeat(201) }, ['name']],
    ['with a number as name', { name: 5 }, ['name']],
    ['without a domain', { domain_id: undefined }, ['domain_id']],
    ['with a list as path pattern', { path_pattern: ['/'] }, ['path_pattern']],
    ['with an event name over 200', { event_name: 'x'.repeat(201) }, ['event_name']],
    ['with a metadata key over 100', { event_meta_key: 'x'.repeat(101) }, ['event_meta_key']],
    [
      'with a metadata value over 2,000',
      { event_meta_key: 'k', event_meta_value: 'x'.repeat(2_001) },
      ['event_meta_value'],
    ],
    ['with a metadata value without key', { event_meta_value: 'v' }, ['event_meta_key']],
    ['with a metric without type', { custom_metric_key: 'k' }, ['custom_metric_type']],
    [
      'with a metric of another type',
      { custom_metric_key: 'k', custom_metric_type: 'text' },
      ['custom_metric_type'],
    ],
    ['with a target below 0', { visitors: -1 }, ['visitors']],
    ['with a fraction of a visitor', { visitors: 1.5 }, ['visitors']],
    ['with a text as target', { cr: '5' }, ['cr']],
    ['with a text as flag', { delete_reached: 'yes' }, ['delete_reached']],
    ['with a path pattern over 500', { path_pattern: `/${'x'.repeat(500)}` }, ['path_pattern']],
  ])('%s', async (_, fields, names) => {
    const reply = await edge.send('POST', 'goal', goal(fields));
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.json.validation)).toEqual(names);
    expect((await edge.send('GET', `goal?id=${edge.own.id}`)).json).toEqual([]);
  });

  test('with an infinite target', async () => {
    const body = JSON.stringify(goal({ cr: 1 })).replace('"cr":1', '"cr":1e999');
    const reply = await edge.send('POST', 'goal', body);
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.json.validation)).toEqual(['cr']);
  });

  test('with a broken expression, at the position of its fault (F-17)', async () => {
    const reply = await edge.send('POST', 'goal', goal({ path_pattern: '^/a(b' }));
    expect(reply.status).toBe(400);
    expect(reply.json.validation['path_pattern']).toMatch(/at character 4$/);
  });

  test('beyond the most that a domain may have', async () => {
    const wish = { ...goal(), event_name: 'e' };
    await fillRecords(edge, goalResource, wish, DOMAIN_CHILD_COUNT_MAX - 1);
    expect((await edge.send('POST', 'goal', wish)).status).toBe(200);
    const reply = await edge.send('POST', 'goal', wish);
    expect(reply.status).toBe(400);
    expect(reply.json.error[0]).toContain('500 goals');
  });
});

describe('who may see and make goals (A-17, A-18, F-36)', () => {
  test.each([
    ['account', 200, 200],
    ['domain', 200, 200],
    ['viewer', 200, 403],
    ['foreign', 404, 404],
    ['key', 403, 403],
  ] as const)('a client of the kind %s reads with %i and writes with %i', async (who, r, w) => {
    const bearer = edge.bearers[who];
    expect((await edge.send('GET', `goal?id=${edge.own.id}`, undefined, bearer)).status).toBe(r);
    expect((await edge.send('POST', 'goal', goal(), bearer)).status).toBe(w);
  });

  test('a domain client does not reach another domain of its account', async () => {
    const body = goal({ domain_id: edge.own.second });
    expect((await edge.send('POST', 'goal', body)).status).toBe(404);
    expect((await edge.send('GET', `goal?id=${edge.own.second}`)).status).toBe(404);
  });

  test('a list needs the id of a domain that is there', async () => {
    expect((await edge.send('GET', 'goal')).json.validation).toHaveProperty('id');
    expect((await edge.send('GET', 'goal?id=nobody')).status).toBe(404);
  });

  test('another method is a 405 that names what is allowed', async () => {
    const reply = await edge.send('PATCH', 'goal');
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST, PUT, DELETE');
  });
});

describe('statistics/goals (S-63)', () => {
  const RANGE = 'from=2026-11-01&to=2026-11-20';

  test('has a row for each goal of the domain, also without data', async () => {
    const { json: made } = await edge.send('POST', 'goal', goal());
    const body = { ...goal(), ...{ name: 'Buy', event_name: 'order' } };
    const metric = { custom_metric_key: 'price', custom_metric_type: 'integer' };
    const { json: second } = await edge.send('POST', 'goal', { ...body, ...metric });
    const { json } = await edge.send('GET', `statistics/goals?id=${edge.own.id}&${RANGE}`);
    const stats = { visitors: 0, views: 0, cr: 0 };
    expect(json).toEqual([
      { page_goal: second, stats: { ...stats, custom_metric_avg: 0, custom_metric_total: 0 } },
      { page_goal: made, stats },
    ]);
  });

  test('without goals is an empty list (S-12)', async () => {
    const { status, json } = await edge.send('GET', `statistics/goals?id=${edge.own.id}&${RANGE}`);
    expect({ status, json }).toEqual({ status: 200, json: [] });
  });
});

test('the overview counts the users with access, the owner included (S-74)', async () => {
  expect((await edge.send('GET', `statistics/overview?id=${edge.own.id}`)).json.member).toBe(1);
});

test('keywords are an empty list that says beside it why (S-66)', async () => {
  const range = 'from=2026-11-01&to=2026-11-20';
  const reply = await edge.send('GET', `statistics/keywords?id=${edge.own.id}&${range}`);
  expect(reply).toMatchObject({ status: 200, json: [] });
  expect(JSON.parse(reply.headers.get('x-context') ?? '')).toEqual({
    search_console: 'no keywords of a search console are imported',
  });
  const other = await edge.send('GET', `statistics/page?id=${edge.own.id}&${range}`);
  expect(other.headers.get('x-context')).toBeNull();
});
