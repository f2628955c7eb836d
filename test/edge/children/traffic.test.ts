// Goal: spike and warning are switched and set as M-52 says, and shown among the domain's settings.
// Method: real HTTP to an edge over a real registry.
import { describe, expect, test } from 'vitest';
import { useRegistryEdge } from '../registry-edge.ts';
import { expectRefused, expectUnseen } from './refusals.ts';

const edge = useRegistryEdge();

const settings = async () =>
  (await edge.send('GET', `domain?id=${edge.own.id}`, undefined, edge.bearers.account)).json
    .settings;

describe.each([
  ['spike', 10_000_000],
  ['warning', 365],
] as const)('a traffic %s (M-52)', (name, max) => {
  const path = `traffic/${name}`;
  const [on, threshold] = [`traffic_${name}`, `traffic_${name}_threshold`];
  const toggle = () => edge.send('PUT', path, { domain_id: edge.own.id });
  const set = (value: unknown) =>
    edge.send('POST', path, { domain_id: edge.own.id, threshold: value });

  test('is off, and 0, until it is set; PUT switches it and POST does not', async () => {
    expect(await settings()).toMatchObject({ [on]: false, [threshold]: 0 });
    expect(await set(max)).toMatchObject({ status: 200, json: {} });
    expect(await settings()).toMatchObject({ [on]: false, [threshold]: max });
    expect(await toggle()).toMatchObject({ status: 200, json: {} });
    await set(1);
    expect(await settings()).toMatchObject({ [on]: true, [threshold]: 1 });
    const other = name === 'spike' ? 'traffic_warning' : 'traffic_spike';
    expect(await settings()).toMatchObject({ [other]: false, [`${other}_threshold`]: 0 });
    await toggle();
    expect(await settings()).toMatchObject({ [on]: false, [threshold]: 1 });
  });

  test('is refused by field, and for what others have (M-4)', async () => {
    for (const value of [undefined, null, 0, -1, max + 1, 1.5, '5', [], true]) {
      const body = { domain_id: edge.own.id, threshold: value };
      await expectRefused(edge, ['POST', path, body], ['threshold']);
    }
    for (const method of ['PUT', 'POST']) {
      await expectRefused(edge, [method, path, { threshold: 5 }], ['domain_id']);
      const { account } = edge.bearers;
      for (const domain_id of [edge.foreign.id, 'nobody']) {
        await expectUnseen(edge, [method, path, { domain_id, threshold: 5 }, account]);
      }
    }
  });

  test('switched many times at once is switched each time', async () => {
    const replies = await Promise.all(Array.from({ length: 21 }, toggle));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect((await settings())[on]).toBe(true);
  });
});
