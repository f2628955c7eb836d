// Goal: webhooks are made, changed and refused as M-51 says; their secret is told once (O-10).
// Method: real HTTP to an edge over a real registry, with and without FOOTFALL_OUTBOUND_PRIVATE.
import { describe, expect, test } from 'vitest';
import { type Webhook, webhook } from '../../../src/control/resources/webhook.ts';
import { DOMAIN_CHILD_COUNT_MAX } from '../../../src/model/limits.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { expectRefused, expectUnseen, LATER } from './refusals.ts';

const edge = useRegistryEdge();

const HOOK = { description: 'Orders', event: 'Order', endpoint: 'https://hooks.test/in?a=b' };
const make = (fields: Record<string, unknown> = {}) =>
  edge.send('POST', 'webhook', { domain_id: edge.own.id, ...HOOK, ...fields });
const list = async () => (await edge.send('GET', `webhook?domain_id=${edge.own.id}`)).json;
const kept = (id: string) => edge.registry.view.find(webhook, id) as Webhook;
const byNode = (payload: Webhook) =>
  edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'node', id: '' } }, () => [
    { kind: 'webhook-changed', payload },
  ]);

describe('a webhook (M-51)', () => {
  test('is active, and tells the secret that signs once and never again (O-10)', async () => {
    const { status, json } = await make();
    const { secret, ...made } = json;
    expect(status).toBe(200);
    expect(made).toEqual({
      ...{ id: expect.stringMatching(/^[A-Za-z0-9]{20}$/), domain_id: edge.own.id, ...HOOK },
      ...{ def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' },
      active: true,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(await list()).toEqual([made]);
    // The sender reads it later.
    expect(kept(made.id).secret).toBe(secret);
    const again = await edge.send('POST', 'webhook', { id: made.id, ...HOOK, event: 'Sale' });
    expect(again.json).toEqual({ ...made, event: 'Sale' });
    expect(kept(made.id).secret).toBe(secret);
    expect((await make()).json.secret).not.toBe(secret);
  });

  test('is active again once it is saved, with nothing changed', async () => {
    const { secret: _, ...made } = (await make()).json;
    await byNode({ ...kept(made.id), active: false });
    expect((await list())[0].active).toBe(false);
    edge.nowMs += 1_000;
    const save = () => edge.send('POST', 'webhook', { id: made.id, ...HOOK });
    expect((await save()).json).toEqual({ ...made, mod_time: LATER });
    edge.nowMs += 1_000;
    // It is active: saving it again changes nothing (M-7).
    expect((await save()).json.mod_time).toBe(LATER);
  });

  test('is removed', async () => {
    const { json } = await make();
    expect((await edge.send('DELETE', `webhook?id=${json.id}`)).json).toEqual({});
    expect(await list()).toEqual([]);
    await expectUnseen(edge, ['DELETE', `webhook?id=${json.id}`, undefined]);
  });

  test('is one of as many for an event as a domain may have (M-6)', async () => {
    const { id, secret: _, ...model } = (await make()).json;
    const { registry, nowMs } = edge;
    const others = Array.from({ length: DOMAIN_CHILD_COUNT_MAX - 2 }, (__, index) => ({
      ...{ kind: 'webhook-created', payload: { ...kept(id), id: String(index).padStart(20, 'w') } },
    }));
    await registry.change({ nowMs, by: { kind: 'cli', id: '' } }, () => others);
    expect((await make()).json).toMatchObject({ event: model.event, active: true });
    expect((await make()).status).toBe(400);
    expect(await list()).toHaveLength(DOMAIN_CHILD_COUNT_MAX);
  });

  test('is refused by field', async () => {
    const at = (endpoint: unknown): [object, string[]] => [{ endpoint }, ['endpoint']];
    const rows: [object, string[]][] = [
      [{ domain_id: undefined }, ['domain_id']],
      [{ domain_id: null }, ['domain_id']],
      [{ description: 'x'.repeat(501) }, ['description']],
      [{ description: 5 }, ['description']],
      [{ event: undefined }, ['event']],
      [{ event: ' ' }, ['event']],
      [{ event: 'x'.repeat(201) }, ['event']],
      [{ event: ['Order'] }, ['event']],
      ...[undefined, '', 5, 'hooks.test', '/in', 'ftp://hooks.test/', 'https://'].map(at),
      ...['http:hooks.test', 'https://user@hooks.test', 'https://:word@hooks.test'].map(at),
      at(`https://hooks.test/${'x'.repeat(2_000)}`),
      at(`https://hooks.test/${'é'.repeat(1_000)}`),
    ];
    for (const [fields, named] of rows) {
      const body = { domain_id: edge.own.id, ...HOOK, ...fields };
      await expectRefused(edge, ['POST', 'webhook', body], named);
    }
    expect((await make({ endpoint: `https://hooks.test/${'x'.repeat(1_981)}` })).status).toBe(200);
  });

  test('is refused where it leads into a private network, unless that is allowed', async () => {
    const hosts = ['127.0.0.1', 'localhost', '10.0.0.1', '[::1]', '169.254.169.254', '2130706433'];
    for (const host of hosts) {
      const body = { domain_id: edge.own.id, ...HOOK, endpoint: `http://${host}:8080/` };
      await expectRefused(edge, ['POST', 'webhook', body], ['endpoint']);
    }
    edge.registry.follow({ allowsPrivateTargets: true });
    const { json } = await make({ endpoint: 'http://127.0.0.1:8080/' });
    expect(json.endpoint).toBe('http://127.0.0.1:8080/');
    edge.registry.follow({ allowsPrivateTargets: false });
    // What was allowed then can be turned off, and described anew, but lead nowhere else inside.
    await byNode({ ...kept(json.id), active: false });
    const change = { id: json.id, ...HOOK, endpoint: json.endpoint, description: 'Inside' };
    expect((await edge.send('POST', 'webhook', change)).json.description).toBe('Inside');
    const other = { ...change, endpoint: 'http://127.0.0.1:9090/' };
    await expectRefused(edge, ['POST', 'webhook', other], ['endpoint']);
  });

  test('is refused for what others have, or nobody (M-4)', async () => {
    const { json } = await make();
    const { account, foreign } = edge.bearers;
    for (const domain_id of [edge.foreign.id, 'nobody']) {
      await expectUnseen(edge, ['POST', 'webhook', { domain_id, ...HOOK }, account]);
      await expectUnseen(edge, ['GET', `webhook?domain_id=${domain_id}`, undefined, account]);
    }
    await expectUnseen(edge, ['POST', 'webhook', { id: json.id, ...HOOK }, foreign]);
    await expectUnseen(edge, ['POST', 'webhook', { id: 'nobody', ...HOOK }]);
    await expectUnseen(edge, ['DELETE', `webhook?id=${json.id}`, undefined, foreign]);
  });
});
