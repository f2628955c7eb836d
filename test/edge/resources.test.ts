// Goal: a descriptor alone makes records, endpoints, rights, cascades, changes and their documentation.
// Method: the sample resources join the list; real HTTP to an edge over a real registry. Then the
// same questions to every resource there is.
import { describe, expect, test, vi } from 'vitest';
import { endpointsOf } from '../../src/api/manage/resource-endpoints.ts';
import { wireName } from '../../src/control/descriptor/resource.ts';
import { Records } from '../../src/control/records.ts';
import { RECORD_MEANING } from '../../src/control/registry/history.ts';
import { client } from '../../src/control/resources/client.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { funnel } from '../../src/control/resources/funnel.ts';
import { goal } from '../../src/control/resources/goal.ts';
import { RESOURCES } from '../../src/control/resources/resources.ts';
import { RegistryStore } from '../../src/store/registry-store.ts';
import { note, remark } from '../control/sample-resource.ts';
import { useRegistryEdge } from './registry-edge.ts';

vi.mock('../../src/control/resources/resources.ts', async (original) => {
  const { RESOURCES: real } = await original<{ RESOURCES: readonly unknown[] }>();
  const sample = await import('../control/sample-resource.ts');
  return { RESOURCES: [...real, sample.note, sample.remark] };
});

const edge = useRegistryEdge();
const BY = { kind: 'client', id: 'c' } as const;

const body = (fields: Record<string, unknown> = {}) => ({
  ...{ domain_id: edge.own.id, title: ' Title ' },
  ...fields,
});
const make = async (fields?: Record<string, unknown>) => {
  const reply = await edge.send('POST', 'note', body(fields));
  expect(reply.status).toBe(200);
  return reply.json;
};
const list = async () => (await edge.send('GET', `note?domain_id=${edge.own.id}`)).json;
const request = (sent: Record<string, unknown>) => ({
  ...{ sent, userId: '', nowMs: edge.nowMs, by: BY },
});

describe('a record', () => {
  test('is made with defaults and generated values, and tells its secret once', async () => {
    const { key, ...made } = await make();
    expect(key).toBe('k'.repeat(40));
    expect(made).toEqual({
      ...{ id: expect.stringMatching(/^\w{20}$/), domain_id: edge.own.id, title: 'Title' },
      ...{ def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' },
      ...{ body: null, color: 'red', draft: false, pinned: false },
      code: expect.stringMatching(/^\w{24}$/),
    });
    expect(await list()).toEqual([made]);
    const kept = new Records(edge.registry).find(note, made.id);
    expect(kept?.keyHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is changed by its id: what only creation makes stays', async () => {
    const { key: _, ...made } = await make({ body: 'text' });
    edge.nowMs += 1_000;
    const sent = { id: made.id, title: 'Other', color: 'blue' };
    const { status, json } = await edge.send('POST', 'note', sent);
    expect(status).toBe(200);
    expect(json).toEqual({
      ...made,
      ...{ title: 'Other', color: 'blue', body: null, mod_time: '2026-11-20T12:00:01.000Z' },
    });
    expect((await edge.send('POST', 'note', { ...sent, id: 'nobody' })).status).toBe(404);
  });

  test('is acted upon by name', async () => {
    const { id } = await make();
    const pin = () => edge.send('POST', 'note/pin', { note_id: id });
    expect(await pin()).toMatchObject({ status: 200, json: {} });
    expect((await list())[0].pinned).toBe(true);
    await pin();
    expect((await list())[0].pinned).toBe(false);
    expect((await edge.send('POST', 'note/pin', {})).json.validation).toEqual({
      note_id: 'is required',
    });
  });

  test('keeps its rules under actions too; some are for users only (M-3)', async () => {
    const { id } = await make();
    const paint = (color: string, bearer?: string) =>
      edge.send('PUT', 'note/color', { id, color }, bearer);
    const refused = await paint('blue');
    expect(refused.status).toBe(403);
    expect(refused.json.error[0]).toContain('a client of the account');
    const { account } = edge.bearers;
    expect((await paint('green', account)).json.validation).toEqual({
      color: 'must be red or blue',
    });
    expect((await paint('blue', account)).json).toMatchObject({ id, color: 'blue' });
  });

  test.each([
    ['a missing field', { title: undefined }, { title: 'is required' }],
    ['a blank one', { title: ' ' }, { title: 'must not be blank' }],
    ['too long a text', { title: 'x'.repeat(11) }, { title: 'must have at most 10 characters' }],
    ['another type', { draft: 'yes' }, { draft: 'must be true or false' }],
    ['an unknown word', { color: 'green' }, { color: 'must be red or blue' }],
    ['several faults', { color: 'x', body: 'y'.repeat(21) }, { color: 1, body: 1 }],
  ])('is refused for %s, by field', async (_, fields, faults) => {
    const reply = await edge.send('POST', 'note', body(fields));
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.json.validation).toSorted()).toEqual(Object.keys(faults).toSorted());
    expect(reply.json.validation).toMatchObject(
      Object.values(faults).includes(1 as never) ? {} : faults,
    );
    expect(await list()).toEqual([]);
  });

  test('is refused beyond the most that an owner may have', async () => {
    for (let count = 0; count < 3; count++) await make();
    const { status, json } = await edge.send('POST', 'note', body());
    expect(status).toBe(400);
    expect(json).toMatchObject({
      validation: {},
      error: [expect.stringMatching(/^there are 3 notes/)],
    });
  });
});

describe('what goes with an owner', () => {
  test('goes in one record: all below a domain, nothing of another one (M-11)', async () => {
    const records = new Records(edge.registry);
    const path = { name: 'g', path_pattern: '/' };
    for (const domain_id of [edge.own.id, edge.own.second]) {
      const { account } = edge.bearers;
      const send = (name: string, sent: object) =>
        edge.send('POST', name, { ...sent, domain_id }, account);
      expect((await send('goal', path)).status).toBe(200);
      const steps = [path, path].map(({ name }) => ({ name, filter: {} }));
      expect((await send('funnel', { name: 'f', steps })).status).toBe(200);
    }
    const { id } = await make();
    await records.create(remark, request({ note_id: id, name: 'a' }));
    const before = edge.registry.sequence;
    await records.remove(domain, edge.own.id, request({}));
    expect(edge.registry.sequence).toBe(before + 1);
    const { view } = edge.registry;
    expect(view.find(domain, edge.own.id)).toBeNull();
    expect(view.count(note) + view.count(remark)).toBe(0);
    for (const [of, left] of [
      [goal, 1],
      [funnel, 1],
    ] as const) {
      expect(view.of(of as typeof goal, 'domainId', edge.own.id)).toEqual([]);
      expect(view.count(of)).toBe(left);
    }
    expect(view.of(client, 'domainId', edge.own.id)).toEqual([]);
    expect(view.of(client, 'domainId', edge.own.second)).toHaveLength(2);
    // Its keys are refused from then on, and the account's client is not.
    expect((await edge.send('GET', 'domain')).status).toBe(401);
    const { json } = await edge.send('GET', 'domain', undefined, edge.bearers.account);
    expect(json.map(({ id: left }: { id: string }) => left)).toEqual([edge.own.second]);
  });

  test('is only told so where the descriptor says so', async () => {
    const records = new Records(edge.registry);
    const [owner, other] = [await make(), await make()];
    const sent = { note_id: owner.id, about: other.id, name: 'a' };
    const { record } = await records.create(remark, request(sent));
    edge.nowMs += 5;
    expect((await edge.send('DELETE', `note?id=${other.id}`)).status).toBe(200);
    expect(records.find(remark, record.id)).toEqual({
      ...record,
      ...{ about: null, modifiedMs: edge.nowMs },
    });
    await records.remove(note, owner.id, request({}));
    expect(records.find(remark, record.id)).toBeNull();
  });
});

test('a unique field is taken until its record goes', async () => {
  const records = new Records(edge.registry);
  const { id } = await make();
  const draft = request({ note_id: id, name: 'Name' });
  const { record } = await records.create(remark, draft);
  const again = () => records.create(remark, request({ note_id: id, name: 'NAME' }));
  await expect(again()).rejects.toMatchObject({ validation: { name: "'NAME' is taken" } });
  await records.remove(remark, record.id, draft);
  await again();
});

test('every record of the log says when, and who made it (M-5)', async () => {
  const { id } = await make();
  await edge.send('DELETE', `note?id=${id}`);
  const store = new RegistryStore(edge.directory, RECORD_MEANING);
  const [made, removed] = store.recordsAfter(0).slice(-2);
  const clientId = edge.clientIdOf(edge.bearers.domain);
  for (const stored of [made, removed]) {
    expect(stored?.record).toMatchObject({
      atMs: edge.nowMs,
      by: { kind: 'client', id: clientId },
    });
  }
  expect(removed?.record.changes).toEqual([{ kind: 'note-deleted', payload: { id } }]);
  expect(store.recordsAfter(0)[1]?.record.by).toEqual({ kind: 'cli', id: '' });
  expect(store.recordsAfter(0)[0]?.record.by).toEqual({ kind: 'node', id: '' });
  await store.close();
});

describe.each(
  RESOURCES.filter(({ surface }) => surface !== undefined).map((one) => [one.name, one] as const),
)('the endpoints of a %s', (_, resource) => {
  const all = () => endpointsOf(resource).filter(({ isAlias }) => isAlias !== true);
  const asked = (path: string) => path.replace('/api/v1/', '');

  test('want credentials, the scope, and no access key (A-17, A-18)', async () => {
    for (const { method, path } of all()) {
      const sent = method === 'GET' || method === 'DELETE' ? undefined : {};
      const send = (bearer: string) => edge.send(method, asked(path), sent, bearer);
      expect((await send('nonsense')).status).toBe(401);
      expect((await send(edge.bearers.key)).status).toBe(403);
      // What others made is refused later, when the record is known.
      const needsScope = method !== 'GET' && resource.surface?.own === undefined;
      if (needsScope) expect((await send(edge.bearers.viewer)).status).toBe(403);
    }
  });

  test('name every required field and parameter that is missing (A-11)', async () => {
    const { account } = edge.bearers;
    for (const { method, path, body: rule, parameters } of all()) {
      const { required = [] } = (rule?.schema ?? {}) as { required?: readonly string[] };
      const named = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
      if (required.length + named.length === 0) continue;
      const reply = await edge.send(method, asked(path), rule === null ? undefined : {}, account);
      expect([reply.status, path]).toEqual([400, path]);
      expect(Object.keys(reply.json.validation).toSorted()).toEqual(
        [...required, ...named].toSorted(),
      );
    }
  });

  test('answer what others own like what is not there (M-4)', async () => {
    const { account } = edge.bearers;
    for (const { method, path, parameters } of all().filter((one) => one.body === null)) {
      const name = parameters[0]?.name;
      const of = async (id: string) =>
        edge.send(method, `${asked(path)}?${name}=${id}`, undefined, account);
      const [foreign, none] = [await of(edge.foreign.id), await of('nobody')];
      expect(foreign.status).toBe(404);
      expect(none.status).toBe(404);
      const text = JSON.stringify(foreign.json).replace(edge.foreign.id, 'nobody');
      expect(text).toBe(JSON.stringify(none.json));
    }
  });

  test('show every field but hidden ones under the name of the contract', () => {
    const shapes = all().flatMap(({ answer: { schema } }) => {
      const { items = schema } = (schema ?? {}) as { items?: object };
      const { properties = {} } = items as { properties?: object };
      return 'id' in properties ? [Object.keys(properties)] : [];
    });
    if (resource.surface?.listBy !== undefined) expect(shapes.length).toBeGreaterThan(0);
    for (const [name, field] of Object.entries(resource.fields)) {
      const parts = 'shown' in field ? field.shown : undefined;
      const names = parts?.map((part) => part.name) ?? [wireName(name, field)];
      for (const shape of shapes) expect(shape).toEqual(expect.arrayContaining(names));
    }
  });
});
