// Goal: goals are changed and removed as M-60 says; expressions can be tried before.
// Method: real HTTP to an edge over a real registry.
import { describe, expect, test } from 'vitest';
import { type Goal, goal as goalResource } from '../../../src/control/resources/goal.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { expectRefused, expectUnseen, LATER } from './refusals.ts';

const edge = useRegistryEdge();

const FULL = {
  ...{ name: 'Order', path_pattern: '/order/*', event_name: 'order', event_meta_key: 'plan' },
  ...{ event_meta_value: 'pro', custom_metric_key: 'price', custom_metric_type: 'float' },
  ...{ visitors: 10, cr: 2.5, custom_metric_total_goal: 3, custom_metric_avg_goal: 9.5 },
  ...{ delete_reached: true, email_reached: true },
};
const make = async (fields: Record<string, unknown> = FULL) =>
  (await edge.send('POST', 'goal', { domain_id: edge.own.id, ...fields })).json;
const put = (fields: Record<string, unknown>) => edge.send('PUT', 'goal', fields);
const list = async () => (await edge.send('GET', `goal?id=${edge.own.id}`)).json;
const sinceOf = (id: string) => (edge.registry.view.find(goalResource, id) as Goal).progressSinceMs;

describe('PUT goal (M-60)', () => {
  test('replaces all fields: what is not sent is unset', async () => {
    const made = await make();
    edge.nowMs += 1_000;
    const { status, json } = await put({ id: made.id, name: 'Read', path_pattern: '/blog/**' });
    expect(status).toBe(200);
    expect(json).toEqual({
      ...{ id: made.id, domain_id: edge.own.id, def_time: made.def_time, mod_time: LATER },
      ...{ name: 'Read', path_pattern: '/blog/**', pattern: '(?i)^/blog/.*$' },
      ...{ event_name: null, event_meta_key: null, event_meta_value: null },
      ...{ custom_metric_key: null, custom_metric_type: null, visitor_goal: null, cr_goal: null },
      ...{ custom_metric_total_goal: null, custom_metric_avg_goal: null },
      ...{ delete_reached: false, email_reached: false },
    });
    expect(await list()).toEqual([json]);
  });

  test('starts progress anew only when a target or the condition is another one', async () => {
    const { id } = await make();
    const madeMs = edge.nowMs;
    expect(sinceOf(id)).toBe(madeMs);
    edge.nowMs += 1_000;
    await put({ id, ...FULL, name: 'Other', delete_reached: false, email_reached: false });
    expect(sinceOf(id)).toBe(madeMs);
    const changes = [
      { path_pattern: '/else' },
      { event_name: 'sale' },
      { event_meta_key: 'size' },
      { event_meta_value: 'xl' },
      { custom_metric_key: 'sum' },
      { custom_metric_type: 'integer' },
      { visitors: 11 },
      { cr: 0 },
      { custom_metric_total_goal: 4 },
      { custom_metric_avg_goal: 0.5 },
    ];
    for (const change of changes) {
      edge.nowMs += 1_000;
      await put({ id, ...FULL, ...change });
      expect(sinceOf(id), JSON.stringify(change)).toBe(edge.nowMs);
      // Back again: another change of the condition.
      edge.nowMs += 1_000;
      await put({ id, ...FULL });
      expect(sinceOf(id)).toBe(edge.nowMs);
    }
  });

  test('that changes nothing writes nothing, also for a goal of an earlier version (M-7)', async () => {
    const made = await make();
    edge.registry.refresh();
    const { progressSinceMs: _, ...earlier } = edge.registry.view.find(
      goalResource,
      made.id,
    ) as Goal;
    await edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, () => [
      { kind: 'goal-changed', payload: earlier },
    ]);
    const before = edge.registry.sequence;
    edge.nowMs += 1_000;
    expect((await put({ id: made.id, ...FULL })).json).toEqual(made);
    expect(edge.registry.sequence).toBe(before);
    expect(sinceOf(made.id)).toBeUndefined();
  });

  test('is refused like a new one, and for what others have (A-52, M-4)', async () => {
    const { id } = await make();
    const rows: [object, string[]][] = [
      [{ id: undefined }, ['id']],
      [{ name: ' ' }, ['name']],
      [{ name: undefined }, ['name']],
      [{ path_pattern: '^(' }, ['path_pattern']],
      [
        { path_pattern: '', event_name: '', event_meta_key: '' },
        ['event_meta_key', 'event_name', 'path_pattern'],
      ],
      [{ event_name: 'x'.repeat(201) }, ['event_name']],
      [{ event_meta_key: '' }, ['event_meta_key']],
      [{ custom_metric_type: 'text' }, ['custom_metric_type']],
      [{ custom_metric_type: '' }, ['custom_metric_type']],
      [{ visitors: -1 }, ['visitors']],
      [{ visitors: 1.5 }, ['visitors']],
      [{ cr: '5' }, ['cr']],
      [{ custom_metric_total_goal: -1 }, ['custom_metric_total_goal']],
      [{ delete_reached: 'no' }, ['delete_reached']],
    ];
    for (const [fields, named] of rows) {
      await expectRefused(edge, ['PUT', 'goal', { id, ...FULL, ...fields }], named);
    }
    await expectUnseen(edge, ['PUT', 'goal', { id, ...FULL }, edge.bearers.foreign]);
    await expectUnseen(edge, ['PUT', 'goal', { id: 'nobody', ...FULL }]);
    expect((await edge.send('PUT', 'goal', { id, ...FULL }, edge.bearers.viewer)).status).toBe(403);
  });
});

test('DELETE goal removes it, once and for those who may (M-60)', async () => {
  const [first, second] = [await make(), await make()];
  await expectUnseen(edge, ['DELETE', `goal?id=${first.id}`, undefined, edge.bearers.foreign]);
  const viewer = await edge.send('DELETE', `goal?id=${first.id}`, undefined, edge.bearers.viewer);
  expect(viewer.status).toBe(403);
  expect(await edge.send('DELETE', `goal?id=${first.id}`)).toMatchObject({ status: 200, json: {} });
  expect(await list()).toEqual([second]);
  await expectUnseen(edge, ['DELETE', `goal?id=${first.id}`, undefined]);
  await expectRefused(edge, ['DELETE', 'goal', undefined], ['id']);
});

describe('POST goal/regex (A-53)', () => {
  const tried = (regex: unknown, sample: unknown, bearer?: string) =>
    edge.send('POST', 'goal/regex', { regex, sample }, bearer);

  test.each([
    ['^/blog/[^/]*$', '/blog/a', true],
    ['^/blog/[^/]*$', '/blog/a/b', false],
    ['blog', '/my/blog/', true],
    ['BLOG', '/blog', false],
    ['(?i)BLOG', '/blog', true],
    ['^$', '', true],
    ['\\p{Greek}', '/λόγος', true],
  ])('%s matches %s: %s, as pattern does (F-17)', async (regex, sample, match) => {
    expect(await tried(regex, sample)).toMatchObject({ status: 200, json: { match } });
  });

  test.each([
    ['/blog/*', '/blog/a', true, '(?i)^/blog/[^/]*$'],
    [' /blog/* ', '/blog/a/b', false, '(?i)^/blog/[^/]*$'],
    ['/a.b', '/a.b', true, '(?i)^/a\\.b$'],
    ['^/A', '/a', false, '^/A'],
  ])(
    'path_pattern %j is tried on %s as a goal has it (A-50, D-19)',
    async (path, sample, match, pattern) => {
      const sent = { path_pattern: path, sample };
      const made = await edge.send('POST', 'goal', {
        ...{ domain_id: edge.own.id, name: 'One', path_pattern: path },
      });
      expect(made.json.pattern).toBe(pattern);
      expect((await edge.send('POST', 'goal/regex', sent)).json).toEqual({ match, pattern });
    },
  );

  test('a path_pattern that is no expression is refused by its name', async () => {
    const sent = { path_pattern: '^(', sample: '/' };
    await expectRefused(edge, ['POST', 'goal/regex', sent], ['path_pattern']);
  });

  test('refuses what is no expression, by field', async () => {
    for (const regex of ['(', '[', '(?=a)', '(a)\\1', 'x'.repeat(501), '(a{1000}){1000}', '', 5]) {
      await expectRefused(edge, ['POST', 'goal/regex', { regex, sample: '/' }], ['regex']);
    }
    const long = 'x'.repeat(2_001);
    for (const sample of [undefined, null, 5, ['/'], long]) {
      await expectRefused(edge, ['POST', 'goal/regex', { regex: 'a', sample }], ['sample']);
    }
  });

  test('blocks nobody, however hard the expression (F-17)', async () => {
    const startMs = performance.now();
    const { status } = await tried(`(${'x?'.repeat(200)}${'x'.repeat(20)})*y`, 'x'.repeat(2_000));
    expect(status).toBe(200);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });

  test('is for whoever reads statistics or domains, not for access keys', async () => {
    const { account, domain, viewer, key } = edge.bearers;
    for (const bearer of [account, domain, viewer]) {
      expect((await tried('a', 'a', bearer)).status).toBe(200);
    }
    expect((await tried('a', 'a', key)).status).toBe(403);
    expect((await tried('a', 'a', 'nobody')).status).toBe(401);
  });
});
