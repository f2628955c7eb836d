// Goal: alternative domains are kept as M-21 says, and hits of their hostnames count from then on.
// Method: real HTTP to an edge over a real registry; hits are sent to the same edge.
import { describe, expect, test } from 'vitest';
import { AGENT } from '../../support/fake-ports.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { expectRefused, expectUnseen, LATER } from './refusals.ts';

const edge = useRegistryEdge();

const PATH = 'domain/alternative';
const make = (hostname: unknown, fields: Record<string, unknown> = {}) =>
  edge.send('POST', PATH, { domain_id: edge.own.id, hostname, ...fields }, edge.bearers.account);
const list = async () => (await edge.send('GET', `${PATH}?domain_id=${edge.own.id}`)).json;
const hit = (hostname: string, bearer = edge.bearers.key) => {
  const body = { url: `https://${hostname}/`, ip: '81.2.69.142', user_agent: AGENT };
  return edge.send('POST', 'hit', body, bearer);
};

describe('an alternative domain (M-21)', () => {
  test('is made and listed, normalised as hits are (I-4)', async () => {
    const { status, json } = await make(' WWW.Shop.Test ');
    expect(status).toBe(200);
    expect(json).toEqual({
      ...{ id: expect.stringMatching(/^[A-Za-z0-9]{20}$/), domain_id: edge.own.id },
      ...{ def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' },
      hostname: 'shop.test',
    });
    const wild = (await make('*.BÜCHER.test')).json;
    expect(wild.hostname).toBe('*.xn--bcher-kva.test');
    expect((await list()).map(({ hostname }: { hostname: string }) => hostname)).toEqual(
      expect.arrayContaining(['shop.test', '*.xn--bcher-kva.test']),
    );
  });

  test('takes the hits of its hostname from the answer on, until it goes (I-5)', async () => {
    expect((await hit('shop.test')).json.validation).toHaveProperty('url');
    const { json } = await make('shop.test');
    expect((await hit('shop.test')).status).toBe(200);
    expect((await hit('a.shop.test')).status).toBe(400);
    await edge.send('PUT', PATH, { id: json.id, hostname: '*.shop.test' });
    expect((await hit('shop.test')).status).toBe(400);
    expect((await hit('a.b.shop.test')).status).toBe(200);
    expect((await hit('example.org')).status).toBe(200);
    await edge.send('DELETE', `${PATH}?id=${json.id}`);
    expect((await hit('a.b.shop.test')).status).toBe(400);
  });

  test('leads hits of an account to the oldest domain that has it (I-9)', async () => {
    const { account } = edge.bearers;
    expect((await hit('shop.test', account)).status).toBe(400);
    await make('*.test', { domain_id: edge.own.second });
    expect((await hit('shop.test', account)).status).toBe(200);
    // A domain of that very hostname comes before.
    expect((await hit('second.test', account)).status).toBe(200);
    expect((await hit('shop.test.org', account)).status).toBe(400);
  });

  test('is changed by PUT; a change that changes nothing moves nothing (M-7)', async () => {
    const { json } = await make('shop.test');
    edge.nowMs += 1_000;
    const put = (hostname: string) => edge.send('PUT', PATH, { id: json.id, hostname });
    expect((await put('Shop.TEST')).json).toEqual({});
    expect((await list())[0]).toEqual(json);
    await put('else.test');
    expect((await list())[0]).toEqual({ ...json, hostname: 'else.test', mod_time: LATER });
  });

  test('may be the same on two domains, as hostnames may (I-9)', async () => {
    expect((await make('shop.test')).status).toBe(200);
    expect((await make('shop.test', { domain_id: edge.own.second })).status).toBe(200);
  });

  test('is refused with a hostname that is none', async () => {
    const rows = [
      ['none', undefined],
      ['a blank one', ' '],
      ['a number', 5],
      ['a list', ['a.test']],
      ["the domain's own", 'example.org'],
      ["the domain's own with www", 'www.EXAMPLE.org'],
      ['a full address', 'https://shop.test/'],
      ['a path', 'shop.test/a'],
      ['a port', 'shop.test:80'],
      ['a space', 'shop .test'],
      ['an empty label', 'shop..test'],
      ['a leading hyphen', '-shop.test'],
      ['a label over 63', `${'a'.repeat(64)}.test`],
      ['more than 253 characters', `${'a.'.repeat(130)}test`],
      ['a star among letters that are encoded', 'bü*cher.test'],
      ['markup', '<b>.test'],
      ['a null character', 'shop\0.test'],
      ['more than texts may have', 'a'.repeat(10_000)],
    ];
    for (const [, hostname] of rows) {
      const body = { domain_id: edge.own.id, hostname };
      await expectRefused(edge, ['POST', PATH, body], ['hostname']);
    }
  });

  test('is refused twice, also as a change', async () => {
    await make('shop.test');
    const { json } = await make('else.test');
    const twice = { domain_id: edge.own.id, hostname: 'WWW.shop.test' };
    await expectRefused(edge, ['POST', PATH, twice], ['hostname']);
    for (const hostname of ['shop.test', 'example.org', '', undefined]) {
      await expectRefused(edge, ['PUT', PATH, { id: json.id, hostname }], ['hostname']);
    }
  });

  test('is refused for what others have, or nobody (M-4)', async () => {
    const { json } = await make('shop.test');
    const { account, foreign } = edge.bearers;
    for (const domain_id of [edge.foreign.id, 'nobody']) {
      const body = { domain_id, hostname: 'a.test' };
      await expectUnseen(edge, ['POST', PATH, body, account]);
      await expectUnseen(edge, ['GET', `${PATH}?domain_id=${domain_id}`, undefined, account]);
    }
    await expectUnseen(edge, ['PUT', PATH, { id: json.id, hostname: 'b.test' }, foreign]);
    await expectUnseen(edge, ['DELETE', `${PATH}?id=${json.id}`, undefined, foreign]);
    await expectRefused(edge, ['POST', PATH, { hostname: 'a.test' }], ['domain_id']);
  });
});
