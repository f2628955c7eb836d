// Goal: access links are made, shown, described and ended as M-20 says.
// Method: real HTTP to an edge over a real registry; the statistics are asked with the code alone.
import { describe, expect, test } from 'vitest';
import { DOMAIN_CHILD_COUNT_MAX } from '../../../src/model/limits.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { expectRefused, expectUnseen, LATER } from './refusals.ts';

const edge = useRegistryEdge();
const RANGE = 'from=2026-11-01&to=2026-11-20';

const make = (fields: Record<string, unknown> = {}, bearer?: string) =>
  edge.send('POST', 'domain/link', { domain_id: edge.own.id, ...fields }, bearer);
const list = async () => (await edge.send('GET', `domain/link?domain_id=${edge.own.id}`)).json;
const readWith = async (code: string, id = edge.own.id) =>
  (await fetch(`${edge.baseUrl}/api/v1/statistics/total?id=${id}&${RANGE}&access=${code}`)).status;

describe('an access link (M-20)', () => {
  test('has a code of 24 characters, in every answer, that shows the dashboard', async () => {
    const { status, json } = await make({ description: ' For Bob ' });
    expect(status).toBe(200);
    expect(json).toEqual({
      ...{ id: expect.stringMatching(/^[A-Za-z0-9]{20}$/), domain_id: edge.own.id },
      ...{ def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' },
      ...{ code: expect.stringMatching(/^[A-Za-z0-9]{24}$/), description: 'For Bob' },
      ...{ expires: null, filter: null, frame: [] },
    });
    expect(await list()).toEqual([json]);
    expect(await readWith(json.code)).toBe(200);
  });

  test('is described anew by PUT: the code stays', async () => {
    const { json: made } = await make();
    edge.nowMs += 1_000;
    const put = () => edge.send('PUT', 'domain/link', { id: made.id, description: 'Other' });
    expect(await put()).toMatchObject({ status: 200, json: {} });
    expect(await list()).toEqual([{ ...made, description: 'Other', mod_time: LATER }]);
    edge.nowMs += 1_000;
    await put();
    expect((await list())[0].mod_time).toBe(LATER);
  });

  test('ends at once when it is removed, and with its domain', async () => {
    const [first, second] = [(await make()).json, (await make()).json];
    expect((await edge.send('DELETE', `domain/link?id=${first.id}`)).json).toEqual({});
    expect(await readWith(first.code)).toBe(401);
    expect(await readWith(second.code)).toBe(200);
    expect(await list()).toEqual([second]);
  });

  test('shows no other domain', async () => {
    const { json } = await make();
    expect(await readWith(json.code, edge.own.second)).not.toBe(200);
    expect(await readWith('x'.repeat(24))).toBe(401);
  });

  test('is refused by field', async () => {
    const rows: [string, object, string[]][] = [
      ['no domain', { domain_id: undefined }, ['domain_id']],
      ['a blank domain', { domain_id: ' ' }, ['domain_id']],
      ['a number as domain', { domain_id: 5 }, ['domain_id']],
      ['a list as description', { description: [] }, ['description']],
      ['a description over 500', { description: 'x'.repeat(501) }, ['description']],
    ];
    for (const [, fields, named] of rows) {
      const body = { domain_id: edge.own.id, ...fields };
      await expectRefused(edge, ['POST', 'domain/link', body], named);
    }
  });

  test('is refused for what others have, or nobody (M-4)', async () => {
    const { json } = await make();
    const { account, foreign } = edge.bearers;
    for (const domain_id of [edge.foreign.id, 'nobody']) {
      await expectUnseen(edge, ['POST', 'domain/link', { domain_id }, account]);
    }
    await expectUnseen(edge, ['PUT', 'domain/link', { id: json.id, description: '' }, foreign]);
    await expectUnseen(edge, ['DELETE', `domain/link?id=${json.id}`, undefined, foreign]);
    await expectUnseen(edge, ['DELETE', 'domain/link?id=nobody', undefined]);
    await expectRefused(edge, ['PUT', 'domain/link', { description: '' }], ['id']);
    await expectRefused(edge, ['DELETE', 'domain/link', undefined], ['id']);
  });

  test(`is refused beyond ${DOMAIN_CHILD_COUNT_MAX} of a domain (M-6)`, async () => {
    const { json } = await make();
    await edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, () =>
      Array.from({ length: DOMAIN_CHILD_COUNT_MAX - 1 }, (__, index) => ({
        kind: 'link-created',
        payload: {
          ...{ id: `link-${index}`, createdMs: 0, modifiedMs: 0, domainId: edge.own.id },
          ...{ code: `code-${index}`, description: '' },
        },
      })),
    );
    const reply = await make();
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.json)).toContain(String(DOMAIN_CHILD_COUNT_MAX));
    expect((await edge.send('DELETE', `domain/link?id=${json.id}`)).status).toBe(200);
    expect((await make()).status).toBe(200);
  });
});
