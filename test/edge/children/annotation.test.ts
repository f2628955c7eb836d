// Goal: annotations are made, listed, changed, removed and refused as D-19 says.
// Method: real HTTP to an edge over a real registry.
import { describe, expect, test } from 'vitest';
import { useRegistryEdge } from '../registry-edge.ts';
import { expectRefused, expectUnseen, LATER } from './refusals.ts';

const edge = useRegistryEdge();

const SENT = { time: '2026-11-20T12:00:00.000Z', text: 'Newsletter sent' };
const make = (fields: Record<string, unknown> = {}) =>
  edge.send('POST', 'annotation', { domain_id: edge.own.id, ...SENT, ...fields });
const list = async (bearer?: string) =>
  edge.send('GET', `annotation?domain_id=${edge.own.id}`, undefined, bearer);

describe('an annotation (D-19)', () => {
  test('is made, listed, changed and removed', async () => {
    const { status, json: made } = await make();
    expect(status).toBe(200);
    expect(made).toEqual({
      ...{ id: expect.stringMatching(/^[A-Za-z0-9]{20}$/), domain_id: edge.own.id, ...SENT },
      ...{ def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' },
    });
    expect((await list()).json).toEqual([made]);
    edge.nowMs += 1_000;
    const change = { id: made.id, time: '2026-11-21T08:30:00+01:00', text: ' Sent again ' };
    const { json: changed } = await edge.send('PUT', 'annotation', change);
    const after = { time: '2026-11-21T07:30:00.000Z', text: 'Sent again', mod_time: LATER };
    expect(changed).toEqual({ ...made, ...after });
    expect((await list()).json).toEqual([changed]);
    expect((await edge.send('DELETE', `annotation?id=${made.id}`)).json).toEqual({});
    expect((await list()).json).toEqual([]);
    await expectUnseen(edge, ['DELETE', `annotation?id=${made.id}`, undefined]);
  });

  test('is read by whoever reads the statistics, and written by an Admin alone', async () => {
    const { json: made } = await make();
    const { viewer } = edge.bearers;
    expect((await list(viewer)).json).toEqual([made]);
    const body = { domain_id: edge.own.id, ...SENT };
    for (const [method, path, sent] of [
      ['POST', 'annotation', body],
      ['PUT', 'annotation', { id: made.id, ...SENT }],
      ['DELETE', `annotation?id=${made.id}`, undefined],
    ] as const) {
      expect((await edge.send(method, path, sent, viewer)).status, method).toBe(403);
    }
    expect((await list()).json).toEqual([made]);
  });

  test.each([
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2026-03-29T02:30:00+01:00', '2026-03-29T01:30:00.000Z'],
    ['1970-01-01T00:00Z', '1970-01-01T00:00:00.000Z'],
    ['2026-11-20t12:00:00.123456z', '2026-11-20T12:00:00.123Z'],
  ])('of %s is kept in UTC', async (time, kept) => {
    expect((await make({ time })).json.time).toBe(kept);
  });

  test('is refused by field', async () => {
    const times = [
      ...[undefined, null, '', 5, [SENT.time], 'today', '2026-11-20', '2026-11-20T12:00:00'],
      ...['2026-02-29T12:00:00Z', '2026-13-01T12:00:00Z', '2026-00-10T12:00:00Z'],
      ...['2026-11-00T12:00:00Z', '2026-11-20T24:00:00Z', '2026-11-20T12:60:00Z'],
      ...['1969-12-31T12:00:00Z', '+012026-11-20T12:00:00Z', '2026-11-20T12:00:00+24:00'],
    ];
    const texts = [undefined, null, '', '  ', 5, {}, 'x'.repeat(501)];
    const rows: [object, string[]][] = [
      ...times.map((time): [object, string[]] => [{ time }, ['time']]),
      ...texts.map((text): [object, string[]] => [{ text }, ['text']]),
      [{ domain_id: undefined }, ['domain_id']],
      [{ time: 'x', text: 'x'.repeat(501) }, ['text', 'time']],
    ];
    for (const [fields, named] of rows) {
      const body = { domain_id: edge.own.id, ...SENT, ...fields };
      await expectRefused(edge, ['POST', 'annotation', body], named);
    }
    expect((await make({ text: '\u{1f389}'.repeat(500) })).status).toBe(200);
  });

  test('is refused for what others have, or nobody (M-4)', async () => {
    const { json } = await make();
    const { account, foreign } = edge.bearers;
    for (const domain_id of [edge.foreign.id, 'nobody']) {
      await expectUnseen(edge, ['POST', 'annotation', { domain_id, ...SENT }, account]);
      await expectUnseen(edge, ['GET', `annotation?domain_id=${domain_id}`, undefined, account]);
    }
    await expectUnseen(edge, ['PUT', 'annotation', { id: json.id, ...SENT }, foreign]);
    await expectUnseen(edge, ['DELETE', `annotation?id=${json.id}`, undefined, foreign]);
  });

  test('is one of 500 of a domain at most (M-6)', async () => {
    for (let number = 0; number < 500; number++) {
      expect((await make({ text: String(number) })).status).toBe(200);
    }
    const refused = await make();
    expect(refused.status).toBe(400);
    expect(refused.json.error[0]).toContain('500');
    expect((await list()).json).toHaveLength(500);
  });
});
